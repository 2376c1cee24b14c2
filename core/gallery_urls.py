"""The addresses of the component gallery, mounted at /ui/ in development."""

from django.urls import URLPattern, path

from core.views import gallery

urlpatterns: list[URLPattern] = [
    path("", gallery.gallery, name="gallery"),
    path("panel/<slug:case_id>", gallery.panel, name="gallery_panel"),
    path("demonstration", gallery.demonstration, name="gallery_demonstration"),
    path("elsewhere", gallery.elsewhere, name="gallery_elsewhere"),
    path("refused", gallery.refused, name="gallery_refused"),
]

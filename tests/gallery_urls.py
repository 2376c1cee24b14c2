"""The addresses of the console together with the gallery, which production does not mount."""

from django.urls import include, path

from config.urls import *  # noqa: F403
from config.urls import urlpatterns as console
from core import gallery_urls

urlpatterns = [*console, path("ui/", include(gallery_urls))]

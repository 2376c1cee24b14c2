"""Every address of Casebook, app by app."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path

from core.api.views import nothing_here
from core.views import health

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("config.api_urls")),
    re_path("^api/", nothing_here),
    path("", include("core.urls")),
    path("", include("accounts.urls")),
    path("", include("agents.urls")),
    path("", include("activity.urls")),
    path("datasets/", include("datasets.urls")),
    path("", include("scoring.urls")),
    path("", include("evals.urls")),
    path("", include("review.urls")),
]

if settings.DEBUG:
    from core import gallery_urls

    urlpatterns.append(path("ui/", include(gallery_urls)))

handler404 = "core.views.errors.not_found"
handler403 = "core.views.errors.forbidden"
handler400 = "core.views.errors.bad_request"
handler429 = "accounts.views.sign_in.too_many_requests"
handler500 = "core.views.errors.server_error"

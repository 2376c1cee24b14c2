"""The console addresses of accounts: sign-in, set-up, members, invitations, keys, audit, account, organisation."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("account/", include("allauth.urls")),
]

"""What django-allauth shows through us: the page of its rate limits, and the sign-in of Django's admin."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from core.errors import Throttled
from core.views.errors import domain_error_page

SECONDS = 60  # the window of most of allauth's limits


def too_many_requests(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """429 with the time to wait (PL-9)."""
    return domain_error_page(request, Throttled(SECONDS, _("Too many attempts. Wait a minute, then try again.")))

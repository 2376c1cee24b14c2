"""Standing pages about datasets: what makes a good case, and what a deletion reaches (DS-3 to DS-6, ACC-73)."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from core.pages import respond


@require_safe
def good_cases(request: HttpRequest) -> HttpResponse:
    """The guidance as a whole, in a dialog or as a page."""
    return respond(request, "datasets/good_cases.html", {}, part="dialog")


@require_safe
def what_deletion_reaches(request: HttpRequest) -> HttpResponse:
    """The statement of what each kind of deletion takes, and what none can reach."""
    return respond(request, "datasets/what_deletion_reaches.html", {}, part="statement")

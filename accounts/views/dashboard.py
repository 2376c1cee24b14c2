"""The dashboard: what waits, what ran and what changed, over everything that the member may see (RV-66 to RV-70)."""

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.dashboard import cards_for
from core.pages import respond


@require_safe
def dashboard(request: Any) -> HttpResponse:
    """All cards; `card` names the one that a card at work asks for again."""
    cards = cards_for(request.actor, only=request.GET.get("card", ""))
    return respond(request, "accounts/dashboard.html", {"cards": cards}, part="cards")

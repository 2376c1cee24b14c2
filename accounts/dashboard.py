"""The registry of the dashboard's cards: the page where members land after signing in (RV-66 to RV-70).

Apps stand above this one, so each registers its cards in `AppConfig.ready()` and the page asks here:

    add_card(Card("datasets", _("Datasets edited lately"), "datasets/dashboard_card.html", 20, read))

A card reads in few queries whatever the organisation holds, since every member begins the day with all of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.functional import Promise

if TYPE_CHECKING:
    from accounts.actor import Actor


@dataclass(frozen=True)
class Card:
    """One card. `read` gives what its template finds as `shown`, or None for a member who has no use for the card.

    Cards stand in the order of their `place`; a `wide` one takes a row of its own.
    """

    name: str
    title: str | Promise
    template: str
    place: int
    read: Callable[["Actor"], Any]
    wide: bool = False


@dataclass(frozen=True)
class ShownCard:
    """A card with what it shows to one member."""

    card: Card
    shown: Any


_cards: dict[str, Card] = {}


def add_card(card: Card) -> None:
    """Put a card on the dashboard; registering a name again replaces it."""
    _cards[card.name] = card


def cards_for(actor: "Actor", *, only: str = "") -> list[ShownCard]:
    """The cards of this member in their order, or the one named `only`, which may be none."""
    wanted = sorted((card for card in _cards.values() if only in ("", card.name)), key=lambda card: card.place)
    read = [ShownCard(card, card.read(actor)) for card in wanted]
    return [one for one in read if one.shown is not None]

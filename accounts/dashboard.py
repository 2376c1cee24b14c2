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


def _to_everybody(_actor: "Actor") -> bool:
    return True


@dataclass(frozen=True)
class Card:
    """One card, for the members of whom `offer` is true. `read` gives what its template finds as `shown`.

    Cards stand in the order of their `place`; a `wide` one takes a row of its own. One that `follows` takes longer to
    read, and is loaded by the page once the others are on the screen.
    """

    name: str
    title: str | Promise
    template: str
    place: int
    read: Callable[["Actor"], Any]
    offer: Callable[["Actor"], bool] = _to_everybody
    wide: bool = False
    follows: bool = False


@dataclass(frozen=True)
class ShownCard:
    """A card with what it shows to one member; `is_awaited` where that is yet to be loaded."""

    card: Card
    shown: Any = None
    is_awaited: bool = False


_cards: dict[str, Card] = {}


def add_card(card: Card) -> None:
    """Put a card on the dashboard; registering a name again replaces it."""
    _cards[card.name] = card


def cards_for(actor: "Actor", *, only: str = "") -> list[ShownCard]:
    """The cards of this member in their order, or whole the one named `only`, where there is one."""
    wanted = [card for card in _cards.values() if only in ("", card.name) and card.offer(actor)]
    ordered = sorted(wanted, key=lambda card: card.place)
    return [
        ShownCard(card, is_awaited=True) if card.follows and not only else ShownCard(card, card.read(actor))
        for card in ordered
    ]

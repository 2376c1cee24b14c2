"""The places of a dataset's page that later apps fill: parts of its areas, acts, steps, what a deletion takes.

Those apps stand above this one, so they register in `AppConfig.ready()` and the page asks here:

    places.add_part(Part(Area.RESULTS, "runs", _("Test runs"), url_name="evals"))
    places.add_act(Act(Place.BESIDE_TABLE, _("Generate cases"), "sparkles", "generation_new", opens=Opens.DIALOG))

What nobody registered is not shown: no button that leads nowhere. Registering a name again replaces it.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from django.utils.functional import Promise

from core.offers import OFFERED, Offer

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from accounts.actor import Actor
    from datasets.models import Dataset

Words = str | Promise


class Area(StrEnum):
    """The areas of the page (DS-7)."""

    CASES = "cases"
    RESULTS = "results"
    SETTINGS = "settings"


class Place(StrEnum):
    """Where an act stands: in every area, beside the table of cases, in the menu, or with the test runs.

    An act of every area is told the shown version by `?dataset_version=` where that is not the newest, and selected
    cases by `?chosen=`, each as `case:revision`.
    """

    EVERYWHERE = "everywhere"
    BESIDE_TABLE = "beside_table"
    MENU = "menu"
    RUNS = "runs"


class Opens(StrEnum):
    """What the address of an act gives: a page, a dialog or a side panel."""

    PAGE = "page"
    DIALOG = "dialog"
    PANEL = "panel"


def _to_everybody(_actor: "Actor", _dataset: "Dataset") -> Offer:
    return OFFERED


@dataclass(frozen=True)
class Part:
    """One part of an area. `url_name`, with the dataset's id, gives the fragment that the page loads into itself."""

    area: Area
    name: str
    label: Words
    url_name: str
    offer: Callable[["Actor", "Dataset"], Offer] = _to_everybody


@dataclass(frozen=True)
class Act:
    """Something to do with the dataset. `way` is how the first of the four steps names it, where it adds cases."""

    place: Place
    label: Words
    icon: str
    url_name: str
    opens: Opens = Opens.PAGE
    way: Words = ""
    offer: Callable[["Actor", "Dataset"], Offer] = _to_everybody


@dataclass(frozen=True)
class StepState:
    """How far one of the four steps is, in words, and where it is done; without `href` there is nowhere to go yet."""

    is_done: bool
    words: Words = ""
    href: str = ""


@dataclass(frozen=True)
class Holding:
    """What else a dataset holds that goes with it (DS-D17): its label, its number, and what happens just before.

    `before_deletion` runs in the transaction of the deletion; it cancels what is queued, or raises `Conflict`.
    """

    label: Words
    count: Callable[["Dataset"], int]
    before_deletion: Callable[["Actor", "Dataset"], None] | None = None


# Removes what an app keeps of the words of these cases; called with the dataset, their ids and the moment.
TextRemoval = Callable[["Dataset", "Collection[UUID]", "datetime"], None]

_parts: dict[tuple[Area, str], Part] = {}
_acts: dict[str, Act] = {}
_steps: dict[str, Callable[["Actor", "Dataset"], StepState]] = {}
_holdings: dict[str, Holding] = {}
_text_removals: dict[str, TextRemoval] = {}


def add_part(part: Part) -> None:
    """Add a part to an area; "runs" and "review" of the results take the place of what is said until then."""
    _parts[part.area, part.name] = part


def add_act(act: Act) -> None:
    """Offer an act at its place."""
    _acts[act.url_name] = act


def add_step(name: str, state: Callable[["Actor", "Dataset"], StepState]) -> None:
    """Say how far "grading", "test" or "review" is, the later of the four steps (DS-25)."""
    _steps[name] = state


def add_holding(name: str, holding: Holding) -> None:
    """Tell the deletion of a dataset what else it takes."""
    _holdings[name] = holding


def add_text_removal(name: str, remove: TextRemoval) -> None:
    """Have this run too when the whole text of cases is replaced, in the same transaction (ACC-48, ACC-D28)."""
    _text_removals[name] = remove


def parts_of(area: Area, actor: "Actor", dataset: "Dataset") -> list[Part]:
    """The registered parts of an area that this actor is offered."""
    return [part for part in _parts.values() if part.area is area and part.offer(actor, dataset).is_shown]


def acts_at(place: Place, actor: "Actor", dataset: "Dataset") -> list[tuple[Act, Offer]]:
    """The acts that stand there for this actor, with the reason where one is disabled."""
    offers = [(act, act.offer(actor, dataset)) for act in _acts.values() if act.place is place]
    return [(act, offer) for act, offer in offers if offer.is_shown]


def step_state(name: str, actor: "Actor", dataset: "Dataset") -> StepState | None:
    """How far a step is, or None where no app is there for it."""
    ask = _steps.get(name)
    return ask(actor, dataset) if ask else None


def holdings() -> list[Holding]:
    """What else datasets hold."""
    return list(_holdings.values())


def text_removals() -> list[TextRemoval]:
    """What goes with the text of cases."""
    return list(_text_removals.values())

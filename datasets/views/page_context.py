"""What every area of a dataset's page shows around its own content: acts, parts, the steps."""

from dataclasses import dataclass
from typing import Any

from accounts.actor import Actor
from core.offers import Offer
from datasets.places import Act, Area, Part, Place, acts_at, parts_of
from datasets.queries.steps import is_new, steps_of
from datasets.views.addresses import page_address
from datasets.views.case_table import Shown

# Which part of the results says what a step is about, until an app is there for it.
RESULT_STEPS = {"test": "runs", "review": "review"}


@dataclass(frozen=True)
class Link:
    """The way to one part of an area."""

    name: str
    label: Any
    href: str
    is_current: bool


def page_context(actor: Actor, shown: Shown, tab: str) -> dict[str, Any]:
    """For `datasets/page.html`; `acts` by place, each with the reason where it is disabled."""
    return {
        "dataset": shown.dataset,
        "shown": shown,
        "tab": tab,
        "everywhere": acts_at(Place.EVERYWHERE, actor, shown.dataset),
        "beside_table": _acts(Place.BESIDE_TABLE, actor, shown),
        "in_menu": _acts(Place.MENU, actor, shown),
    }


def steps_context(actor: Actor, shown: Shown) -> dict[str, Any]:
    """The four steps (DS-25) for who may take them, where the dataset is empty or new; `ways` of adding cases."""
    if not shown.may_change or not (shown.dataset.case_count == 0 or is_new(shown.dataset)):
        return {}
    explained = {name: part_address(shown, Area.RESULTS, part) for name, part in RESULT_STEPS.items()}
    steps = steps_of(actor, shown.dataset, otherwise=explained)
    if all(step.state.is_done for step in steps):
        return {}
    acts = _acts(Place.BESIDE_TABLE, actor, shown) + _acts(Place.MENU, actor, shown)
    return {"steps": steps, "ways": [(act, offer) for act, offer in acts if act.way]}


def part_context(actor: Actor, shown: Shown, area: Area, own: list[tuple[str, Any]], wanted: str) -> dict[str, Any]:
    """The parts of an area: its own first, then those that apps registered; `filling` is the app's one if chosen.

    An app that registers under the name of an own part takes its place.
    """
    registered = {part.name: part for part in parts_of(area, actor, shown.dataset)}
    labels = dict(own) | {name: part.label for name, part in registered.items()}
    current = wanted if wanted in labels else next(iter(labels))
    address = [(name, part_address(shown, area, name)) for name in labels]
    links = [Link(name, labels[name], href, name == current) for name, href in address]
    filling: Part | None = registered.get(current)
    return {"parts": links, "part": current, "filling": filling}


def part_address(shown: Shown, area: Area, name: str) -> str:
    """A part of an area; the results call theirs a view (RV-D6)."""
    return page_address(shown.dataset.pk, tab=area, **{"view" if area is Area.RESULTS else "part": name})


def _acts(place: Place, actor: Actor, shown: Shown) -> list[tuple[Act, Offer]]:
    return acts_at(place, actor, shown.dataset) if shown.is_newest else []

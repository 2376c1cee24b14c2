"""The filters above the table: what each offers and what is chosen (RV-5, RV-D7)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from datasets.models import Dataset
from datasets.queries.cases import tags_of
from review.forms.review_table import ReviewState
from scoring.models import ScoreOrigin, ScoreOutcome
from scoring.places import newest_runs
from scoring.queries.answer_sets import newest_sets
from scoring.queries.scores import agents_of_scores

# So many chosen values are named on the button of a menu.
NAMED = 2


@dataclass(frozen=True)
class Option:
    """One value of a filter; `at` tells those of one label apart."""

    value: str
    label: str
    is_on: bool = False
    at: datetime | None = None


@dataclass(frozen=True)
class Menu:
    """One filter, of which several values may be chosen. `nothing` is what it says where there is none to choose."""

    name: str
    label: str
    anything: str
    options: tuple[Option, ...] = ()
    is_whole: bool = True
    nothing: str = ""

    @property
    def words(self) -> str:
        """What is chosen."""
        chosen = [option.label for option in self.options if option.is_on]
        if not chosen:
            return self.anything
        if len(chosen) <= NAMED:
            return ", ".join(chosen)
        return _("%(first)s and %(more)d more") % {"first": chosen[0], "more": len(chosen) - 1}

    @property
    def is_on(self) -> bool:
        return any(option.is_on for option in self.options)


def menus_of(actor: Actor, dataset: Dataset, state: ReviewState, *, whole: bool) -> list[Menu]:
    """The menus; of those that ask the database only what is chosen unless the `whole` of them is wanted."""
    wanted = state.filter
    runs, sets = wanted.eval_run_ids, wanted.answer_set_ids
    agent = Menu("agent", _("Agent"), _("Any agent"), nothing=_("No agent that you can see has answered."))
    tag = Menu("tag", _("Tag"), _("Any tag"), nothing=_("No case has a tag."))
    test_run = Menu("eval_run", _("Test run"), _("Any test run"), nothing=_("There is no test run."))
    stored = Menu("answer_set", _("Stored answers"), _("Any stored answers"), nothing=_("There are no stored answers."))
    menus = [
        _fixed(Menu("outcome", _("Outcome"), _("Any outcome")), ScoreOutcome.choices, wanted.outcomes),
        _asked(agent, wanted.agent_ids, whole, lambda: _named(agents_of_scores(actor, dataset), "pk", "name")),
        _asked(tag, wanted.tags, whole, lambda: [Option(text, text) for text in _tags(dataset, wanted.tags)]),
        _asked(test_run, runs, whole, lambda: _named(newest_runs(actor, dataset, runs), "id", "label", "at")),
        _asked(stored, sets, whole, lambda: _named(newest_sets(dataset, besides=sets), "pk", "label", "created_at")),
        _fixed(Menu("origin", _("Origin"), _("Any origin")), ScoreOrigin.choices, wanted.origins),
    ]
    may_read_runs = access.may(actor, Permission.RUNS_VIEW)
    return [menu for menu in menus if menu.name != "eval_run" or may_read_runs]


def _fixed(menu: Menu, choices: Iterable[tuple[str, Any]], chosen: Sequence[object]) -> Menu:
    return replace(menu, options=tuple(Option(value, str(label), value in chosen) for value, label in choices))


def _asked(menu: Menu, chosen: Sequence[object], whole: bool, ask: Callable[[], list[Option]]) -> Menu:
    """One whose options are asked for where they are needed: all of them, or those chosen for their labels."""
    on = {str(value) for value in chosen}
    found = [replace(one, is_on=one.value in on) for one in ask()] if whole or on else []
    return replace(menu, options=tuple(one for one in found if whole or one.is_on), is_whole=whole)


def _named(rows: Iterable[Any], value: str, label: str, at: str = "") -> list[Option]:
    return [
        Option(str(getattr(row, value)), str(getattr(row, label)), at=getattr(row, at) if at else None) for row in rows
    ]


def _tags(dataset: Dataset, chosen: Sequence[str]) -> list[str]:
    """Those of the newest version, and chosen ones that it has no more."""
    tags = tags_of(dataset, dataset.newest_version)
    return [*tags, *(tag for tag in chosen if tag not in tags)]

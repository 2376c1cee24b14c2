"""The places that later apps fill: at an answer's last step, in a rating, in a run's menu, above the list of runs.

Those apps stand above this one, so they register in `AppConfig.ready()` and the pages of chat and runs ask here. What
nobody registered is not shown.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.functional import Promise

from core.offers import Offer

if TYPE_CHECKING:
    from accounts.actor import Actor
    from activity.models import Message, Run


@dataclass(frozen=True)
class Told:
    """What the person is told after a further act on a rated answer; `kind` as of messages: pass, fail, info."""

    text: str
    kind: str


@dataclass(frozen=True)
class AnswerControl:
    """One control at the last step of each answer, in the chat and on a run's page (DS-153).

    `url_name`, with the id of the answer's last message, gives the fragment that the page loads in its place; the page
    hands on `from` (chat or run) and the rest of its own query. `offer` decides whether this actor sees it at all.
    """

    url_name: str
    offer: Callable[["Actor"], bool]


@dataclass(frozen=True)
class AskedAgain:
    """What a rating asked besides, as it was posted: the fragment with what is missing said in it, or nothing of it.

    Until it `is_complete` the rating is not stored. Without `html` the fragment is loaded as at first.
    """

    is_complete: bool = True
    html: str = ""


def _nothing_is_missing(request: Any, message: "Message") -> AskedAgain:
    return AskedAgain()


@dataclass(frozen=True)
class RatingCompanion:
    """What the dialogs of a rating ask besides, and what is done with it once the rating is stored (DS-143 to DS-150).

    `url_name`, with the id of the answer's last message and `?rating=up` or `down`, gives the fragment for the dialog;
    its fields travel with the rating's form. `again` gets the request that sent it and the message before anything is
    stored. `after` gets the posted values when the rating is stored, in a write of its own, and says what became of it,
    or None where nothing was asked.
    """

    url_name: str
    offer: Callable[["Actor"], bool]
    after: Callable[["Actor", "Message", Mapping[str, str]], Told | None]
    again: Callable[[Any, "Message"], AskedAgain] = _nothing_is_missing


@dataclass(frozen=True)
class RunAct:
    """An entry of a run's menu, which opens a dialog (SC-154). `url_name`, with the run's id, gives it.

    `offer` gets the run's own messages, which its page has read already; it should ask no database.
    """

    label: str | Promise
    icon: str
    url_name: str
    offer: Callable[["Actor", "Run", Sequence["Message"]], Offer]


@dataclass(frozen=True)
class ListNotice:
    """A notice above the list of runs and above a run, shown where their address has `parameter` (DS-156, DS-157).

    `url_name`, which takes no arguments, gives the fragment; it gets the page's whole query. The list's links keep the
    parameter, so that it goes along from run to run.
    """

    url_name: str
    parameter: str
    offer: Callable[["Actor"], bool]


_controls: dict[str, AnswerControl] = {}
_companions: dict[str, RatingCompanion] = {}
_run_acts: dict[str, RunAct] = {}
_notices: dict[str, ListNotice] = {}


def add_control(control: AnswerControl) -> None:
    """Offer a control at every answer; registering a name again replaces it."""
    _controls[control.url_name] = control


def add_companion(companion: RatingCompanion) -> None:
    """Ask for something besides a rating; registering a name again replaces it."""
    _companions[companion.url_name] = companion


def add_run_act(act: RunAct) -> None:
    """Offer an act in the menu of each run; registering a name again replaces it."""
    _run_acts[act.url_name] = act


def add_notice(notice: ListNotice) -> None:
    """Show a notice above lists of runs; registering a name again replaces it."""
    _notices[notice.url_name] = notice


def controls_for(actor: "Actor") -> list[AnswerControl]:
    """The controls that this actor is offered."""
    return [control for control in _controls.values() if control.offer(actor)]


def companions_for(actor: "Actor") -> list[RatingCompanion]:
    """The companions of a rating that this actor is offered."""
    return [companion for companion in _companions.values() if companion.offer(actor)]


def run_acts_for(actor: "Actor", run: "Run", said: Sequence["Message"]) -> list[tuple[RunAct, Offer]]:
    """The acts of this run's menu for this actor, with the reason where one is disabled."""
    offers = [(act, act.offer(actor, run, said)) for act in _run_acts.values()]
    return [(act, offer) for act, offer in offers if offer.is_shown]


def notices_for(actor: "Actor", parameters: Container[str]) -> list[ListNotice]:
    """The notices that an address with these parameters asks for and this actor is offered."""
    return [notice for notice in _notices.values() if notice.parameter in parameters and notice.offer(actor)]


def kept_parameters() -> list[str]:
    """What the links of the list carry on, whoever looks."""
    return [notice.parameter for notice in _notices.values()]

"""What the dialog "Score against a case" shows: the datasets, the cases of one, adding the answer, who will grade."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from accounts import access
from accounts.permissions import Permission
from core.errors import DomainError
from datasets.forms.answer import AnswerForm
from datasets.models import Dataset
from datasets.queries.answers import CopiedAnswer, last_dataset, owner_of_private
from datasets.views.addresses import page_address
from scoring.forms.run_scoring import DialogState
from scoring.queries.judge_named import judge_named
from scoring.queries.run_scoring import CaseChoice, RunToScore, Target, targets_of
from scoring.views.addresses import GRADING


@dataclass(frozen=True)
class Dialog:
    """The dialog for one run as one request asks for it."""

    request: Any
    to_score: RunToScore
    state: DialogState
    targets: list[Target]
    target: Target | None

    @property
    def choice(self) -> CaseChoice | None:
        if self.target is None:
            return None
        state = self.state
        return CaseChoice(self.request.actor, self.target, self.to_score, state.search, state.page, state.case_id)


def dialog_of(request: Any, to_score: RunToScore, state: DialogState) -> Dialog:
    """The dataset of the state where the actor may score against it, or the one to open on (SC-155)."""
    targets = [] if to_score.why_not else targets_of(request.actor, to_score.question)
    target = _wanted(targets, state.dataset_id) or _first(targets, last_dataset(request.actor))
    dataset_id = target.dataset.pk if target else None
    return Dialog(request, to_score, replace(state, dataset_id=dataset_id), targets, target)


def dialog_context(
    dialog: Dialog, refusal: DomainError | None = None, form: AnswerForm | None = None
) -> dict[str, Any]:
    """For `scoring/run/dialog.html`; `form` is the one that was sent for adding, with what is wrong with it."""
    choice, to_score = dialog.choice, dialog.to_score
    same = [target for target in dialog.targets if target.asks_the_same]
    context = {
        "run": to_score.run,
        "to_score": to_score,
        "state": dialog.state,
        "target": dialog.target,
        "targets_same": same,
        "targets_other": dialog.targets[len(same) :],
        "choice": choice,
        "refusal": refusal,
        "judge": judge_named(dialog.request.actor, dialog.target.dataset) if dialog.target else None,
        "settings_href": page_address(dialog.target.dataset.pk, **GRADING) if dialog.target else "",
        "in_dialog": dialog.request.headers.get("HX-Request") == "true",
    }
    if choice is not None and to_score.copied is not None and _may_add(dialog, choice, to_score.copied):
        shown = form or answer_form(dialog, to_score.copied, choice.target.dataset)
        context |= {"form": shown, "owner": _owner(dialog, to_score.copied), "copied": to_score.copied}
    return context


def answer_form(
    dialog: Dialog, copied: CopiedAnswer, dataset: Dataset, data: Any = None, *, warned: bool = False
) -> AnswerForm:
    """The questions of adding the run's answer to the dataset (SC-159), as at the answer itself."""
    if warned and data is not None:
        data = data.copy()
        data["warned"] = "1"
    is_private = _owner(dialog, copied) is not None
    return AnswerForm(data, copied=copied, datasets=[dataset], chosen=dataset.pk, is_private=is_private)


def is_unwarned_copy(dialog: Dialog, copied: CopiedAnswer, form: AnswerForm) -> bool:
    """Whether it is another person's private conversation, and the form did not say so yet (SC-161)."""
    return _owner(dialog, copied) is not None and not form.cleaned_data["warned"]


def _may_add(dialog: Dialog, choice: CaseChoice, copied: CopiedAnswer) -> bool:
    """Offered where no case asks the same and the answer is no case yet, to who may edit (SC-157, SC-160)."""
    if not (copied.text or copied.calls) or copied.answer.question is None:
        return False
    if choice.target.same or choice.already is not None:
        return False
    return access.may(dialog.request.actor, Permission.DATASETS_EDIT, choice.target.dataset)


def _owner(dialog: Dialog, copied: CopiedAnswer) -> Any:
    return owner_of_private(dialog.request.actor, copied.conversation)


def _wanted(targets: list[Target], dataset_id: UUID | None) -> Target | None:
    return next((target for target in targets if target.dataset.pk == dataset_id), None)


def _first(targets: list[Target], last: UUID | None) -> Target | None:
    """Among those that ask the same, or among all where none does: the one last added to, else the newest change."""
    same = [target for target in targets if target.asks_the_same] or targets
    return _wanted(same, last) or next(iter(same), None)

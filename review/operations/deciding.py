"""What a person rules on a score, and taking it back; each act is one more row, so that nothing is lost (RV-53 to 61).

The acts on one score come one after the other, because each holds the row of the score; scores are always locked before
the queue, as in sending.
"""

from dataclasses import dataclass
from typing import NoReturn
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import access, audit
from accounts.actor import Actor
from accounts.permissions import Permission
from core.errors import Conflict, Invalid, NotAllowed
from core.limits import LIMITS
from core.texts import plain_lines
from datasets.logic.credentials import hide
from datasets.models import Dataset
from review.logic.queue import Sending
from review.models import Decision, Entry, Leaving, Ruling
from review.operations.held_scores import lock_score, require_mark
from review.operations.queueing import enter, leave
from review.queries.decisions import DecisionState, decision_state, why_not_decidable
from scoring.models import Score
from scoring.queries.score_rows import sight_of


@dataclass(frozen=True)
class Decided:
    """A ruling that holds now. `is_new` is false where the very same one held already, which makes no further act.

    `hidden` counts the credentials that were hidden in its note, `left_queue` says whether it waited for review.
    """

    score: Score
    revision: int
    is_new: bool
    hidden: int = 0
    left_queue: bool = False


@dataclass(frozen=True)
class Withdrawn:
    """A ruling that was taken back: its note for the editor, and what became of the score in the queue (RV-D31).

    `sending` is WAITING, or OUTRANKED where another answer of its case and agent keeps the place.
    """

    score: Score
    revision: int
    ruling: str
    note: str
    sending: Sending


@transaction.atomic
def decide(
    actor: Actor,
    *,
    dataset_id: UUID,
    score_id: UUID,
    decision: str,
    note: str = "",
    revision: int,
    mark: str | None = None,
) -> Decided:
    """Rule `pass` or `fail` on a score, waiting or not, unscored ones too; it leaves the queue (RV-54, RV-D28).

    `revision` is that of the ruling the person saw, 0 for none (RV-D30); `mark` is what they could read of the score
    when they saw it (RV-D15), None where no page showed it. What grading found stays as it is (RV-55). Raises
    `NotFound`, `NotAllowed` without `datasets:edit` and where the answer is hidden from the actor (RV-D29), `Invalid`,
    `Conflict` `mask_changed`, `decision_changed` with the ruling that holds, and `answer_removed`.
    """
    score = _held(actor, dataset_id, score_id)
    require_mark(actor, score=score, mark=mark)
    if score.answer_removed_at:
        raise Conflict("answer_removed", why_not_decidable(score))
    wanted, hidden = _ruling(decision), hide(_note(note))
    before = _require_revision(actor, score, revision)
    held = before.decision
    if held and (held.ruling, held.note) == (wanted, hidden.text):
        return Decided(score, before.revision, is_new=False)
    act = _add(actor, score, before.revision + 1, wanted, hidden.text)
    waited = leave([score.pk], Leaving.DECIDED)
    audit.record(
        actor,
        "review.decided",
        score.dataset,
        score=str(score.pk),
        decision=wanted,
        revision=act.number,
        credentials_hidden=hidden.total,
    )
    return Decided(score, act.number, is_new=True, hidden=hidden.total, left_queue=bool(waited))


@transaction.atomic
def withdraw_decision(
    actor: Actor, *, dataset_id: UUID, score_id: UUID, revision: int | None, mark: str | None = None
) -> Withdrawn:
    """Take the ruling back: the score is undecided and waits for review by the queue's rules (RV-57, RV-58, RV-49).

    `revision` None takes back whichever ruling holds. Raises as `decide` does, without `answer_removed`, and `Conflict`
    `not_decided` where nobody's ruling holds.
    """
    score = _held(actor, dataset_id, score_id)
    require_mark(actor, score=score, mark=mark)
    before = _require_revision(actor, score, revision)
    held = before.decision
    if held is None:
        raise Conflict("not_decided", _("This answer is not decided."), {"revision": before.revision})
    act = _add(actor, score, before.revision + 1, "", "")
    (sending,) = enter([score], {score.pk: Entry.DECISION_WITHDRAWN}, by=actor.member)
    audit.record(actor, "review.decision_withdrawn", score.dataset, score=str(score.pk), revision=act.number)
    return Withdrawn(score, act.number, held.ruling, held.note, sending)


def _held(actor: Actor, dataset_id: UUID, score_id: UUID) -> Score:
    """The score, locked until the transaction ends, where the actor may edit the dataset and read the answer."""
    dataset = access.fetch(Dataset.objects.all(), actor, Permission.DATASETS_EDIT, pk=dataset_id)
    score = lock_score(dataset, score_id)
    if not sight_of(actor, [score]).may_read(score):
        raise NotAllowed(_("This answer is hidden from you, and nobody can judge what they cannot read."))
    return score


def _require_revision(actor: Actor, score: Score, revision: int | None) -> DecisionState:
    """What holds now. Raises `Conflict` where the person saw something else."""
    now = decision_state(actor, score)
    if revision is not None and revision != now.revision:
        _refuse_stale(now)
    return now


def _refuse_stale(now: DecisionState) -> NoReturn:
    message = _("Somebody else decided this answer meanwhile.")
    if now.decision is None:
        message = _("Somebody else took the decision on this answer back meanwhile.")
    current = None
    if now.decision:
        current = {
            "decision": now.decision.ruling,
            "note": now.decision.note,
            "by": now.decision.by_name,
            "at": now.decision.at.isoformat(),
        }
    raise Conflict("decision_changed", message, {"revision": now.revision, "current": current})


def _ruling(decision: str) -> str:
    if decision not in Ruling.values:
        raise Invalid.at("decision", _("Choose one of: %(known)s.") % {"known": ", ".join(Ruling.values)})
    return decision


def _note(note: str) -> str:
    """As it is kept: without spaces around it, and with the line ends of every other text."""
    text = plain_lines(note).strip()
    limit = LIMITS.review_note_characters
    if len(text) > limit:
        message = ngettext(
            "At most %(limit)d character; this has %(count)d.",
            "At most %(limit)d characters; this has %(count)d.",
            limit,
        )
        raise Invalid.at("note", message % {"limit": limit, "count": len(text)})
    return text


def _add(actor: Actor, score: Score, number: int, ruling: str, note: str) -> Decision:
    """One more act, and what it makes of the score."""
    act = Decision.objects.create(
        score=score, number=number, ruling=ruling, automatic=score.outcome, note=note, by=actor.member
    )
    score.decided = ruling
    score.save(update_fields=["decided"])
    return act

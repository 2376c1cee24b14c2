"""Whether somebody may read words that were copied from a conversation: the one place that decides it (ACC-25)."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from django.db.models import Case as Either
from django.db.models import Exists, OuterRef, Q, QuerySet, Value, When

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from activity.queries.conversations import readable_conversations
from datasets.models import Case, CaseRevision, Dataset

# The rule is said twice, for rows that are loaded and as a condition on rows: whatever changes one changes the other.


@dataclass(frozen=True)
class Reading:
    """What one actor may read of some rows: everything, or what was copied from the conversations they may open."""

    everything: bool
    conversations: frozenset[UUID] = frozenset()

    def may_open(self, case: Case) -> bool:
        """Whether the conversation that the case was taken from is there, and open to the actor (ACC-D18)."""
        return case.conversation_id is not None and (self.everything or case.conversation_id in self.conversations)

    def may_read(self, revision: CaseRevision) -> bool:
        """Whether the actor may read the text of this revision, of whatever version (ACC-25, ACC-27, ACC-29)."""
        return not revision.conversation_text or self.everything or self.may_open(revision.case)


def reading_of(actor: Actor, cases: Iterable[Case]) -> Reading:
    """What the actor may read of these cases, and which of their conversations they may open: one query at the most."""
    if reads_every_word(actor):
        return Reading(everything=True)
    linked = [case.pk for case in cases if case.conversation_id]
    if not linked:
        return Reading(everything=False)
    open_to_them = _open_to(actor).filter(pk__in=linked).values_list("conversation_id", flat=True)
    return Reading(everything=False, conversations=frozenset(one for one in open_to_them if one))


def reads_every_word(actor: Actor) -> bool:
    """Whether nothing is hidden from the actor: `runs:view` reads every conversation of the organisation."""
    return access.may(actor, Permission.RUNS_VIEW)


def words_hidden_from(actor: Actor) -> Q:
    """The revisions whose text the actor may not read."""
    if reads_every_word(actor):
        return Q(pk__in=[])
    return Q(conversation_text=True) & ~Q(Exists(_open_to(actor).filter(pk=OuterRef("case_id"))))


def reading_mark(actor: Actor, dataset: Dataset) -> str:
    """What changes when text of the dataset is erased, or when the actor may read more or less of it than before.

    A copy that a browser keeps of an unsaved case carries it; one with another mark is dropped unseen (ACC-D37).
    """
    everything = reads_every_word(actor)
    told = f"{dataset.text_removed_at} {everything}"
    if not everything:
        cases = _open_to(actor).filter(dataset=dataset).order_by("pk").values_list("pk", flat=True)
        told += "".join(f" {case_id}" for case_id in cases)
    return sha256(told.encode()).hexdigest()[:12]


def _open_to(actor: Actor) -> QuerySet[Case]:
    """The cases whose original conversation the actor may open.

    Each case looks its conversation up by id. Left to choose, a database without statistics begins with every
    conversation of the organisation and asks for the cases of each; it may not turn a `CASE` into such a join.
    """
    theirs = Exists(readable_conversations(actor).order_by().filter(pk=OuterRef("conversation_id")))
    return Case.objects.filter(Either(When(theirs, then=Value(True)), default=Value(False)))

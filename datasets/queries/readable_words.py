"""Whether somebody may read words that were copied from a conversation: the one place that decides it (ACC-25)."""

from hashlib import sha256

from django.db.models import Q

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from datasets.models import CaseRevision, Dataset

# The rule is said twice, for a row that is loaded and as a condition on rows: whatever changes one changes the other.


def reads_every_word(actor: Actor) -> bool:
    """Whether nothing is hidden from the actor: `runs:view` reads every conversation of the organisation."""
    return access.may(actor, Permission.RUNS_VIEW)


def may_read_words(actor: Actor, revision: CaseRevision) -> bool:
    """Whether the actor may read the text of this revision, of whatever version (ACC-27); asks no database."""
    return not revision.conversation_text or reads_every_word(actor)


def words_hidden_from(actor: Actor) -> Q:
    """The revisions whose text the actor may not read."""
    return Q(pk__in=[]) if reads_every_word(actor) else Q(conversation_text=True)


def reading_mark(actor: Actor, dataset: Dataset) -> str:
    """What changes when text of the dataset is erased, or when the actor may read more or less of it than before.

    A copy that a browser keeps of an unsaved case carries it; one with another mark is dropped unseen (ACC-D37).
    """
    return sha256(f"{dataset.text_removed_at} {reads_every_word(actor)}".encode()).hexdigest()[:12]

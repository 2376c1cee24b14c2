"""The messages around a run: its own steps, the rest of its conversation, and what people thought of them."""

from dataclasses import dataclass
from functools import cached_property

from django.db.models import Prefetch, Q, QuerySet

from activity.logic.run_parts import Parts, parts_of
from activity.models import Feedback, Message, Run

RATINGS = Prefetch("feedback", Feedback.objects.select_related("person__member__user").order_by("changed_at", "pk"))
# The rest of a conversation is for context: the nearest messages on either side, and a link to the whole.
NEAR = 40


@dataclass(frozen=True)
class RunMessages:
    """A conversation around one run; `own` begins with the question where it is stored. `more` is left out."""

    before: list[Message]
    own: list[Message]
    after: list[Message]
    more: bool = False

    @cached_property
    def parts_before(self) -> Parts[Message]:
        return parts_of(self.before)

    @cached_property
    def parts(self) -> Parts[Message]:
        return parts_of(self.own)

    @cached_property
    def parts_after(self) -> Parts[Message]:
        return parts_of(self.after)

    @property
    def ratings(self) -> list[Feedback]:
        """What people thought of the run's answer, the oldest first."""
        return [found for message in self.own for found in message.feedback.all()]


def messages_of(run: Run) -> list[Message]:
    """The run's own messages in order, with their ratings; none where it is a helper's (ACC-24)."""
    return list(_read(Message.objects.filter(run=run)).order_by("position"))


def around(run: Run) -> RunMessages:
    """The run's own messages and the nearest of its conversation before and after, with their ratings."""
    own = messages_of(run)
    if run.conversation_id is None or not own:
        return RunMessages([], own, [])
    others = _read(Message.objects.filter(~Q(run=run) | Q(run=None), conversation_id=run.conversation_id))
    before = list(others.filter(position__lt=own[0].position).order_by("-position")[: NEAR + 1])
    after = list(others.filter(position__gt=own[0].position).order_by("position")[: NEAR + 1])
    more = len(before) > NEAR or len(after) > NEAR
    return RunMessages(before[:NEAR][::-1], own, after[:NEAR], more)


def _read(found: QuerySet[Message]) -> QuerySet[Message]:
    return found.select_related("author__member__user").prefetch_related(RATINGS)

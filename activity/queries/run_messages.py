"""The messages around a run: its own steps, the rest of its conversation, and what people thought of them."""

from dataclasses import dataclass

from django.db.models import Prefetch

from activity.models import Feedback, Message, MessageRole, Run

STEPS = (MessageRole.ASSISTANT, MessageRole.TOOL)
RATINGS = Prefetch("feedback", Feedback.objects.select_related("person__member__user").order_by("created_at", "pk"))


@dataclass(frozen=True)
class RunMessages:
    """A conversation cut in three around one run; `own` begins with the question where it is stored."""

    before: list[Message]
    own: list[Message]
    after: list[Message]


def messages_of(run: Run) -> list[Message]:
    """The run's own messages in order, with their ratings; none where it is a helper's (ACC-24)."""
    found = Message.objects.filter(run=run).order_by("position")
    return list(found.prefetch_related(RATINGS))


def around(run: Run) -> RunMessages:
    """The whole conversation of the run, cut at its own messages; all of it is before where the run kept none."""
    if run.conversation_id is None:
        return RunMessages([], messages_of(run), [])
    found = Message.objects.filter(conversation_id=run.conversation_id).order_by("position")
    rows = list(found.select_related("author__member__user").prefetch_related(RATINGS))
    own = [row for row in rows if row.run_id == run.pk]
    if not own:
        return RunMessages(rows, [], [])
    first, last = own[0].position, own[-1].position
    return RunMessages(
        [row for row in rows if row.position < first],
        [row for row in rows if first <= row.position <= last],
        [row for row in rows if row.position > last],
    )

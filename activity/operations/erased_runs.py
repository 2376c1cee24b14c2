"""Replacing the words of single runs, whoever started them: what was asked in them is gone elsewhere too (EV-21)."""

from collections.abc import Collection
from uuid import UUID

from activity.models import Conversation, Message, Run, TraceSpan
from activity.operations.erasure import without_words
from core.folding import fold
from core.texts import ERASED_TEXT

BATCH = 200


def erase_words_of_runs(run_ids: Collection[UUID]) -> int:
    """Replace question, answer, calls and errors of these runs, with all that was said in their conversations; how
    many runs were reached.

    For runs that have a conversation of their own, as those of test runs do (EV-D13). Call it inside the transaction
    that replaces what was asked. Which tools were called, times and costs stay.
    """
    keys = sorted(run_ids)
    return sum(_erase(keys[start : start + BATCH]) for start in range(0, len(keys), BATCH))


def _erase(run_ids: list[UUID]) -> int:
    rows = Run.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=run_ids).order_by("pk")
    runs = list(rows.only("pk", "conversation_id", "question", "error"))
    for run in runs:
        run.question = ERASED_TEXT if run.question else ""
        run.question_folded = fold(run.question)
        run.error = ERASED_TEXT if run.error else ""
    Run.objects.bulk_update(runs, ["question", "question_folded", "error"], batch_size=BATCH)
    talks = {run.conversation_id for run in runs if run.conversation_id}
    said = [without_words(message) for message in Message.objects.filter(conversation__in=talks).order_by("pk")]
    Message.objects.bulk_update(said, ["text", "tool_calls"], batch_size=BATCH)
    Conversation.objects.filter(pk__in=talks).exclude(title="").update(title=ERASED_TEXT)
    TraceSpan.objects.filter(run__in=[run.pk for run in runs]).delete()
    return len(runs)

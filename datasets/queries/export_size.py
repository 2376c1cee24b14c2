"""What an export will hold, to say before it is made: about how large it is (DS-D51), and copied texts (ACC-D22)."""

from typing import NamedTuple

from django.db.models import Count, F, Sum
from django.db.models.functions import Coalesce, Length

from accounts.actor import Actor
from datasets.logic.texts import HIDDEN_TEXT
from datasets.models import CaseRevision, Dataset
from datasets.queries.readable_words import words_hidden_from

TEXTS = ("input", "reference_answer", "counter_example", "note", "history", "expected_tool_calls", "checks", "tag_keys")
MARKED = TEXTS[:4]


class CopiedTexts(NamedTuple):
    """How many cases hold text copied from a conversation, and in how many of those the reader gets markers."""

    cases: int
    hidden: int


def characters_of(actor: Actor, dataset: Dataset, number: int) -> int:
    """The characters of all texts of a version together, as the actor gets them; two queries, one where none is hidden.

    Hidden texts count as their markers: their length is nothing the actor may know.
    """
    one = sum((Coalesce(Length(F(name)), 0) for name in TEXTS[1:]), Length(F(TEXTS[0])))
    rows, hidden = CaseRevision.objects.at(dataset, number), words_hidden_from(actor)
    readable = rows.filter(~hidden).aggregate(characters=Sum(one))["characters"] or 0
    markers = rows.filter(hidden).aggregate(**{name: Count(name) for name in MARKED})
    return readable + len(HIDDEN_TEXT) * sum(count or 0 for count in markers.values())


def copied_texts(actor: Actor, dataset: Dataset, number: int) -> CopiedTexts:
    """How many texts of a version were copied from conversations, and how many are hidden from the actor."""
    rows = CaseRevision.objects.at(dataset, number).filter(conversation_text=True)
    counts = rows.aggregate(cases=Count("pk"), hidden=Count("pk", filter=words_hidden_from(actor)))
    return CopiedTexts(counts["cases"] or 0, counts["hidden"] or 0)

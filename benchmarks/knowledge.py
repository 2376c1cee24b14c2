"""What a search costs among a hundred thousand passages, beside the scan that it spares (PL-24)."""

import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import accumulate
from operator import or_
from typing import Any

from django.db import connection
from django.db.models import Q

from agents.models import Document, KnowledgeBase, Passage
from agents.queries.passages import search_knowledge
from benchmarks.measuring import analyse
from benchmarks.people import owner
from core.full_text import indexed_words, question_words
from core.limits import LIMITS

PASSAGES, DOCUMENTS, WORDS, VOCABULARY, REPEATS = 100_000, 1_000, 170, 20_000, 7
BATCH = 2_000
COMMON = "the of and to a in is it you that he was for on are as with they be at".split()
QUESTIONS = {
    "one rare word": "w19998",
    "a question of ten words, two of them telling": "what is the w9000 of the w15000 that you are at",
    "a question of frequent words alone": "is it that you are the one to be with they",
    "a word that every third passage has": "w12",
    "five words that many passages have": "w12 w20 w30 w50 w80",
}


def main() -> None:
    """Print milliseconds of a search and of a LIKE scan for the same words, and how many times faster it is."""
    actor = owner()
    base = KnowledgeBase.objects.create(organisation=actor.organisation, owner=actor.member, name="Large")  # type: ignore[misc]
    small = KnowledgeBase.objects.create(organisation=actor.organisation, owner=actor.member, name="Small")  # type: ignore[misc]
    began = time.perf_counter()
    fill(base, DOCUMENTS, PASSAGES)
    fill(small, 10, 1_000)
    analyse()
    print(f"database: {connection.vendor}; {PASSAGES:,} passages stored in {time.perf_counter() - began:.0f} s")
    print(f"medians of {REPEATS} in ms\n\n{'':48}{'search':>10}{'LIKE scan':>12}{'times':>8}")
    for what, question in QUESTIONS.items():
        search = measured(lambda question=question: search_knowledge([base.pk], question))
        scan = measured(lambda question=question: scanned(base, question), repeats=3)
        print(f"{what:48}{search:10.1f}{scan:12.1f}{scan / search:8.1f}")
    rare = measured(lambda: search_knowledge([small.pk], QUESTIONS["a question of ten words, two of them telling"]))
    print(f"{'the same question in a base of 1,000 beside it':48}{rare:10.1f}")


def fill(base: KnowledgeBase, documents: int, passages: int) -> None:
    """So many passages of words whose frequency falls with their rank, as in any language."""
    made = Document.objects.bulk_create(
        Document(
            knowledge_base=base,
            name=f"d{number}.txt",
            name_folded=f"d{number}.txt",
            kind="text",
            bytes=1,
            characters=1,
            passage_count=passages // documents,
            sha256=f"{number:064}",
        )
        for number in range(documents)
    )
    rows = _rows(base, made, passages)
    while batch := [row for _number, row in zip(range(BATCH), rows, strict=False)]:
        Passage.objects.bulk_create(batch)


def scanned(base: KnowledgeBase, question: str) -> list[Any]:
    """What there would be without an index: passages whose words hold one of the question's."""
    holding = reduce(or_, [Q(words__contains=word) for word in question_words(question)])
    return list(Passage.objects.filter(holding, knowledge_base=base).values("pk")[: LIMITS.passages_found * 10_000])


def measured(act: Callable[[], Any], repeats: int = REPEATS) -> float:
    """The median in milliseconds, the first time left out."""
    act()
    return statistics.median(_timed(act) for _turn in range(repeats))


def _timed(act: Callable[[], Any]) -> float:
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def _rows(base: KnowledgeBase, documents: list[Document], passages: int) -> Iterator[Passage]:
    chance = random.Random(7)
    vocabulary = COMMON + [f"w{number}" for number in range(VOCABULARY)]
    shares = list(accumulate(1 / (rank + 3) for rank in range(len(vocabulary))))
    for number in range(passages):
        text = " ".join(chance.choices(vocabulary, cum_weights=shares, k=WORDS))
        yield Passage(
            document=documents[number % len(documents)],
            knowledge_base=base,
            position=number // len(documents) + 1,
            text=text,
            words=indexed_words(text),
        )

"""What of a file's cases a dataset holds already: the same question, or the same case word for word (DS-D33, BC-13)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from accounts.actor import Actor
from datasets.logic.drafts import CaseDraft
from datasets.logic.folding import question_hash
from datasets.logic.written_case import WrittenCase, written
from datasets.models import CaseRevision, Dataset
from datasets.queries.case_rows import BATCH, CaseRows


@dataclass(frozen=True)
class Compared:
    """A case of a file: whether another case asks the same, and whether the newest version has it word for word.

    Each case there stands for one of the file, so of two equal ones beside one that is there the second is new.
    """

    draft: CaseDraft
    is_twin: bool
    is_there: bool


def compare(actor: Actor, dataset: Dataset, drafts: Sequence[CaseDraft]) -> list[Compared]:
    """The file's cases beside those of the newest version, as the actor may see them, and the earlier ones of the file.

    Word for word means all nine fields in the form of an export, so that `1` and `1.0` differ.
    """
    hashes = [question_hash(draft.input) for draft in drafts]
    asked, held = _held(actor, dataset, set(hashes))
    compared = []
    for draft, key in zip(drafts, hashes, strict=True):
        form = written(draft) if key in asked else None
        is_there = form is not None and held[form] > 0
        if form is not None and is_there:
            held[form] -= 1
        compared.append(Compared(draft, key in asked, is_there))
        asked.add(key)
    return compared


def _held(actor: Actor, dataset: Dataset, hashes: set[str]) -> tuple[set[str], Counter[WrittenCase]]:
    """Which of the questions the newest version asks, and how often it has each of their cases."""
    asked: set[str] = set()
    held: Counter[WrittenCase] = Counter()
    keys = sorted(hashes)
    for start in range(0, len(keys), BATCH):
        rows = CaseRevision.objects.newest(dataset).filter(question_hash__in=keys[start : start + BATCH])
        there = set(rows.values_list("question_hash", flat=True))
        if there:
            asked |= there
            held.update(CaseRows(actor, rows.in_order(), dataset.newest_version).written())
    return asked, held

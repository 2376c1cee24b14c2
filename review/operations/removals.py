"""Taking erased people's names off review, and what is kept there of the words of an answer (ACC-D35, ACC-D36)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import Person
from review.models import Decision, MadeCriterion, Stay

BATCH = 500
NAMES = {"names_on_review": Stay, "names_on_decisions": Decision, "names_on_made_criteria": MadeCriterion}


def erase_names_of(person: Person) -> dict[str, int]:
    """Their name goes from what they sent, decided and made; the answers, decisions and criteria stay (RV-61).

    Safe to repeat.
    """
    if not person.member_id:
        return dict.fromkeys(NAMES, 0)
    return {name: _take_off(model._default_manager.filter(by=person.member_id)) for name, model in NAMES.items()}


def clear_words_about(score_ids: Sequence[UUID]) -> None:
    """Notes and criteria made of them may quote the answer, so they go with it; what was decided stays (ACC-D36).

    Called in the transaction that clears the words of the scores, which it has locked.
    """
    Decision.objects.filter(score__in=score_ids).exclude(note="").update(note="")
    MadeCriterion.objects.filter(score__in=score_ids).exclude(criterion="").update(criterion="")


def _take_off(rows: QuerySet[Any]) -> int:
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        rows.model._default_manager.filter(pk__in=keys[start : start + BATCH]).update(by=None)
    return len(keys)

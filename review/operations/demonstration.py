"""The demonstration's review: some answers that people decided, one of them against the grading, and one that waits.

Which answers there are and what grading found of them comes from the demonstration's scores; only the rulings and their
notes are written down (PL-50).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accounts.actor import Actor
from datasets.logic.folding import question_hash
from datasets.models import CaseRevision
from datasets.queries.datasets import visible_datasets
from review.models import Decision
from review.operations.deciding import decide
from review.operations.sending import send_to_review
from scoring.models import Score

FILE = Path(__file__).parent.parent / "demonstration" / "decisions.json"


def load_decisions(actor: Actor) -> int:
    """Decide and send where nobody has decided yet; how many answers were decided. A second time does nothing."""
    if Decision.objects.filter(score__organisation=actor.organisation_id).exists():
        return 0
    return sum(_decided(actor, one) for one in json.loads(FILE.read_text()))


def _decided(actor: Actor, wanted: Mapping[str, Any]) -> bool:
    """Whether the answer is there and was decided; one without a decision is sent to review."""
    score = _newest(actor, wanted)
    if score is None:
        return False
    if "decision" not in wanted:
        send_to_review(actor, dataset_id=score.dataset_id, score_ids=[score.pk])
        return False
    given = {"decision": wanted["decision"], "note": wanted["note"], "revision": 0}
    decide(actor, dataset_id=score.dataset_id, score_id=score.pk, **given)
    return True


def _newest(actor: Actor, wanted: Mapping[str, Any]) -> Score | None:
    """The newest answer to this question of which grading found what the ruling speaks of."""
    dataset = visible_datasets(actor).filter(name=wanted["dataset"]).first()
    if dataset is None:
        return None
    cases = CaseRevision.objects.newest(dataset).filter(question_hash=question_hash(wanted["question"]))
    scores = Score.objects.filter(dataset=dataset, case__in=cases.values("case"), outcome=wanted["found"], decided="")
    return scores.order_by("-created_at", "-pk").first()

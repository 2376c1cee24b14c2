"""The answers on which a person and the judge said different things, as one reader may know them (RV-D34, RV-75)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from accounts.actor import Actor
from datasets.models import Dataset
from review.logic.agreement import Kind
from review.logic.judge_agreement import DecidedAnswer
from review.logic.judged import PartKey
from scoring.models import Score
from scoring.queries.score_rows import ScoreRow, score_rows, sight_of
from scoring.queries.scores import ScoreFilter, scores_of


@dataclass(frozen=True)
class Disagreement:
    """One of them: its row, what the judge said, and what the person did."""

    row: ScoreRow
    verdict: str
    decided: str
    kind: Kind | None


def readable_of(actor: Actor, answers: Sequence[DecidedAnswer]) -> list[DecidedAnswer]:
    """Those whose findings the actor may read: a verdict on one criterion is a part of them, as an outcome is not."""
    rows: Any = answers  # they hold what says who may read a score
    sight = sight_of(actor, rows)
    return [answer for answer in rows if sight.may_read(answer)]


def disagreement_rows(
    actor: Actor, dataset: Dataset, answers: Sequence[DecidedAnswer], part: PartKey | None
) -> list[Disagreement]:
    """A page of them in their order; few queries, however many they are."""
    found = {
        score.pk: score for score in scores_of(actor, dataset, ScoreFilter()).filter(pk__in=[a.id for a in answers])
    }
    kept = [answer for answer in answers if answer.id in found]
    scores: list[Score] = [found[answer.id] for answer in kept]
    return [
        Disagreement(row, answer.verdict_on(part), answer.decided, answer.kind_on(part))
        for row, answer in zip(score_rows(actor, scores), kept, strict=True)
    ]

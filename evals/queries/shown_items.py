"""Cases of a test run with their attempts, whole, as one reader may know them: for files and for the API (EV-D59)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from accounts.actor import Actor
from datasets.models import CaseRevision
from datasets.queries.seen_cases import SeenCase, seen_rows
from evals.logic.classes import CaseChange
from evals.logic.run_results import ItemResult, StoredAttempt
from evals.models import EvalRun
from scoring.models import Score
from scoring.queries.readable_scores import ReadableScore
from scoring.queries.reason_words import in_words
from scoring.queries.score_rows import Sight, marks_of, readable_row, sight_of
from scoring.queries.told_reasons import reasons_of


@dataclass(frozen=True)
class RunSight:
    """What one actor may read of one run, asked once: `reads` its answers and reasons, `sees_agent` by name."""

    scores: Sight
    reads: bool
    sees_agent: bool


@dataclass(frozen=True)
class ShownAttempt:
    """An attempt; `score` is None where there is none, or it is gone. `error` and reasons are in words."""

    attempt: StoredAttempt
    score: ReadableScore | None
    reads: bool

    @property
    def is_readable(self) -> bool:
        return self.score.is_readable if self.score else self.reads

    @property
    def error(self) -> str:
        """Why there is no answer; only that there is none for who may not read more."""
        if self.attempt.state != "error":
            return ""
        why = self.attempt.why if self.is_readable else self.attempt.unscored_because
        return in_words(why or self.attempt.unscored_because)

    @property
    def unscored_because(self) -> str:
        """Why it has no verdict; the words of the score only for who may read them."""
        if self.attempt.has_score and self.attempt.state == "done" and not self.is_readable:
            return ""
        return in_words(self.attempt.unscored_because)

    @property
    def reasons(self) -> list[str]:
        """What it failed by, or has no verdict for, each in a sentence; none for who may not read them."""
        return reasons_of(self.score) if self.score else []


@dataclass(frozen=True)
class ShownItem:
    """A case of the run; `change` is None without a baseline."""

    item: ItemResult
    case: SeenCase
    attempts: Sequence[ShownAttempt]
    change: CaseChange | None = None

    @property
    def first(self) -> list[ShownAttempt]:
        """Those that count for the result."""
        return [one for one in self.attempts if not one.attempt.is_confirming]

    @property
    def reasons(self) -> list[str]:
        """Why the case has the result that it has: of its attempts of that outcome, each sentence once."""
        told: list[str] = []
        for one in self.first:
            if one.attempt.final_outcome == self.item.result != "pass":
                told += [one.unscored_because, one.error, *one.reasons]
        return [sentence for sentence in dict.fromkeys(told) if sentence]


def sight_of_run(actor: Actor, run: EvalRun) -> RunSight:
    """What the actor, who may see the run, may read of it; one query at the most."""
    like = Score(agent_id=run.agent_id, has_agent=run.has_agent)
    sight = sight_of(actor, [like])
    return RunSight(sight, sight.may_read(like), sight.sees_agent(like))


def shown_items(
    actor: Actor,
    run: EvalRun,
    items: Sequence[ItemResult],
    sight: RunSight,
    changes: Mapping[UUID, CaseChange] | None = None,
) -> list[ShownItem]:
    """The cases in their order, two queries in all. One whose revision is gone, with its dataset, is left out."""
    revisions = list(CaseRevision.objects.filter(pk__in=[one.revision_id for one in items]).select_related("case"))
    seen = seen_rows(actor, revisions, version=run.version)
    cases = {row.pk: case for row, case in zip(revisions, seen, strict=True)}
    scores = _scores(sight.scores, items)
    known = changes or {}
    return [
        ShownItem(one, cases[one.revision_id], _attempts(one, scores, sight), known.get(one.case_id))
        for one in items
        if one.revision_id in cases
    ]


@dataclass(frozen=True)
class Batches:
    """The cases of a run, some at a time, so that never more than some answers are in memory at once."""

    items: Sequence[ItemResult]
    attempts: int

    def __iter__(self) -> Iterator[Sequence[ItemResult]]:
        start = size = 0
        for place, one in enumerate(self.items):
            if size and size + len(one.attempts) > self.attempts:
                yield self.items[start:place]
                start, size = place, 0
            size += len(one.attempts) or 1
        if self.items:
            yield self.items[start:]


def _attempts(item: ItemResult, scores: Mapping[UUID, ReadableScore], sight: RunSight) -> tuple[ShownAttempt, ...]:
    return tuple(
        ShownAttempt(one, scores.get(one.score_id) if one.score_id else None, sight.reads) for one in item.attempts
    )


def _scores(sight: Sight, items: Sequence[ItemResult]) -> dict[UUID, ReadableScore]:
    ids = [one.score_id for item in items for one in item.attempts if one.score_id]
    rows = Score.objects.filter(pk__in=ids) if ids else ()
    return {row.pk: ReadableScore(readable_row(sight, row), None, **marks_of(sight, row, None)) for row in rows}

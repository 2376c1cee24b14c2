"""The cases of a comparison as one reader may know them: a page of the list, and one case with both answers whole."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from accounts.actor import Actor
from core.errors import NotFound
from datasets.models import CaseRevision
from datasets.queries.readable_words import reading_of
from datasets.queries.seen_cases import SeenCase, seen_as
from evals.logic.classes import CaseChange
from evals.logic.compared_cases import ComparedCase
from evals.logic.item_list import telling_attempt
from evals.logic.run_results import ItemResult, StoredAttempt, changes_between
from evals.models import EvalRun
from evals.queries.item_rows import why_of
from evals.queries.results import results_of
from evals.queries.shown_items import RunSight, sight_of_run
from scoring.models import Score
from scoring.queries.readable_scores import ReadableScore, readable_scores


@dataclass(frozen=True)
class ComparedRow:
    """One case of the list; `case` is as it was asked last."""

    compared: ComparedCase
    case: SeenCase | None

    @property
    def change(self) -> CaseChange:
        return self.compared.change


@dataclass(frozen=True)
class ComparedSide:
    """One case in one of the two runs, with the attempt that is read; the reader may read its words or not.

    `score` is None where the attempt has none. `why` says why there is no verdict.
    """

    run: EvalRun
    item: ItemResult
    case: SeenCase | None
    attempt: StoredAttempt | None
    score: ReadableScore | None
    reads: bool
    why: str = ""

    @property
    def is_readable(self) -> bool:
        return self.score.is_readable if self.score else self.reads

    @property
    def answer(self) -> str | None:
        """None where there is none to be read."""
        if self.score is None or not self.score.is_readable or self.score.answer_removed_at is not None:
            return None
        return self.score.answer


@dataclass(frozen=True)
class ShownComparedCase:
    """One case in both runs; None for the run that it is not in."""

    change: CaseChange
    before: ComparedSide | None
    after: ComparedSide | None

    @property
    def sides(self) -> list[ComparedSide]:
        return [side for side in (self.before, self.after) if side]

    @property
    def case(self) -> SeenCase | None:
        """As it was asked last."""
        return self.sides[-1].case

    @property
    def shows_difference(self) -> bool:
        """Whether both answers are there to be read side by side."""
        return all(side and side.answer is not None for side in (self.before, self.after))


def compared_rows(actor: Actor, before: EvalRun, after: EvalRun, page: Sequence[ComparedCase]) -> list[ComparedRow]:
    """The rows of a page with their questions; two queries, however many they are."""
    wanted = {one.newest.revision_id: (after if one.after else before).version for one in page}
    cases = _seen(actor, wanted)
    return [ComparedRow(one, cases.get(one.newest.revision_id)) for one in page]


def compared_case(
    actor: Actor, before: EvalRun, after: EvalRun, case_id: UUID, numbers: tuple[int, int] = (0, 0)
) -> ShownComparedCase:
    """One case, read by the attempts of these numbers or by the most telling ones. Raises `NotFound`.

    Reads the case alone, however large the runs are. What may be read of each answer is asked for each (EV-D53).
    """
    runs = (before, after)
    found = [results_of(run, [case_id]) for run in runs]
    change = changes_between(*found).get(case_id)
    if change is None:
        raise NotFound
    items = [results.by_case.get(case_id) for results in found]
    attempts = [_chosen(item, number) if item else None for item, number in zip(items, numbers, strict=True)]
    scores = _scores(actor, attempts)
    cases = _seen(actor, {item.revision_id: run.version for run, item in zip(runs, items, strict=True) if item})
    sides = [
        _side(run, item, attempt, scores, cases, sight_of_run(actor, run)) if item else None
        for run, item, attempt in zip(runs, items, attempts, strict=True)
    ]
    return ShownComparedCase(change, *sides)


def _side(
    run: EvalRun,
    item: ItemResult,
    attempt: StoredAttempt | None,
    scores: Mapping[UUID, ReadableScore],
    cases: Mapping[int, SeenCase],
    sight: RunSight,
) -> ComparedSide:
    score = scores.get(attempt.score_id) if attempt and attempt.score_id else None
    reads = score.is_readable if score else sight.reads
    why = why_of(attempt) if attempt and reads else ""
    return ComparedSide(run, item, cases.get(item.revision_id), attempt, score, sight.reads, why)


def _chosen(item: ItemResult, number: int) -> StoredAttempt | None:
    return next((one for one in item.attempts if one.number == number), None) or telling_attempt(item)


def _scores(actor: Actor, attempts: Iterable[StoredAttempt | None]) -> dict[UUID, ReadableScore]:
    ids = [one.score_id for one in attempts if one and one.score_id]
    rows = Score.objects.filter(pk__in=ids).select_related("agent", "agent_version", "snapshot", "asked_by__user")
    found = readable_scores(actor, list(rows.defer("agent__draft", "agent_version__spec"))) if ids else []
    return {score.id: score for score in found}


def _seen(actor: Actor, versions: Mapping[int, int]) -> dict[int, SeenCase]:
    """These revisions as the actor may see them, each in its version."""
    rows = list(CaseRevision.objects.filter(pk__in=versions).select_related("case"))
    reading = reading_of(actor, (row.case for row in rows))
    return {row.pk: seen_as(reading, row, version=versions[row.pk]) for row in rows}

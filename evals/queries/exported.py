"""A test run as files hold it: a row an attempt, a test a case, and a summary, as the reader may see it (EV-D57)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils import translation
from django.utils.translation import gettext as _

from accounts.actor import Actor
from evals.logic.classes import CaseChange, ChangeClass, count_changes
from evals.logic.export_rows import ExportRow
from evals.logic.junit import JUnitCase
from evals.logic.markdown_summary import MOST_REGRESSED, RegressedCase, Summary
from evals.logic.run_results import ItemResult, RunResults, changes_between
from evals.models import AttemptKind, EvalRun
from evals.queries.calibrations import calibration_of_run
from evals.queries.results import results_of
from evals.queries.shown_items import Batches, RunSight, ShownAttempt, ShownItem, shown_items, sight_of_run
from scoring.logic.copies import call_as_json
from scoring.queries.calibrations import calibration_in_words

# So many attempts with their texts are in memory at once.
BATCH = 200


@dataclass(frozen=True)
class ExportedRun:
    """A run with its results as they were when the file was asked for; texts are read while it is sent.

    `before` and `changes` are None without a baseline. `language` is the reader's: rows are made after the request.
    """

    actor: Actor
    run: EvalRun
    results: RunResults
    sight: RunSight
    before: RunResults | None
    changes: Mapping[UUID, CaseChange] | None
    language: str

    @property
    def name(self) -> str:
        """The run as people call it."""
        words = _("%(dataset)s, test run %(number)d") % {"dataset": self.run.dataset.name, "number": self.run.number}
        return f"{words}: {self.run.label}" if self.run.label else words

    @property
    def seconds(self) -> float | None:
        """How long it took."""
        if self.run.started_at is None or self.run.finished_at is None:
            return None
        return max(0.0, (self.run.finished_at - self.run.started_at).total_seconds())

    def rows(self) -> Iterator[ExportRow]:
        """One an attempt, case by case in the order of the dataset (EV-D58)."""
        for item in self._shown():
            with translation.override(self.language):
                rows = [self._row(item, one) for one in item.attempts]
            yield from rows

    def tests(self) -> Iterator[JUnitCase]:
        """One a case."""
        for item in self._shown():
            with translation.override(self.language):
                reasons = item.reasons
            seconds = [one.attempt.seconds for one in item.first if one.attempt.seconds is not None]
            yield JUnitCase(
                item.case.id_text, item.case.content.input, item.item.result, reasons, sum(seconds) if seconds else None
            )

    def summary(self, url: str) -> Summary:
        """For a pull request: of the regressed cases those that it names, confirmed ones first."""
        counts = count_changes(self.changes.values()) if self.changes is not None else None
        named = self._regressed()[:MOST_REGRESSED]
        calibration = calibration_of_run(self.run, self.results)
        shown = shown_items(self.actor, self.run, named, self.sight, self.changes)
        return Summary(
            name=self.name,
            url=url,
            cases=self.results.tally,
            before=self.before.tally if self.before else None,
            changes=counts,
            judge=calibration_in_words(calibration) if calibration else "",
            regressed=[
                RegressedCase(one.case.content.input, one.reasons, one.change is not None and one.change.is_confirmed)
                for one in shown
            ],
        )

    def _regressed(self) -> list[ItemResult]:
        known = self.changes or {}
        found = [
            one
            for one in self.results.items
            if one.case_id in known and known[one.case_id].change is ChangeClass.REGRESSED
        ]
        return sorted(found, key=lambda one: not known[one.case_id].is_confirmed)

    def _shown(self) -> Iterator[ShownItem]:
        """Every case. A file must break off rather than end as if it were whole where the dataset was deleted."""
        for batch in Batches(self.results.items, BATCH):
            shown = shown_items(self.actor, self.run, batch, self.sight, self.changes)
            if len(shown) < len(batch):
                raise RuntimeError("cases of the test run are gone")
            yield from shown

    def _row(self, item: ShownItem, shown: ShownAttempt) -> ExportRow:
        one, score = shown.attempt, shown.score
        is_named = self.sight.sees_agent
        answer, calls = (score.answer, score.calls) if score and score.is_readable else (None, None)
        return ExportRow(
            eval_run=self.run.id_text,
            case_id=item.case.id_text,
            case_revision=item.case.revision,
            number=one.number,
            kind=(AttemptKind.CONFIRM if one.is_confirming else AttemptKind.FIRST).value,
            tags=item.item.tags,
            outcome=one.outcome,
            final_outcome=one.final_outcome,
            change=item.change.change.value if item.change else "",
            score=one.score,
            evaluators=_evaluators(shown),
            reasons=shown.reasons,
            input=item.case.content.input,
            answer=answer,
            tool_calls=None if calls is None else [call_as_json(call) for call in calls],
            cost=one.cost,
            judge_cost=one.judge_cost,
            seconds=one.seconds,
            agent=self.run.agent.name if is_named and self.run.agent else "",
            agent_version=self.run.agent_version.number if is_named and self.run.agent_version else None,
            model=one.model if is_named or shown.is_readable else "",
            judge_model=(score.pin.model if score and score.pin else None) or "",
            error=shown.error,
        )


def exported(actor: Actor, run: EvalRun) -> ExportedRun:
    """The run, which the actor may see, as files hold it; five statements before the first row, and two a batch."""
    results = results_of(run)
    before = results_of(run.baseline) if run.baseline else None
    changes = changes_between(before, results) if before else None
    return ExportedRun(
        actor, run, results, sight_of_run(actor, run), before, changes, translation.get_language() or "en"
    )


def _evaluators(shown: ShownAttempt) -> dict[str, tuple[float | None, str]]:
    results = [one.result for one in shown.score.results] if shown.score else []
    return {one.evaluator.value: (one.number, one.state.value) for one in results}

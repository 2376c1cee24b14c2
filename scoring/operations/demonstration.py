"""The demonstration's grading: settings, runs scored against cases, and answers of another tool (PL-50).

Every outcome is what the rules found just now; the judge is off, since no model answers in a demonstration.
"""

import json
from pathlib import Path
from uuid import UUID

from django.db.models import QuerySet

from accounts.actor import Actor
from activity.models import Run, RunStatus
from datasets.logic.folding import question_hash
from datasets.models import CaseRevision, Dataset
from datasets.queries.datasets import visible_datasets
from scoring.models import Score
from scoring.operations.grading import grade_scores
from scoring.operations.scores import score_run
from scoring.operations.settings import change_scoring
from scoring.operations.stored_answers import read_answer_file, score_stored_answers
from scoring.queries.settings import settings_of

FOLDER = Path(__file__).parent.parent / "demonstration"
RUNS_OF_A_DATASET = 24


def load_scores(actor: Actor) -> int:
    """Set up grading where nobody has, score and grade; how many answers were graded. A second time does nothing."""
    wanted = json.loads((FOLDER / "settings.json").read_text())
    waiting: list[UUID] = []
    for name, settings in wanted.items():
        dataset = visible_datasets(actor).filter(name=name).first()
        if dataset is None or settings_of(dataset).are_saved:
            continue
        change_scoring(actor, dataset_id=dataset.pk, changes=settings)
        waiting += _scored_runs(actor, dataset)
        waiting += _stored_answers(actor, dataset)
    grade_scores(waiting)
    return len(waiting)


def _scored_runs(actor: Actor, dataset: Dataset) -> list[UUID]:
    """Runs that ask what a case without earlier turns asks, each scored against that case."""
    cases = CaseRevision.objects.newest(dataset).filter(history=[]).values_list("question_hash", "case_id")
    by_question = dict(cases)
    found: list[UUID] = []
    for run in _runs(actor, dataset):
        case_id = by_question.get(question_hash(run.question))
        if case_id and len(found) < RUNS_OF_A_DATASET:
            found.append(score_run(actor, dataset_id=dataset.pk, run_id=run.pk, case_id=case_id).pk)
    return found


def _runs(actor: Actor, dataset: Dataset) -> QuerySet[Run]:
    """The newest first; of the agent that is called as its dataset."""
    done = Run.objects.filter(organisation_id=actor.organisation_id, status=RunStatus.COMPLETED)
    return done.filter(agent__name=dataset.name).only("question").order_by("-started_at", "-pk")


def _stored_answers(actor: Actor, dataset: Dataset) -> list[UUID]:
    found: list[UUID] = []
    for one in json.loads((FOLDER / "answers.json").read_text()):
        if one["dataset"] == dataset.name:
            data = (FOLDER / one["file"]).read_bytes()
            answers = read_answer_file(actor, dataset_id=dataset.pk, name=one["file"], data=data)
            made = score_stored_answers(actor, dataset_id=dataset.pk, answers=answers, label=one["label"])
            found += Score.objects.filter(answer_set=made).order_by("pk").values_list("pk", flat=True)
    return found

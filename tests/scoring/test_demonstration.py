"""The demonstration's grading: real outcomes of the rules, made once."""

import pytest

from activity.operations.demonstration import load_runs
from agents.operations.demonstration import load_agents
from datasets.models import Dataset
from datasets.operations.demonstration import load_demonstration
from scoring.models import AnswerSet, Score, ScoreOrigin, ScoreState
from scoring.operations.demonstration import load_scores
from scoring.queries.compared_sets import compare_sets
from scoring.queries.settings import settings_of
from tests.cast import Cast


@pytest.mark.spec("PL-50")
@pytest.mark.django_db(transaction=True)
def test_the_demonstration_grades_runs_and_stored_answers_once(cast: Cast) -> None:
    actor = cast.actor("owner")
    load_runs(actor, agents=load_agents(actor))
    load_demonstration(actor)
    made = load_scores(actor)
    assert Score.objects.filter(state=ScoreState.DONE).count() == made > 50
    for origin in (ScoreOrigin.ACTIVITY, ScoreOrigin.STORED):
        assert set(Score.objects.filter(origin=origin).values_list("outcome", flat=True)) == {
            "pass",
            "fail",
            "unscored",
        }
    first, second = AnswerSet.objects.order_by("pk")
    standings = {row.standing.value for row in compare_sets(first.dataset, first, second)}
    assert {"improved", "worse", "same"} <= standings
    assert all(settings_of(dataset).are_saved for dataset in Dataset.objects.all())
    assert load_scores(actor) == 0
    assert Score.objects.count() == made

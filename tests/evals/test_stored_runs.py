"""A set of stored answers as a test run: made once it is graded, compared like any other, gone with the set."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry
from datasets.models import CaseRevision
from datasets.operations.cases import edit_case
from evals.logic.classes import ChangeClass
from evals.models import Attempt, AttemptState, EvalItem, EvalRun, EvalState
from evals.operations.stored_runs import make_missing_runs, make_run_of_set
from evals.queries.comparison import compare
from evals.queries.results import results_of
from evals.queries.totals import totals_of
from scoring.models import AnswerSet, Score, ScoreState
from scoring.operations.grading import grade_scores
from scoring.operations.stored_answers import delete_answer_set
from scoring.places import run_of_set
from tests.activity.rows import make_agent
from tests.api.clients import client_of
from tests.cast import Cast
from tests.scoring.stored import CASES, make_dataset, make_set

WARRANTY, MALTA, WEIGHT = CASES
RIGHT = {WARRANTY: "2 years.", MALTA: "yes, we do", WEIGHT: "1 kg"}


def grade(answer_set: AnswerSet) -> None:
    grade_scores(list(Score.objects.filter(answer_set=answer_set).values_list("pk", flat=True)))


def bring(actor: Any, dataset: Any, ids: Any, **given: Any) -> AnswerSet:
    """A set with right answers, apart from what `wrong` names; not graded yet."""
    wrong = given.pop("wrong", ())
    answers = {ids[question]: "no" if question in wrong else text for question, text in RIGHT.items()}
    return make_set(actor, dataset, answers, **given)


@pytest.mark.django_db(transaction=True)
class TestARunOfASet:
    def test_is_made_by_the_grading_of_its_last_answer(self, cast: Cast) -> None:
        actor = cast.actor("builder")
        dataset, ids = make_dataset(actor)
        made = bring(actor, dataset, ids, wrong=[MALTA], label="Night" * 24)
        first, *others = Score.objects.filter(answer_set=made).order_by("pk").values_list("pk", flat=True)
        grade_scores([first])
        assert not EvalRun.objects.exists()
        grade_scores(others)
        run = EvalRun.objects.get()
        assert (run.answer_set, run.state, run.version, run.number) == (made, EvalState.COMPLETED, 3, 1)
        assert (run.label, run.started_by) == (("Night" * 20)[:99] + "…", cast.members["builder"])
        assert (run.created_at, run.finished_at) == (made.created_at, Score.objects.latest("graded_at").graded_at)
        results = results_of(run)
        assert [item.result for item in results.items] == ["pass", "fail", "pass"]
        revisions = CaseRevision.objects.at(dataset, 3).in_order().values_list("pk", flat=True)
        assert [item.revision_id for item in results.items] == list(revisions)
        assert set(run.attempts.values_list("state", "number", "agent_run")) == {(AttemptState.DONE, 1, None)}

    def test_costs_nothing_that_is_not_known_and_keeps_what_is(self, cast: Cast) -> None:
        actor = cast.actor("builder")
        dataset, ids = make_dataset(actor)
        made = bring(actor, dataset, ids)
        Score.objects.filter(answer_set=made, case=ids[WEIGHT]).update(cost="0.25", seconds=2, model="small-1")
        grade(made)
        totals = totals_of(results_of(EvalRun.objects.get()))
        assert (str(totals.spending.total.amount), totals.spending.total.is_at_least) == ("0.2500000000", False)
        assert (totals.latency.median, totals.latency.count, totals.models) == (2, 1, ("small-1",))

    @pytest.mark.spec("EV-D39", "EV-D40", "EV-D42")
    def test_is_compared_with_the_set_before_it(self, cast: Cast) -> None:
        actor = cast.actor("builder")
        dataset, ids = make_dataset(actor)
        grade(bring(actor, dataset, ids, wrong=[WEIGHT]))
        grade(bring(actor, dataset, ids, wrong=[MALTA]))
        before, after = EvalRun.objects.order_by("number")
        assert (before.baseline, after.baseline) == (None, before)
        found = compare(after, before)
        changes = found.changes
        assert [one.part for one in found.differences] == ["answers"]
        assert changes[ids[MALTA]].change is ChangeClass.REGRESSED
        assert changes[ids[WEIGHT]].change is ChangeClass.IMPROVED
        assert (changes[ids[MALTA]].is_confirmed, after.confirm_changes) == (False, False)

    def test_of_an_agent_is_compared_with_what_that_agent_did(self, cast: Cast) -> None:
        actor, agent = cast.actor("builder"), make_agent(cast)
        dataset, ids = make_dataset(actor)
        for of in (None, agent.pk, None, agent.pk):
            grade(bring(actor, dataset, ids, agent_id=of))
        anonymous, mine, *later = EvalRun.objects.order_by("number")
        assert [run.baseline for run in later] == [anonymous, mine]

    def test_keeps_its_verdicts_where_the_case_changed_since(self, cast: Cast) -> None:
        actor = cast.actor("builder")
        dataset, ids = make_dataset(actor)
        made = bring(actor, dataset, ids)
        edit_case(actor, dataset_id=dataset.pk, case_id=ids[MALTA], changes={"input": "Do you ship to Gozo?"})
        grade(made)
        dataset.refresh_from_db()
        grade(bring(actor, dataset, {**ids}, version=dataset.newest_version))
        before, after = EvalRun.objects.order_by("number")
        assert compare(after, before).counts.changed == 1

    def test_goes_with_its_set(self, cast: Cast) -> None:
        actor = cast.actor("builder")
        dataset, ids = make_dataset(actor)
        for _ in range(2):
            grade(bring(actor, dataset, ids))
        first = AnswerSet.objects.order_by("created_at").first()
        assert first is not None
        delete_answer_set(actor, dataset_id=dataset.pk, answer_set_id=first.pk)
        left = EvalRun.objects.get()
        assert (left.baseline, EvalItem.objects.count(), Attempt.objects.count()) == (None, 3, 3)
        assert left.answer_set != first

    def test_is_named_to_who_may_read_runs(self, cast: Cast) -> None:
        actor = cast.actor("builder")
        dataset, ids = make_dataset(actor)
        made = bring(actor, dataset, ids)
        assert run_of_set(actor, made) is None
        grade(made)
        link = run_of_set(actor, made)
        assert link is not None
        assert link.id == EvalRun.objects.get().pk
        assert run_of_set(cast.actor("member"), made) is None

    def test_is_linked_from_the_page_of_its_set_and_named_by_the_api(
        self, cast: Cast, sign_in: Callable[[str], Client]
    ) -> None:
        dataset, ids = make_dataset(cast.actor("builder"))
        made = bring(cast.actor("builder"), dataset, ids)
        page = reverse("answer_set", args=[dataset.pk, made.pk])
        client, api = sign_in("builder"), client_of(cast.members["builder"])
        where = f"/datasets/{dataset.pk}/answer-sets/{made.pk}"
        assert api.get(where).json()["eval_run"] is None
        grade(made)
        run = EvalRun.objects.get()
        assert reverse("eval", args=[run.pk]) in client.get(page).content.decode()
        assert api.get(where).json()["eval_run"] == str(run.pk)
        assert reverse("eval", args=[run.pk]) not in sign_in("viewer").get(page).content.decode()


@pytest.mark.django_db(transaction=True)
class TestSetsWithoutARun:
    def test_get_theirs_the_oldest_first(self, cast: Cast) -> None:
        actor = cast.actor("builder")
        dataset, ids = make_dataset(actor)
        first, second, waiting = (bring(actor, dataset, ids) for _ in range(3))
        graded = Score.objects.exclude(answer_set=waiting)
        graded.update(state=ScoreState.DONE, outcome="pass", graded_at=timezone.now())
        assert make_missing_runs() == 2
        assert [run.answer_set for run in EvalRun.objects.order_by("number")] == [first, second]
        assert make_missing_runs() == 0

    def test_keep_the_one_they_have(self, cast: Cast) -> None:
        actor = cast.actor("builder")
        dataset, ids = make_dataset(actor)
        made = bring(actor, dataset, ids)
        assert make_run_of_set(made.pk) is None
        grade(made)
        assert make_run_of_set(made.pk) is None
        assert not AuditEntry.objects.filter(action="eval.started").exists()

    def test_that_are_gone_get_none(self, cast: Cast) -> None:
        actor = cast.actor("builder")
        dataset, ids = make_dataset(actor)
        made = bring(actor, dataset, ids)
        key = made.pk
        made.delete()
        assert make_run_of_set(key) is None

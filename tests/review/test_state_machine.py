"""Sending, taking out, deciding, withdrawing, grading and grading again in any order, beside the plainest model of it.

The model is a list of answers, who of them waits, and two sentences about who goes before whom; it shares no code with
the queue (RV-39 to RV-50, RV-53 to RV-60, RV-D17 to RV-D25, RV-D30, RV-D31).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from agents.models import Agent
from core.errors import Conflict, Invalid
from review.models import Decision, Stay
from review.operations.deciding import decide, withdraw_decision
from review.operations.sending import send_of_run, send_to_review, withdraw_from_review
from scoring.models import GradingSnapshot, Score
from scoring.operations.settings import snapshot_of
from scoring.places import tell_of_grading
from tests.activity.rows import make_agent
from tests.cast import Cast
from tests.evals.runs import EvalScene

PICKS = st.integers(0, 1000)
SOME = st.lists(PICKS, min_size=1, max_size=3, unique=True)
OUTCOMES = st.sampled_from(["pass", "fail", "unscored"])
SETTINGS = ("none", "not_passed", "all")
STATES = {"pass": "pass", "fail": "fail", "unscored": "no_verdict"}
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Answer:
    """What the model knows of a score. `setting` is None for one of a test run; `why` is set while it waits."""

    id: UUID
    place: tuple[int, int]
    setting: str | None
    outcome: str = ""
    time: int = 0
    is_graded: bool = False
    why: str = ""
    was_there: bool = False
    decided: str = ""
    acts: list[str] = field(default_factory=list)

    @property
    def strength(self) -> tuple[bool, int, UUID]:
        """First whether grading came to a verdict, then how late; the ids settle the rest."""
        return self.outcome in ("pass", "fail"), self.time, self.id

    @property
    def is_to_be_seen(self) -> bool:
        return self.setting == "all" or (self.setting == "not_passed" and self.outcome != "pass")


class Review(RuleBasedStateMachine):
    """One dataset with two cases, answered by two agents and by nobody's."""

    scene: EvalScene
    agents: tuple[Agent | None, ...]
    snapshots: dict[str, GradingSnapshot]

    def __init__(self) -> None:
        super().__init__()
        Stay.objects.all().delete()
        Score.objects.all().delete()
        self.answers: list[Answer] = []
        self.clock = 0

    # --- The model

    def pick(self, number: int) -> Answer:
        return self.answers[number % len(self.answers)]

    def picked(self, numbers: list[int]) -> list[Answer]:
        return list({one.id: one for one in map(self.pick, numbers)}.values())

    def waiting_at(self, place: tuple[int, int]) -> Answer | None:
        return next((one for one in self.answers if one.why and one.place == place), None)

    def enter(self, one: Answer, why: str) -> str:
        """The two sentences: who waits keeps the place against anybody weaker; whoever is decided is left alone."""
        holder = self.waiting_at(one.place)
        if one.decided:
            return "already_decided"
        if holder is one:
            return "already_waiting"
        if holder and holder.strength > one.strength:
            return "outranked"
        if holder:
            holder.why = ""
        one.why, one.was_there = why, True
        return "waiting"

    def enter_all(self, some: list[Answer], why: Callable[[Answer], str]) -> list[str]:
        """One that a later one of the same request displaces was never there."""
        there_before = {one.id: one.was_there for one in some}
        found = [self.enter(one, why(one)) for one in some]
        for number, one in enumerate(some):
            if found[number] == "waiting" and not one.why:
                found[number], one.was_there = "outranked", there_before[one.id]
        return found

    # --- Answers, and what grading finds

    @rule(
        case=st.sampled_from((0, 0, 0, 1)), agent=st.sampled_from((0, 0, 0, 1, 2)),
        setting=st.sampled_from([None, *SETTINGS]), outcome=OUTCOMES, at_once=st.booleans(),
    )  # fmt: skip
    def an_answer_comes(self, case: int, agent: int, setting: str | None, outcome: str, at_once: bool) -> None:
        answered = self.agents[agent]
        score = Score.objects.create(
            organisation=self.scene.cast.kettle, dataset=self.scene.dataset, version=1, agent=answered,
            case_id=self.scene.revisions[case].case_id, has_agent=answered is not None,
            snapshot=self.snapshots[setting or "all"], origin="activity" if setting else "eval",
        )  # fmt: skip
        self.answers.append(Answer(score.pk, (case, agent), setting))
        if at_once:
            self.grade(self.answers[-1:], outcome)

    @precondition(lambda self: self.answers)
    @rule(numbers=SOME, outcome=OUTCOMES, same_moment=st.booleans())
    def some_are_graded(self, numbers: list[int], outcome: str, same_moment: bool) -> None:
        """For the first time or again."""
        some = [one for one in self.picked(numbers) if not one.is_graded]
        if some:
            self.grade(some, outcome, same_moment)

    def grade(self, some: list[Answer], outcome: str, same_moment: bool = False) -> None:
        self.clock += not same_moment
        result = {"evaluator": "checks", "must_pass": True, "number": None, "why": None, "findings": []}
        with transaction.atomic():
            Score.objects.filter(pk__in=[one.id for one in some]).update(
                state="done",
                outcome=outcome,
                graded_at=BEGINNING + timedelta(minutes=self.clock),
                results=[result | {"state": STATES[outcome]}],
            )
            # The answers of test runs are graded by the run, which tells nobody.
            tell_of_grading([one.id for one in some if one.setting or one.outcome])
        told = [one for one in some if one.setting or one.outcome]
        for one in some:
            one.outcome, one.time, one.is_graded = outcome, self.clock, True
        for one in told:
            if one.why in ("judge_error", "setting") and outcome == "pass" and one.setting != "all":
                one.why = ""
        new = [one for one in told if not one.was_there and one.is_to_be_seen]
        self.enter_all(sorted(new, key=lambda one: one.id), lambda _one: "setting")

    @precondition(lambda self: any(one.is_graded for one in self.answers))
    @rule(numbers=SOME)
    def some_are_to_be_graded_again(self, numbers: list[int]) -> None:
        """They keep place, rank and decision until something else is known."""
        some = [one for one in self.picked(numbers) if one.is_graded]
        Score.objects.filter(pk__in=[one.id for one in some]).update(state="waiting", outcome="")
        for one in some:
            one.is_graded = False

    @precondition(lambda self: any(one.why and one.is_graded for one in self.answers))
    @rule(number=PICKS, outcome=OUTCOMES, is_sent=st.booleans())
    def one_that_waits_is_graded_again(self, number: int, outcome: str, is_sent: bool) -> None:
        """Perhaps somebody sends others of its case and agent meanwhile."""
        waiting = [one for one in self.answers if one.why and one.is_graded]
        one = waiting[number % len(waiting)]
        self.some_are_to_be_graded_again([self.answers.index(one)])
        others = [at for at, other in enumerate(self.answers) if other.place == one.place and other.is_graded]
        if is_sent and others:
            self.a_person_sends(others)
        self.grade([one], outcome)

    # --- The queue

    @precondition(lambda self: self.answers)
    @rule(numbers=SOME)
    def a_person_sends(self, numbers: list[int]) -> None:
        some = self.picked(numbers)
        given: Any = {"dataset_id": self.scene.dataset.pk, "score_ids": [one.id for one in some]}
        if any(not one.is_graded and not one.why for one in some):
            with pytest.raises(Invalid):
                send_to_review(self.scene.actor(), **given)
            return
        moved = send_to_review(self.scene.actor(), **given)
        assert [one.result for one in moved] == self.enter_all(some, lambda _one: "sent")

    @precondition(lambda self: any(one.is_graded and one.setting is None for one in self.answers))
    @rule(numbers=SOME)
    def a_test_run_sends(self, numbers: list[int]) -> None:
        """One for each case and agent, the failed as regressions and the others as errors of the judge."""
        by_place = {one.place: one for one in self.picked(numbers) if one.is_graded and one.setting is None}
        some = sorted(by_place.values(), key=lambda one: one.id)
        unscored = [one.id for one in some if one.outcome == "unscored"]
        Score.objects.filter(pk__in=unscored).update(judge_trouble="error")
        Score.objects.filter(pk__in=[one.id for one in some if one.id not in unscored]).update(judge_trouble="")
        with transaction.atomic():
            done = send_of_run(self.scene.run(), [one.id for one in some])
        found = self.enter_all(some, lambda one: "judge_error" if one.outcome == "unscored" else "regression")
        assert done.sent == found.count("waiting")
        assert dict(done.not_sent) == {
            one.id: result for one, result in zip(some, found, strict=True) if result != "waiting"
        }

    @precondition(lambda self: self.answers)
    @rule(numbers=SOME)
    def a_person_takes_out(self, numbers: list[int]) -> None:
        some = self.picked(numbers)
        moved = withdraw_from_review(
            self.scene.actor(), dataset_id=self.scene.dataset.pk, score_ids=[one.id for one in some]
        )
        expected = ["already_decided" if one.decided else "withdrawn" if one.why else "not_waiting" for one in some]
        assert [one.result for one in moved] == expected
        for one in some:
            one.why = ""

    # --- Decisions

    @precondition(lambda self: self.answers)
    @rule(number=PICKS, ruling=st.sampled_from(["pass", "fail"]), stale=st.integers(-1, 1))
    def a_person_decides(self, number: int, ruling: str, stale: int) -> None:
        one = self.pick(number)
        revision = max(0, len(one.acts) + stale)
        given: Any = {"dataset_id": self.scene.dataset.pk, "score_id": one.id, "revision": revision}
        if revision != len(one.acts):
            with pytest.raises(Conflict) as refused:
                decide(self.scene.actor(), **given, decision=ruling)
            assert (refused.value.code, refused.value.data["revision"]) == ("decision_changed", len(one.acts))
            return
        done = decide(self.scene.actor(), **given, decision=ruling)
        assert (done.is_new, done.left_queue) == (one.decided != ruling, bool(one.why))
        one.acts += [ruling] if one.decided != ruling else []
        one.decided, one.why = ruling, ""

    @precondition(lambda self: self.answers)
    @rule(number=PICKS)
    def a_person_takes_the_decision_back(self, number: int) -> None:
        one = self.pick(number)
        given: Any = {"dataset_id": self.scene.dataset.pk, "score_id": one.id, "revision": len(one.acts)}
        if not one.decided:
            with pytest.raises(Conflict) as refused:
                withdraw_decision(self.scene.actor(), **given)
            assert refused.value.code == "not_decided"
            return
        back = withdraw_decision(self.scene.actor(), **given)
        one.decided = ""
        one.acts.append("")
        assert back.sending == self.enter(one, "decision_withdrawn")

    # --- What always holds

    @invariant()
    def the_tables_say_what_the_model_says(self) -> None:
        stays = dict(Stay.objects.filter(left_at=None).values_list("score_id", "entry"))
        assert stays == {one.id: one.why for one in self.answers if one.why}
        ever = set(Stay.objects.values_list("score_id", flat=True))
        assert ever == {one.id for one in self.answers if one.was_there}
        rows = Score.objects.values_list("pk", "outcome", "decided", "final")
        assert {row[0]: row[1:] for row in rows} == {
            one.id: ((outcome := one.outcome if one.is_graded else ""), one.decided, one.decided or outcome)
            for one in self.answers
        }
        acts: dict[UUID, list[str]] = {}
        for score_id, number, ruling in Decision.objects.order_by("number").values_list("score", "number", "ruling"):
            acts.setdefault(score_id, []).append(ruling)
            assert number == len(acts[score_id])
        assert acts == {one.id: one.acts for one in self.answers if one.acts}


@pytest.mark.spec("RV-39", "RV-40", "RV-41", "RV-42", "RV-43", "RV-44", "RV-45", "RV-46", "RV-47", "RV-48", "RV-49")
@pytest.mark.spec("RV-50", "RV-54", "RV-55", "RV-58", "RV-60", "RV-D17", "RV-D18", "RV-D20", "RV-D25", "RV-D30")
def test_any_order_of_acts_leaves_what_the_plain_model_says(cast: Cast) -> None:
    scene = EvalScene(cast, cases=2)
    stored = scene.snapshot.settings
    snapshots = {name: snapshot_of(scene.dataset, stored | {"review_by_person": name}) for name in SETTINGS}
    given = {"scene": scene, "agents": (scene.agent, make_agent(cast, "Other"), None), "snapshots": snapshots}
    machine: Callable[[], RuleBasedStateMachine] = type("Ours", (Review,), given)
    few = settings(
        max_examples=8, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    run_state_machine_as_test(machine, settings=few)

"""Two test runs side by side: what differs, counts as filters, one case in both, masking (EV-D39 to EV-D46)."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from datasets.operations.cases import edit_case
from evals.models import Attempt, EvalRun
from scoring.logic.findings import Evaluator, EvaluatorResult, Finding, Origin, Reason, State, Verdict
from scoring.logic.pins import BUILT_IN, Pin, pin_hash
from scoring.models import Score
from tests.activity.rows import make_agent
from tests.cast import Cast
from tests.datasets.pages import PANEL, PART, text
from tests.evals.runs import EvalScene

SignIn = Callable[[str], Client]
PIN = Pin(BUILT_IN, "judge", 1, "openai", "judge-1", "a" * 64, 1, "b" * 64, 0)
OTHER_PIN = replace(PIN, criteria_hash="c" * 64)


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast, cases=6, tags=[("billing",), ("billing", "vip"), ("vip",)])


def page(client: Client, run: EvalRun, other: EvalRun | None = None, headers: Any = None, **query: Any) -> str:
    told = ({"with": str(other.pk)} if other else {}) | query
    return text(client.get(reverse("eval-compare", args=[run.pk]), told, headers=headers))


def rows(shown: str) -> int:
    return shown.count("<tr data-row ")


def give(run: EvalRun, place: int, **fields: Any) -> Score:
    """Fields of the score of the case at this place."""
    score = Attempt.objects.get(run=run, item__position=place, kind="first").score
    assert score is not None
    for name, value in fields.items():
        setattr(score, name, value)
    score.save()
    return score


def failed_by(name: str, reason: str) -> list[Any]:
    finding = Finding("c-1", Origin.CRITERION, Verdict.FAIL, name=name, reason=reason, grade=1)
    return [EvaluatorResult(Evaluator.JUDGE, True, State.FAIL, 0.0, None, (finding,)).as_json()]


@pytest.mark.spec("EV-11", "EV-D39", "EV-D42", "EV-D44", "EV-D45")
def test_the_page_counts_each_class_and_says_whether_the_difference_is_real(scene: EvalScene, sign_in: SignIn) -> None:
    before = scene.run("pass", "pass", "fail", "pass", "unscored", kept={"model": "small-1"})
    after = scene.run("fail", "fail", "pass", "pass", "pass", "pass", kept={"model": "large-2"})
    shown = page(sign_in("builder"), after, before)
    for label, number in (("Regressed", 2), ("Improved", 1), ("Unchanged", 1), ("Not comparable", 2), ("All cases", 6)):
        assert f'{label} <span class="tab-count">{number}</span>' in shown
    assert "2 from pass to fail (b), 1 from fail to pass (c), p = 1.0000" in shown
    assert "Could be chance" in shown
    assert "4 cases are compared: below 30 cases small differences mean little." in shown
    assert "small-1" in shown
    assert "large-2" in shown
    assert rows(shown) == 6
    assert shown.index("Question 0") < shown.index("Question 2") < shown.index("Question 3")


@pytest.mark.spec("EV-D45")
def test_a_difference_that_is_likely_real_says_so_with_its_numbers(cast: Cast, sign_in: SignIn) -> None:
    scene = EvalScene(cast, cases=9)
    before, after = scene.run(*["fail"] * 8, "pass"), scene.run(*["pass"] * 8, "fail")
    shown = page(sign_in("builder"), after, before)
    assert "Likely a real change, for the better" in shown
    assert "1 from pass to fail (b), 8 from fail to pass (c), p = 0.0391" in shown


@pytest.mark.spec("EV-D44", "EV-D37", "EV-12")
def test_the_address_carries_both_runs_and_the_filters(scene: EvalScene, sign_in: SignIn) -> None:
    before, after = scene.run("pass", "pass", "fail"), scene.run("fail", "pass", "pass")
    client = sign_in("builder")
    regressed = page(client, after, before, headers=PART, change="regressed")
    assert regressed.strip().startswith('<div id="compared"')
    assert rows(regressed) == 1
    assert f"?with={before.pk}&amp;change=regressed&amp;case=" in regressed
    vip = page(client, after, before, tag="VIP")
    assert rows(vip) == 2
    assert f"with={before.pk}&amp;change=improved&amp;tag=VIP" in vip
    assert rows(page(client, after, before, change="flaky")) == 0


@pytest.mark.spec("EV-D41", "EV-D42")
def test_changed_new_removed_and_unscored_cases_are_named_as_not_comparable(scene: EvalScene, sign_in: SignIn) -> None:
    before = scene.run("pass", "pass", "unscored", "pass")
    first = scene.revisions[0].case_id
    changed = {"input": "Another question"}
    edited = edit_case(scene.actor(), dataset_id=scene.dataset.pk, case_id=first, changes=changed).revision
    after = scene.run(version=scene.dataset.newest_version + 1)
    for revision in (edited, scene.revisions[2], scene.revisions[4]):
        scene.attempt(scene.item(after, revision), "pass")
    shown = page(sign_in("builder"), after, before, change="not_comparable")
    for cause in ("Changed", "New", "Removed", "Unscored"):
        assert f'<span class="pill-text">{cause}</span>' in shown
    assert shown.count(">not comparable</span>") == 5
    assert "Not in it" in shown
    assert rows(page(sign_in("builder"), after, before, change="removed")) == 2
    case = page(sign_in("builder"), after, before, headers=PANEL, case=first)
    assert "Another question" in case
    assert "they did not answer the same question" in case


@pytest.mark.spec("EV-D46", "EV-40")
def test_flaky_cases_show_their_tally_and_unconfirmed_ones_are_marked(scene: EvalScene, sign_in: SignIn) -> None:
    before, after = scene.run("pass", "pass", "pass"), scene.run("fail", "fail", "fail")
    items = list(after.items.order_by("position"))
    for outcome in ("pass", "pass"):
        scene.attempt(items[0], outcome, kind="confirm")
    for outcome in ("fail", "fail"):
        scene.attempt(items[1], outcome, kind="confirm")
    shown = page(sign_in("builder"), after, before)
    assert "2 of 3 passed" in shown
    assert "not confirmed" in shown
    assert "0 of 3 passed, confirmed" in shown
    case = page(sign_in("builder"), after, before, headers=PANEL, case=items[0].case_id)
    assert "Flaky" in case
    assert "confirming" in case
    second = page(sign_in("builder"), after, before, headers=PANEL, case=items[0].case_id, after=2)
    assert second.count('aria-current="true"') == 1


@pytest.mark.spec("EV-D44", "EV-6", "EV-15")
def test_one_case_shows_both_answers_with_what_differs_marked(scene: EvalScene, sign_in: SignIn) -> None:
    before, after = scene.run("pass"), scene.run("fail")
    blocked = {"tool": "refund", "arguments": {"order": 7}, "outcome": "blocked"}
    give(before, 0, answer="You have 30 days to return it.", number=0.9)
    give(after, 0, answer="You have 14 days to return it.", number=0.2, calls=[blocked],
         results=failed_by("Deadline", "It names 14 days."))  # fmt: skip
    Attempt.objects.filter(run=before).update(cost=Decimal("0.02"), seconds=1.5)
    Attempt.objects.filter(run=after).update(cost=Decimal("0.05"), seconds=3.25)
    shown = page(sign_in("builder"), after, before, headers=PANEL, case=scene.revisions[0].case_id)
    assert shown.strip().startswith("<aside")
    for words in ("<del>30</del>", "<ins>14</ins>", "1. refund (Blocked)", "It names 14 days.", "0.90", "0.20"):
        assert words in shown
    for words in ("$0.0200", "$0.0500", "1.5 s", "3.3 s", "Question 0", "Regressed"):
        assert words in shown
    whole = page(sign_in("builder"), after, before, case=scene.revisions[0].case_id)
    assert "<del>30</del>" in whole
    assert 'id="panel"' in whole


@pytest.mark.spec("EV-D53", "EV-23", "RV-74", "RV-75", "RV-77")
def test_each_side_is_masked_by_access_to_its_own_agent(cast: Cast, scene: EvalScene, sign_in: SignIn) -> None:
    hidden = make_agent(cast, name="Secret bot")
    before, after = scene.run("pass"), scene.run("fail")
    EvalRun.objects.filter(pk=before.pk).update(agent=hidden, kept={"model": "secret-model"})
    give(before, 0, answer="A secret answer", agent=hidden, results=failed_by("Tone", "Secret reason"))
    give(after, 0, answer="An open answer", results=failed_by("Tone", "Open reason"))
    hidden.delete()
    case = {"case": scene.revisions[0].case_id}
    sees_both = page(sign_in("owner"), after, before, headers=PANEL, **case)
    assert "secret" in sees_both
    assert "Secret reason" in sees_both
    client = sign_in("operator")
    shown = page(client, after, before, headers=PANEL, **case)
    assert "An open" in shown
    assert "Open reason" in shown
    assert "Regressed" in shown
    whole = page(client, after, before, **case)
    for told in (shown, whole):
        for words in ("secret answer", "Secret reason", "Secret bot", "secret-model"):
            assert words not in told
    assert "Deleted agent" in whole


@pytest.mark.spec("EV-D43", "EV-38", "SC-D5")
def test_other_judges_are_named_and_the_older_answers_can_be_scored_anew(scene: EvalScene, sign_in: SignIn) -> None:
    before = scene.run("pass", "fail", pin=PIN.as_json(), pin_hash=pin_hash(PIN))
    after = scene.run("fail", "pass", pin=OTHER_PIN.as_json(), pin_hash=pin_hash(OTHER_PIN))
    give(before, 0, pin_hash=pin_hash(PIN))
    give(after, 0, pin_hash=pin_hash(OTHER_PIN))
    shown = page(sign_in("builder"), after, before)
    assert "Graded differently" in shown
    assert "The judges of the two runs differ in: Criteria." in shown
    assert "What became of 1 case that a judge graded is shown as not confirmed." in shown
    assert reverse("eval-grade-anew", args=[before.pk]) + f"?with={after.pk}" in shown
    back = page(sign_in("builder"), before, after)
    assert reverse("eval-grade-anew", args=[before.pk]) in back
    assert reverse("eval-grade-anew", args=[after.pk]) not in back


@pytest.mark.spec("EV-D39")
def test_without_another_run_the_page_asks_which_and_takes_the_baseline_where_there_is_one(
    scene: EvalScene, sign_in: SignIn
) -> None:
    client = sign_in("builder")
    before = scene.run("pass")
    assert "Nothing to compare with yet" in page(client, before)
    after = scene.run("fail", label="Nightly")
    asked = page(client, after)
    assert f'<option value="{before.pk}"' in asked
    EvalRun.objects.filter(pk=after.pk).update(baseline=before)
    assert "1 from pass to fail (b)" in page(client, after)


def test_a_run_of_another_dataset_or_organisation_is_not_there(cast: Cast, scene: EvalScene, sign_in: SignIn) -> None:
    run, other = scene.run("pass"), scene.run("pass")
    elsewhere = EvalScene(cast, cases=1).run("pass")
    client = sign_in("builder")
    for wanted in (elsewhere.pk, run.pk, uuid4()):
        answered = client.get(reverse("eval-compare", args=[run.pk]), {"with": str(wanted)})
        assert answered.status_code == 404
    there = reverse("eval-compare", args=[run.pk])
    assert client.get(there, {"with": str(other.pk), "case": str(uuid4())}, headers=PANEL).status_code == 404
    stranger = sign_in("stranger")
    assert stranger.get(there, {"with": str(other.pk)}).status_code == 404
    assert sign_in("member").get(there, {"with": str(other.pk)}).status_code == 404


@pytest.mark.spec("EV-D44")
def test_rates_costs_and_latency_are_laid_side_by_side(scene: EvalScene, sign_in: SignIn) -> None:
    before, after = scene.run("pass", "fail"), scene.run("pass", "pass")
    Attempt.objects.filter(run=before).update(cost=Decimal("0.02"), seconds=2)
    Attempt.objects.filter(run=after).update(cost=Decimal("0.03"), seconds=1)
    shown = page(sign_in("builder"), after, before)
    for words in ("+50.0 points", "$0.0200", "$0.0300", "+$0.0100", "−1.0 s"):
        assert words in shown
    Attempt.objects.filter(run=after, item__position=0).update(cost=None)
    assert "at least" in page(sign_in("builder"), after, before)


@pytest.mark.spec("EV-D19")
def test_an_answer_that_did_not_come_says_why_beside_the_one_that_did(scene: EvalScene, sign_in: SignIn) -> None:
    before = scene.run("pass")
    after = scene.run()
    scene.attempt(scene.item(after, scene.revisions[0]), state="error", error=Reason("The key is wrong").as_json())
    shown = page(sign_in("builder"), after, before, headers=PANEL, case=scene.revisions[0].case_id)
    assert "The key is wrong" in shown
    assert "There is no answer." in shown


def test_the_page_and_the_panel_take_few_queries(cast: Cast, sign_in: SignIn) -> None:
    scene = EvalScene(cast, cases=30)
    before, after = scene.run(*["pass"] * 30), scene.run(*["fail"] * 30)
    client = sign_in("builder")
    page(client, after, before)
    with CaptureQueriesContext(connection) as queries:
        assert rows(page(client, after, before)) == 30
    assert len(queries) <= 22, [query["sql"][:160] for query in queries]
    with CaptureQueriesContext(connection) as queries:
        page(client, after, before, headers=PANEL, case=scene.revisions[0].case_id)
    assert len(queries) <= 25, [query["sql"][:160] for query in queries]

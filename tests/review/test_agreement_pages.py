"""The page of agreement with the judge, its line above the review, and the mark wherever a judge decides (RV-D34)."""

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from core.limits import LIMITS
from review.logic.agreement import Agreement
from review.queries.agreement import calibration_of_judge, configurations_of, decided_answers
from review.queries.agreement_line import agreement_line
from scoring.logic.pins import pin_hash
from scoring.models import Score
from scoring.queries.scores import ScoreFilter
from tests.cast import Cast
from tests.evals.runs import EvalScene
from tests.review.judged import OTHER_PIN, PIN, decide_many, decided_answer, finding, result, rule

SignIn = Callable[[str], Client]


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast)


def address(scene: EvalScene, query: str = "") -> str:
    return f"/datasets/{scene.dataset.pk}/agreement/{query}"


def shown(browser: Client, path: str) -> str:
    response = browser.get(path)
    assert response.status_code == 200
    return " ".join(unescape(response.content.decode()).split())


def row_of(page: str, label: str) -> str:
    """The row of the table of parts that begins with the label."""
    row = next(part for part in page.split("<tr")[1:] if f">{label}</a>" in part)
    return row.split("</tr>")[0]


def numbers_of(row: str) -> list[str]:
    """Decisions, too strict, too lenient."""
    cells = [cell.split("</td>")[0].split(">", 1)[1] for cell in row.split('<td class="number"')[1:]]
    return [cell.replace("</a>", "").rpartition(">")[2] for cell in cells]


@pytest.mark.spec("RV-D34")
def test_it_says_how_far_decisions_agree_and_how_sure_that_is(scene: EvalScene, sign_in: SignIn) -> None:
    decide_many(scene, {("pass", "pass"): 20, ("fail", "fail"): 15, ("fail", "pass"): 5, ("pass", "fail"): 2})
    decide_many(scene, {("unscored", "pass"): 3})
    page = shown(sign_in("builder"), address(scene))
    assert "Judge not calibrated" in page
    assert numbers_of(row_of(page, "Outcome of the answer")) == ["42", "5", "2"]
    assert "35 of 42" in page
    assert "0.66" in page
    assert "(0.38 to 0.89), n = 42" in page
    assert "3 without a verdict of the judge" in page
    assert numbers_of(row_of(page, "Deadline")) == ["42", "5", "2"]


@pytest.mark.spec("RV-D34")
def test_under_ten_decisions_it_says_too_few_and_no_number(scene: EvalScene, sign_in: SignIn) -> None:
    decide_many(scene, {("pass", "pass"): 5, ("fail", "fail"): 4})
    page = shown(sign_in("builder"), address(scene))
    assert "Too few" in page
    assert "too few" in row_of(page, "Deadline")
    assert '95% interval"' not in page
    decide_many(scene, {("fail", "pass"): 1})
    assert "n = 10" in shown(sign_in("builder"), address(scene))


@pytest.mark.spec("RV-D34")
def test_each_configuration_of_a_judge_is_counted_for_itself(scene: EvalScene, sign_in: SignIn) -> None:
    decide_many(scene, {("pass", "pass"): 3})
    decide_many(scene, {("fail", "pass"): 2}, pin=OTHER_PIN)
    decide_many(scene, {("fail", "pass"): 4}, pin=None)
    found = configurations_of(scene.dataset.pk)
    assert [(one.pin.model, one.decisions) for one in found] == [("judge-2", 2), ("judge-1", 3)]
    browser = sign_in("builder")
    newest = shown(browser, address(scene))
    assert numbers_of(row_of(newest, "Outcome of the answer")) == ["2", "2", "0"]
    earlier = shown(browser, address(scene, f"?judge={pin_hash(PIN)[:12]}"))
    assert numbers_of(row_of(earlier, "Outcome of the answer")) == ["3", "0", "0"]
    assert numbers_of(row_of(shown(browser, address(scene, "?judge=zz&part=x&kind=y&page=z")), "Deadline"))[0] == "2"


@pytest.mark.spec("RV-D34")
def test_each_disagreement_is_listed_with_the_way_to_it(scene: EvalScene, sign_in: SignIn) -> None:
    strict = decided_answer(scene, "fail", "pass", result(finding("fail"), finding("pass", "c-2", name="Tone")))
    lenient = decided_answer(scene, "pass", "fail", result(finding("pass"), finding("pass", "c-2", name="Tone")))
    agreed = decided_answer(scene, "pass", "pass", result(finding("pass"), finding("pass", "c-2", name="Tone")))
    browser = sign_in("builder")

    def listed(query: str) -> set[Any]:
        page = shown(browser, address(scene, query))
        return {one.pk for one in (strict, lenient, agreed) if f"view=review&score={one.pk}" in page}

    assert listed("") == {strict.pk, lenient.pk}
    assert listed("?kind=too_strict") == {strict.pk}
    assert listed("?part=criterion:c-2") == {lenient.pk}
    assert listed("?part=criterion:c-2&kind=too_strict") == set()


@pytest.mark.spec("RV-D34")
def test_answers_that_a_rule_failed_say_nothing_about_the_judge(scene: EvalScene, sign_in: SignIn) -> None:
    for _number in range(40):
        decided_answer(scene, "fail", "fail", rule("fail"), result(finding("pass")))
    page = shown(sign_in("builder"), address(scene))
    assert "40 answers that a rule had failed already" in page
    assert "Nothing to compare yet" in page
    assert not calibration_of_judge(scene.dataset.pk, pin_hash(PIN)).is_calibrated


@pytest.mark.spec("RV-D34")
def test_it_asks_for_the_side_that_nobody_looked_at(scene: EvalScene, sign_in: SignIn) -> None:
    decide_many(scene, {("fail", "fail"): 8, ("fail", "pass"): 4})
    page = shown(sign_in("builder"), address(scene))
    assert "Only failed answers were decided" in page
    assert "view=review&outcome=pass" in page


@pytest.mark.spec("RV-D34")
def test_without_a_judge_it_says_how_there_comes_to_be_one(scene: EvalScene, sign_in: SignIn) -> None:
    assert "No judge has graded a decided answer" in shown(sign_in("builder"), address(scene))


@pytest.mark.spec("RV-75", "RV-77", "RV-D34")
def test_who_may_not_read_answers_gets_counts_and_no_words(scene: EvalScene, sign_in: SignIn) -> None:
    of_case = finding("pass", "check-1", "case_criterion", "Does it name Doctor Novak?", reason="It names Novak.")
    lenient = decided_answer(scene, "pass", "fail", result(finding("pass")), result(of_case, evaluator="checks"))
    viewer = sign_in("viewer")
    page = shown(viewer, address(scene))
    assert numbers_of(row_of(page, "Outcome of the answer")) == ["1", "0", "1"]
    assert f"score={lenient.pk}" in page
    assert "Novak" not in page
    part = shown(viewer, address(scene, "?part=criterion:c-1"))
    assert numbers_of(row_of(part, "Deadline")) == ["1", "0", "1"]
    assert f"score={lenient.pk}" not in part
    assert "1 is about an answer whose grading you may not read." in part


@pytest.mark.spec("RV-73")
def test_it_is_not_there_for_who_does_not_see_the_dataset(scene: EvalScene, sign_in: SignIn) -> None:
    assert sign_in("stranger").get(address(scene)).status_code == 404


@pytest.mark.parametrize("many", [1, 60])
def test_it_asks_few_questions_of_the_database(scene: EvalScene, sign_in: SignIn, many: int) -> None:
    decide_many(scene, {("fail", "pass"): many, ("pass", "pass"): many})
    browser = sign_in("builder")
    browser.get(address(scene))
    with CaptureQueriesContext(
        connection,
    ) as asked:
        browser.get(address(scene, "?part=criterion:c-1"))
    assert len(asked) <= 25, [query["sql"][:120] for query in asked]


@pytest.mark.spec("RV-D34")
def test_only_the_newest_decisions_are_counted_and_it_says_so(
    scene: EvalScene, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    decide_many(scene, {("fail", "pass"): 3})
    assert "Counted over the newest" not in shown(sign_in("builder"), address(scene))
    monkeypatch.setattr("review.queries.agreement.LIMITS", type(LIMITS)(agreement_answers=2))
    assert len(decided_answers(scene.dataset.pk, pin_hash(PIN))) == 2
    assert "Counted over the newest 2 of 3 decisions." in shown(sign_in("builder"), address(scene))


@pytest.mark.spec("RV-D34")
def test_the_line_above_the_table_counts_what_the_filter_lets_through(scene: EvalScene) -> None:
    decide_many(scene, {("pass", "pass"): 3, ("fail", "pass"): 2, ("pass", "fail"): 1, ("unscored", "fail"): 1})
    decide_many(scene, {("fail", "pass"): 1}, pin=None)
    decided_answer(scene, "fail", "")
    actor = scene.actor()
    with CaptureQueriesContext(connection) as asked:
        line = agreement_line(actor, scene.dataset, ScoreFilter())
    assert len(asked) <= 2
    assert line.judged == Agreement(both_pass=3, too_strict=2, too_lenient=1)
    assert (line.ruled, line.unscored, line.all.n) == (Agreement(too_strict=1), 1, 7)
    assert line.is_shown
    nothing = agreement_line(actor, scene.dataset, ScoreFilter(case_id=scene.revisions[1].case_id))
    assert not nothing.is_shown


@pytest.mark.spec("RV-D34")
def test_a_decision_that_is_withdrawn_counts_no_more(scene: EvalScene) -> None:
    one = decided_answer(scene, "fail", "pass")
    assert len(decided_answers(scene.dataset.pk, pin_hash(PIN))) == 1
    Score.objects.filter(pk=one.pk).update(decided="")
    assert decided_answers(scene.dataset.pk, pin_hash(PIN)) == []

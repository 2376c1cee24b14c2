"""Scoring answers that somebody brings along: what is stored, what is refused, and how far a set is."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from accounts.models import AuditEntry
from agents.models import Helper
from core.errors import Invalid, NotAllowed, NotFound, TooLarge
from core.limits import LIMITS
from datasets.logic.drafts import CaseDraft
from datasets.models import CaseRevision
from datasets.operations.cases import add_case, delete_cases
from scoring.forms.stored_answers import StoredAnswersForm
from scoring.models import AnswerSet, Score, ScoreOrigin, ScoreState, WaitingAnswer
from scoring.operations.settings import change_scoring
from scoring.operations.stored_answers import (
    delete_answer_set,
    read_answer_file,
    read_sent_answers,
    score_answers_once,
    score_stored_answers,
)
from scoring.queries.answer_sets import scores_of_slice, shown_set, shown_sets, slices_of
from tests.activity.rows import make_agent
from tests.cast import Cast
from tests.scoring.judges import make_judge
from tests.scoring.stored import CASES, make_dataset, make_set, put_outcomes

WARRANTY, MALTA, WEIGHT = CASES


def test_each_answer_becomes_a_waiting_score_of_its_case(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    agent = make_agent(cast)
    file = (
        "case_id,input,answer,tool_calls,cost_usd,latency_ms\n"
        f'{ids[WARRANTY]},,2 years.,"[{{""tool"":""look_up"",""args"":{{""id"":1}}}}]",0.25,1500\n'
        f",{MALTA},Yes.,,,\n"
    )
    matched = read_answer_file(actor, dataset_id=dataset.pk, name="a.csv", data=file.encode())
    made = score_stored_answers(actor, dataset_id=dataset.pk, answers=matched, label=" Old bot ", agent_id=agent.pk)
    assert (made.label, made.version, made.answer_count, made.agent) == ("Old bot", 3, 2, agent)
    first, second = Score.objects.filter(answer_set=made).order_by("pk")
    assert (first.case_id, second.case_id) == (ids[WARRANTY], ids[MALTA])
    assert (first.state, first.origin, first.version, first.has_agent) == ("waiting", ScoreOrigin.STORED, 3, True)
    assert (first.cost, first.seconds, second.cost, second.seconds) == (Decimal("0.25"), 1.5, None, None)
    assert (first.run_id, first.person_id, first.asked_by) == (None, None, cast.builder)
    waiting = WaitingAnswer.objects.get(score=first)
    assert waiting.text == "2 years."
    assert [(call["tool"], call["arguments"]) for call in waiting.calls] == [("look_up", {"id": 1})]
    entry = AuditEntry.objects.get(action="scores.stored_answers")
    assert entry.details == {"answer_set": str(made.pk), "version": 3, "answers": 2, "left_out": 0}


def test_without_an_agent_no_access_to_one_is_asked_for_later(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    made = make_set(actor, dataset, {ids[WARRANTY]: "a"})
    assert Score.objects.get(answer_set=made).has_agent is False


@pytest.mark.spec("SC-166", "SC-167")
@pytest.mark.parametrize(("who", "refusal"), [("viewer", NotAllowed), ("member", NotAllowed), ("stranger", NotFound)])
def test_who_may_not_run_or_read_runs_scores_nothing(cast: Cast, who: str, refusal: type[Exception]) -> None:
    dataset, ids = make_dataset(cast.actor("builder"))
    matched = read_sent_answers(
        cast.actor("builder"), dataset_id=dataset.pk, values=[{"case_id": str(ids[MALTA]), "answer": "a"}]
    )
    with pytest.raises(refusal):
        read_sent_answers(cast.actor(who), dataset_id=dataset.pk, values=[])
    with pytest.raises(refusal):
        read_answer_file(cast.actor(who), dataset_id=dataset.pk, name="a.csv", data=b"")
    with pytest.raises(refusal):
        score_stored_answers(cast.actor(who), dataset_id=dataset.pk, answers=matched, label="a")
    assert not AnswerSet.objects.exists()


@pytest.mark.spec("BC-8", "DS-123", "DS-124")
def test_one_bad_row_refuses_all_and_every_bad_row_is_named(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    file = f"case_id,answer\n{ids[MALTA]},yes\n{uuid4()},a\nno,b\n{ids[MALTA]},c\n{ids[WEIGHT]},d,e\n"
    with pytest.raises(Invalid) as refused:
        read_answer_file(actor, dataset_id=dataset.pk, name="a.csv", data=file.encode())
    assert [(problem.row, problem.field) for problem in refused.value.problems] == [
        (3, "case_id"),
        (4, "case_id"),
        (5, "case_id"),
        (6, ""),
    ]
    assert "4 of 5" in str(refused.value)
    assert "Row 2" in refused.value.problems[2].message


def test_the_problems_of_a_request_are_named_by_their_place(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    values = [
        {"case_id": str(ids[MALTA]), "answer": "a"},
        {"input": "Who?", "answer": 5},
        {"input": MALTA, "answer": ""},
    ]
    with pytest.raises(Invalid) as refused:
        read_sent_answers(actor, dataset_id=dataset.pk, values=values)
    fields = [(problem.row, problem.field) for problem in refused.value.problems]
    assert fields == [(None, "answers.1.answer"), (None, "answers.2.input")]


@pytest.mark.parametrize(
    ("name", "data", "field"),
    [
        ("a.txt", b"case_id,answer\n", "file"),
        ("a.csv", b"", "file"),
        ("a.csv", b"case_id,answer\n", "file"),
        ("a.csv", b"\xff\xfea\x00", "file"),
        ("a.csv", b"case_id,answer\nx," * 3, "case_id"),
    ],
)
def test_a_file_that_cannot_be_read_or_is_empty_is_refused(cast: Cast, name: str, data: bytes, field: str) -> None:
    actor = cast.actor("builder")
    dataset, _ids = make_dataset(actor)
    with pytest.raises(Invalid) as refused:
        read_answer_file(actor, dataset_id=dataset.pk, name=name, data=data)
    assert field in {problem.field for problem in refused.value.problems}


def test_limits_are_refused_before_anything_is_matched(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, _ids = make_dataset(actor)
    with pytest.raises(TooLarge):
        read_answer_file(actor, dataset_id=dataset.pk, name="a.csv", data=b"x" * (LIMITS.import_bytes + 1))
    rows = b"case_id,answer\n" + b"x,y\n" * (LIMITS.stored_answers_a_file + 1)
    with pytest.raises(Invalid) as refused:
        read_answer_file(actor, dataset_id=dataset.pk, name="a.csv", data=rows)
    assert [problem.field for problem in refused.value.problems] == ["file"]
    wrong: list[list[Any]] = [[], [{}] * (LIMITS.stored_answers_a_request + 1)]
    for values in wrong:
        with pytest.raises(Invalid) as refused:
            read_sent_answers(actor, dataset_id=dataset.pk, values=values)
        assert [problem.field for problem in refused.value.problems] == ["answers"]


@pytest.mark.spec("SC-53", "BC-28")
def test_cases_with_nothing_to_check_or_without_text_are_left_out_and_counted(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    bare = add_case(actor, dataset_id=dataset.pk, draft=CaseDraft(input="What colour?", reference_answer="Blue"))
    ids["bare"] = bare.revision.case_id
    CaseRevision.objects.filter(case=ids[WEIGHT]).update(anonymised_at="2026-01-01T00:00:00Z")
    dataset.refresh_from_db()
    made = make_set(actor, dataset, {ids[MALTA]: "yes", ids["bare"]: "Blue", ids[WEIGHT]: "1 kg"})
    assert (made.answer_count, made.anonymised_count, made.unchecked_count) == (1, 1, 1)
    assert shown_set(actor, made).unanswered == 1
    with pytest.raises(Invalid, match="not valid") as refused:
        make_set(actor, dataset, {ids["bare"]: "Blue", ids[WEIGHT]: "1 kg"})
    assert "would check" in refused.value.problems[0].message
    with pytest.raises(Invalid, match="not valid") as refused:
        make_set(actor, dataset, {ids[WEIGHT]: "1 kg"})
    assert "was erased" in refused.value.problems[0].message


def test_a_case_that_was_erased_after_it_was_matched_is_left_out(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    values = [{"case_id": str(ids[name]), "answer": "a"} for name in (MALTA, WEIGHT)]
    matched = read_sent_answers(actor, dataset_id=dataset.pk, values=values)
    CaseRevision.objects.filter(case=ids[WEIGHT]).update(anonymised_at="2026-01-01T00:00:00Z")
    made = score_stored_answers(actor, dataset_id=dataset.pk, answers=matched, label="a")
    assert (made.answer_count, made.anonymised_count) == (1, 1)


@pytest.mark.spec("SC-D53", "BC-19")
def test_answers_are_graded_against_the_newest_version_unless_another_is_named(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    delete_cases(actor, dataset_id=dataset.pk, case_ids=[ids[MALTA]])
    dataset.refresh_from_db()
    with pytest.raises(Invalid):
        make_set(actor, dataset, {ids[MALTA]: "yes"})
    assert make_set(actor, dataset, {ids[MALTA]: "yes"}, version=3).version == 3
    for version in (0, 5):
        with pytest.raises(Invalid) as refused:
            make_set(actor, dataset, {ids[MALTA]: "yes"}, version=version)
        assert refused.value.problems[0].field == "version"


@pytest.mark.parametrize("label", ["", "  ", "x" * (LIMITS.name_characters + 1), "a\x00"])
def test_a_label_that_cannot_be_shown_is_refused(cast: Cast, label: str) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    with pytest.raises(Invalid) as refused:
        make_set(actor, dataset, {ids[MALTA]: "yes"}, label=label)
    assert refused.value.problems[0].field == "label"


@pytest.mark.spec("ACC-D9")
def test_an_agent_elsewhere_is_refused_like_one_that_is_not_there(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    messages = set()
    for agent_id in (uuid4(), make_agent(cast, owner=cast.stranger).pk):
        with pytest.raises(Invalid) as refused:
            make_set(actor, dataset, {ids[MALTA]: "yes"}, agent_id=agent_id)
        messages.add(refused.value.problems[0])
    assert len(messages) == 1


@pytest.mark.spec("DS-D46")
def test_a_form_that_is_sent_twice_makes_one_set(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    matched = read_sent_answers(actor, dataset_id=dataset.pk, values=[{"case_id": str(ids[MALTA]), "answer": "a"}])
    given: dict[str, Any] = {"dataset_id": dataset.pk, "answers": matched, "agent_id": None, "key": "k"}
    first, is_new = score_answers_once(actor, label="a", **given)
    again, is_new_again = score_answers_once(actor, label="a", **given)
    assert (first.pk, is_new, is_new_again) == (again.pk, True, False)
    with pytest.raises(Invalid):
        score_answers_once(actor, label="another", **given)


@pytest.mark.spec("BC-28", "SC-14")
def test_progress_counts_every_answer_and_says_why_some_are_unscored(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    made = make_set(actor, dataset, dict.fromkeys(ids.values(), "a"))
    assert shown_set(actor, made).progress.waiting == 3
    why = {"text": "The judge is off", "values": {}}
    put_outcomes(made, {ids[WARRANTY]: "pass"})
    put_outcomes(made, {ids[MALTA]: "unscored"}, why=why, judge_trouble="skipped")
    shown = shown_set(actor, made)
    progress = shown.progress
    assert (progress.total, progress.passed, progress.unscored, progress.waiting) == (3, 1, 1, 1)
    assert (progress.judge_skipped, progress.judge_errors, progress.is_done) == (1, 0, False)
    assert (progress.decided, progress.pass_rate) == (1, None)
    assert [(reason.text, count) for reason, count in shown.causes] == [("The judge is off", 1)]


@pytest.mark.spec("ACC-D23")
def test_the_agent_of_a_set_is_named_to_who_can_see_it(cast: Cast) -> None:
    builder = cast.actor("builder")
    dataset, ids = make_dataset(builder)
    agent = make_agent(cast, visibility="private")
    made = make_set(builder, dataset, {ids[MALTA]: "a"}, agent_id=agent.pk)
    assert shown_sets(builder, [made])[0].agent == agent
    assert shown_sets(cast.actor("viewer"), [made])[0].agent is None


def test_a_set_is_graded_in_parts_of_which_each_is_named_by_its_first_score(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    made = make_set(actor, dataset, dict.fromkeys(ids.values(), "a"))
    firsts = slices_of(made, 2)
    parts = [scores_of_slice(made.pk, first, 2) for first in firsts]
    assert [len(part) for part in parts] == [2, 1]
    Score.objects.filter(pk=parts[0][0]).update(state=ScoreState.DONE, outcome="pass")
    assert scores_of_slice(made.pk, firsts[0], 2) == parts[0][1:]
    made.delete()
    assert scores_of_slice(made.pk, firsts[0], 2) == []


def test_deleting_a_set_takes_its_scores_and_needs_editing(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    made, other = make_set(actor, dataset, {ids[MALTA]: "a"}), make_set(actor, dataset, {ids[MALTA]: "b"})
    given = {"dataset_id": dataset.pk, "answer_set_id": made.pk}
    with pytest.raises(NotAllowed):
        delete_answer_set(cast.actor("operator"), **given)
    delete_answer_set(actor, **given)
    assert list(Score.objects.values_list("answer_set", flat=True)) == [other.pk]
    assert AuditEntry.objects.filter(action="scores.stored_answers_deleted").count() == 1
    with pytest.raises(NotFound):
        delete_answer_set(actor, **given)


@pytest.mark.spec("SC-54")
def test_the_settings_of_the_moment_hold_for_the_whole_set(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    first = make_set(actor, dataset, {ids[MALTA]: "a", ids[WEIGHT]: "b"})
    change_scoring(actor, dataset_id=dataset.pk, changes={"tool_calls": {"must_pass": False}})
    second = make_set(actor, dataset, {ids[MALTA]: "a"})
    snapshots = [
        set(Score.objects.filter(answer_set=one).values_list("snapshot", flat=True)) for one in (first, second)
    ]
    assert [len(each) for each in snapshots] == [1, 1]
    assert snapshots[0] != snapshots[1]


def test_a_judge_is_no_agent_that_gave_answers(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    for judge in (make_judge(cast.builder, None), make_agent(cast, helper=Helper.JUDGE)):
        assert str(judge.pk) not in dict(StoredAnswersForm(actor=actor).fields["agent"].choices)  # type: ignore[attr-defined]
        with pytest.raises(Invalid) as refused:
            make_set(cast.actor("owner"), dataset, {ids[MALTA]: "a"}, agent_id=judge.pk)
        assert [problem.field for problem in refused.value.problems] == ["agent"]

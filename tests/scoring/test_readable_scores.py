"""Who reads what of a score: the one projection of pages and API (SC-168, ACC-33 to ACC-35, ACC-D23, SC-D5)."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from accounts.actor import Actor
from accounts.models import ApiKey
from accounts.operations.sharing import share
from agents.models import Agent, LanguageModel
from core.errors import NotFound
from datasets.logic.drafts import CaseDraft
from datasets.logic.texts import HIDDEN_TEXT
from datasets.models import CaseRevision
from datasets.operations.cases import edit_case
from scoring.models import Score, ScoreAttempt
from scoring.queries.readable_scores import readable_score, readable_scores
from scoring.queries.score_rows import ScoreRow, graded_differently, score_rows
from scoring.queries.scores import NEWEST_FIRST, ScoreFilter, agents_of_scores, find_score, scores_of
from tests.agents.provider_server import FakeProvider, fake_provider
from tests.cast import Cast
from tests.scoring.judges import entry, make_judge_model, reply, verdicts
from tests.scoring.scored import CASE, CHECK, Scene

CANARY = "periwinkle"
READS_ALL = ("owner", "admin", "builder", "operator")


@pytest.fixture
def scene(cast: Cast, settings: Any) -> Scene:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    return Scene(cast)


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    said = entry("c-1", 5, f"the {CANARY} answer", reason=f"It names {CANARY} at length.", rule=f"Rule of {CANARY}.")
    with fake_provider(reply(verdicts(said, entry("c-2", 1, "no such quote")))) as server:
        yield server


@pytest.fixture
def model(scene: Scene, provider: FakeProvider) -> LanguageModel:
    found: LanguageModel = make_judge_model(scene.cast.owner, provider.address)
    scene.judge_by(found)
    return found


@pytest.fixture
def judged(scene: Scene, model: LanguageModel) -> Score:
    """A score whose answer, reasons, quotes and earlier attempt hold a word that nobody may read who may not."""
    call = {"id": "c1", "name": "lookup", "arguments": {"word": CANARY}}
    steps = [{"role": "assistant", "text": f"the {CANARY} answer", "tool_calls": [call]}]
    score = scene.graded(steps=steps)
    Score.objects.filter(pk=score.pk).update(unreadable_reply=f"{CANARY}?", why={"text": CANARY, "values": {}})
    score.refresh_from_db()
    ScoreAttempt.objects.create(
        score=score, number=1, results=score.results, why=score.why, unreadable_reply=f"{CANARY}!", pin=score.pin
    )
    return score


def everything_in(shown: ScoreRow) -> str:
    """All that a page or an answer of the API could show of it, and the row that it carries."""
    found = [repr(vars(shown.score))]
    for name in dir(type(shown)):
        if not name.startswith("_"):
            found.append(repr(getattr(shown, name)))
    for result in getattr(shown, "results", []):
        found += [repr(result), result.why, repr(result.findings), repr(result.failed_first)]
    for attempt in getattr(shown, "attempts", ()):
        found += [attempt.why, repr([(r, r.why, r.findings) for r in attempt.results]), attempt.unreadable_reply]
    return " ".join(found)


# --- Who reads


@pytest.mark.spec("SC-168", "ACC-33")
@pytest.mark.parametrize("who", READS_ALL)
def test_who_reads_runs_and_the_agent_reads_the_evidence(scene: Scene, judged: Score, who: str) -> None:
    shown = scene.seen(judged, who)
    assert shown.is_readable
    assert CANARY in shown.answer
    assert shown.calls[0].arguments == {"word": CANARY}
    findings = {one.finding.id: one for result in shown.results for one in result.findings}
    assert findings["c-1"].finding.reason == f"It names {CANARY} at length."
    assert [quote.text for quote in findings["c-2"].unverified_quotes] == ["no such quote"]
    assert shown.run_id == judged.run_id
    assert shown.agent == scene.agent
    assert shown.attempts[0].unreadable_reply == f"{CANARY}!"


@pytest.mark.spec("SC-168", "ACC-33", "ACC-34", "ACC-35")
@pytest.mark.parametrize("who", ["member", "viewer", "colleague"])
def test_who_does_not_read_runs_gets_outcome_and_states_and_no_word(scene: Scene, judged: Score, who: str) -> None:
    shown = scene.seen(judged, who)
    assert (shown.outcome, shown.state, shown.number) == ("fail", "done", judged.number)
    states = [(result.result.evaluator.value, result.result.state.value) for result in shown.results]
    assert states == [("checks", "pass"), ("tool_calls", "not_applicable"), ("judge", "fail")]
    assert (shown.is_readable, shown.answer, shown.calls, shown.why, shown.run_id, shown.cost) == (
        False,
        "",
        (),
        "",
        None,
        None,
    )
    told = everything_in(shown)
    assert CANARY not in told.replace(str(shown.case), "")
    assert "no such quote" not in told
    assert shown.agent == scene.agent, "they may see the agent, and did not get its words"
    (row,) = score_rows(scene.actor(who), list(scores_of(scene.actor(who), scene.dataset, ScoreFilter())))
    assert (row.outcome, row.is_readable, CANARY in everything_in(row)) == ("fail", False, False)


@pytest.mark.spec("SC-168", "ACC-33", "ACC-D23")
def test_runs_view_alone_is_not_enough_where_the_agent_is_out_of_sight(scene: Scene, judged: Score) -> None:
    """A role that reads runs sees all agents; a key of it that leaves agents out does not."""
    key = ApiKey(member=scene.cast.builder, permissions=["datasets:view", "runs:view"])
    shown = readable_score(Actor.of_key(key), find_score(scene.dataset, judged.pk))
    assert (shown.is_readable, shown.agent, shown.model, shown.run_id) == (False, None, "", judged.run_id)
    assert CANARY not in everything_in(shown)


@pytest.mark.spec("ACC-D23")
@pytest.mark.parametrize("who", [*READS_ALL, "viewer"])
def test_what_a_deleted_agent_answered_is_for_owners_and_admins(scene: Scene, judged: Score, who: str) -> None:
    Agent.objects.filter(pk=scene.agent.pk).delete()
    shown = scene.seen(judged, who)
    assert shown.is_readable is (who in ("owner", "admin"))
    assert (CANARY in everything_in(shown)) is shown.is_readable


@pytest.mark.spec("ACC-33")
def test_an_answer_that_no_agent_gave_needs_no_agent(scene: Scene, judged: Score) -> None:
    Score.objects.update(agent=None, has_agent=False)
    assert scene.seen(judged, "operator").is_readable
    assert not scene.seen(judged, "viewer").is_readable


@pytest.mark.spec("ACC-33")
def test_a_private_agent_is_not_named_to_who_cannot_see_it(scene: Scene, judged: Score) -> None:
    Agent.objects.update(visibility="private")
    shown = scene.seen(judged, "viewer")
    assert (shown.agent, shown.agent_version, shown.model) == (None, None, "")
    assert agents_of_scores(scene.actor("viewer"), scene.dataset) == []
    wanted = ScoreFilter(agent_ids=(scene.agent.pk,))
    assert list(scores_of(scene.actor("viewer"), scene.dataset, wanted)) == []
    share(scene.actor("owner"), scene.agent, member_id=scene.cast.viewer.pk, level="read")
    assert scene.seen(judged, "viewer").agent == scene.agent
    assert agents_of_scores(scene.actor("viewer"), scene.dataset) == [scene.agent]
    assert len(scores_of(scene.actor("viewer"), scene.dataset, wanted)) == 1


@pytest.mark.spec("ACC-25", "ACC-27")
def test_the_case_is_read_by_its_own_rule_and_as_it_was_graded(scene: Scene, judged: Score) -> None:
    changes = {"input": "A later question?"}
    edit_case(scene.actor("builder"), dataset_id=scene.dataset.pk, case_id=scene.case_id, changes=changes)
    shown = scene.seen(judged, "viewer")
    assert shown.case is not None
    assert (shown.case.content.input, shown.version) == (CASE.input, 1)
    CaseRevision.objects.update(conversation_text=True)
    hidden = scene.seen(judged, "viewer")
    assert hidden.case is not None
    assert (hidden.case.text_hidden, hidden.case.content.input) == (True, HIDDEN_TEXT)


def test_reading_saves_nothing_and_hides_nothing_from_the_next_reader(scene: Scene, judged: Score) -> None:
    row = find_score(scene.dataset, judged.pk)
    assert not readable_score(scene.actor("viewer"), row).is_readable
    assert CANARY in readable_score(scene.actor("owner"), row).answer


@pytest.mark.spec("RV-24")
def test_the_failed_ones_come_first(scene: Scene, judged: Score) -> None:
    shown = scene.seen(judged, "owner")
    assert [result.result.state.value for result in shown.failed_first] == ["fail", "pass", "not_applicable"]
    judge = shown.failed_first[0]
    assert [one.finding.verdict.value for one in judge.failed_first] == ["fail", "pass"]


# --- Comparable


@pytest.mark.spec("SC-D5", "SC-96")
def test_grades_of_another_configuration_say_in_what_they_differ(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    first = scene.graded()
    same = scene.graded()
    assert graded_differently(first, same) == ()
    scene.judge_by(model, instructions="Be kinder.", pass_at=2)
    later = scene.graded()
    assert graded_differently(first, later) == ("criteria_hash", "instructions_hash")
    rows = score_rows(scene.actor("owner"), list(scores_of(scene.actor("owner"), scene.dataset, ScoreFilter())))
    differing = {row.id: row.differs_in for row in rows}
    assert differing == {
        first.pk: ["Criteria", "Instructions"],
        same.pk: ["Criteria", "Instructions"],
        later.pk: [],
    }
    scene.set()
    ruled = scene.graded()
    assert scene.seen(ruled, "owner").differing == (), "rules alone are compared with nothing"


@pytest.mark.spec("RV-23")
def test_it_is_said_that_the_judge_graded_on_the_model_that_answered(scene: Scene, judged: Score) -> None:
    assert not scene.seen(judged, "owner").judged_by_same_model
    Score.objects.update(model="judge-1")
    assert scene.seen(judged, "owner").judged_by_same_model


# --- Lists


@pytest.mark.spec("RV-5", "SC-43")
def test_scores_are_filtered_by_outcome_agent_tag_origin_case_and_set(scene: Scene, cast: Cast) -> None:
    other_case = scene.add(CaseDraft(input="Other", checks=(CHECK,), tags=("Shipping",)))
    passed, failed = scene.graded(), scene.graded("No.", case_id=other_case)
    waiting = scene.score()

    def found(**wanted: Any) -> set[Any]:
        rows = scores_of(scene.actor("builder"), scene.dataset, ScoreFilter(**wanted))
        return set(rows.values_list("pk", flat=True))

    assert found() == {passed.pk, failed.pk, waiting.pk}
    assert found(outcomes=("pass",)) == {passed.pk}
    assert found(state="waiting") == {waiting.pk}
    assert found(outcomes=("pass", "fail")) == {passed.pk, failed.pk}
    assert found(origins=("stored",)) == set()
    assert found(origins=("stored", "activity"), outcomes=("fail",)) == {failed.pk}
    assert found(case_id=other_case) == {failed.pk}
    assert found(agent_ids=(scene.agent.pk, scene.case_id)) == {passed.pk, failed.pk, waiting.pk}
    assert found(agent_ids=(scene.case_id,)) == set()
    assert found(tags=("shipping",)) == {failed.pk}
    assert found(tags=("shipping", "none")) == {failed.pk}
    assert found(tags=("returns,shipping",)) == set()
    Score.objects.filter(pk=failed.pk).update(decided="pass")
    assert found(outcomes=("pass",)) == {passed.pk, failed.pk}, "a person's decision counts"
    assert found(automatic="fail") == {failed.pk}
    edit_case(scene.actor("builder"), dataset_id=scene.dataset.pk, case_id=other_case, changes={"tags": ("Delivery",)})
    assert found(tags=("SHIPPING",)) == {failed.pk}, "the tag of the case as it was graded"
    assert found(tags=("delivery",)) == set()


def test_one_of_another_dataset_is_not_found(scene: Scene, cast: Cast) -> None:
    elsewhere = Scene(cast, name="Other")
    score = elsewhere.graded()
    with pytest.raises(NotFound):
        find_score(scene.dataset, score.pk)


def test_a_list_takes_few_queries_however_long_it_is(
    scene: Scene, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for _ in range(3):
        scene.score()
    for who in ("builder", "viewer"):
        with django_assert_max_num_queries(8):
            rows = scores_of(scene.actor(who), scene.dataset, ScoreFilter()).order_by("-created_at")
            shown = score_rows(scene.actor(who), list(rows))
            for row in shown:
                everything_in(row)
    with django_assert_max_num_queries(7):
        readable_scores(scene.actor("owner"), list(scores_of(scene.actor("owner"), scene.dataset, ScoreFilter())))
    assert [column.field for column in NEWEST_FIRST] == ["created_at", "id"]


def test_nothing_is_nothing(scene: Scene) -> None:
    assert score_rows(scene.actor("owner"), []) == []
    assert readable_scores(scene.actor("owner"), []) == []

"""An agent's answer becomes a case: what it takes along, who may do it, what refuses it (DS-159 to DS-178)."""

from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, PersonRequest
from accounts.operations.api_keys import issue_api_key
from accounts.operations.persons import ensure_person_of_member
from activity.models import Message, Run, RunStatus
from agents.models import Helper
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from core.limits import LIMITS
from datasets.models import Authorship, Case, CaseRevision, Dataset, LastDataset
from datasets.operations.answers import AddedAnswer, add_answer_to_new_dataset, add_case_from_answer
from datasets.operations.cases import delete_cases, edit_case
from datasets.operations.datasets import create_dataset
from datasets.queries.answers import find_copied_answer
from datasets.queries.seen_cases import content_of
from tests.cast import Cast
from tests.datasets.answers import ANSWER, EARLIER, QUESTION, make_agent, make_answer, outsider, rate, tool_call


def add(
    cast: Cast,
    dataset: Dataset,
    message: Message,
    keep_as: str = "reference_answer",
    *,
    by: str = "builder",
    **how: Any,
) -> AddedAnswer:
    return add_case_from_answer(cast.actor(by), dataset_id=dataset.pk, message_id=message.pk, keep_as=keep_as, **how)


def said(role: str, text: str) -> dict[str, str]:
    return {"role": role, "content": text}


# --- What the case gets


@pytest.mark.spec("DS-50", "DS-51", "DS-159", "DS-166", "DS-44")
def test_question_and_answer_are_copied_and_the_case_links_to_where_they_came_from(
    cast: Cast, dataset: Dataset
) -> None:
    told = make_answer(cast)
    added = add(cast, dataset, told.message)
    assert content_of(added.revision).as_dict() == {
        "input": QUESTION,
        "history": [],
        "reference_answer": ANSWER,
        "counter_example": None,
        "expected_tool_calls": [],
        "order_mode": "any",
        "checks": [],
        "tags": [],
        "note": None,
    }
    assert (added.version, added.revision.source, added.revision.conversation_text) == (1, "conversation", True)
    case = Case.objects.get(pk=added.revision.case_id)
    assert (case.run, case.conversation, case.message) == (told.run, told.conversation, told.message)


@pytest.mark.spec("DS-166", "DS-153", "DS-D55")
def test_every_step_before_the_next_question_is_one_answer(cast: Cast, dataset: Dataset) -> None:
    call, result = tool_call("refund")
    steps = [{"role": "assistant", "text": "Let me look."}, call, result, {"role": "assistant", "text": "Refunded."}]
    told = make_answer(cast, steps=steps)
    later = Message.objects.create(conversation=told.conversation, position=99, role="user", text="Thanks")
    Message.objects.create(conversation=told.conversation, position=100, role="assistant", text="You are welcome")
    added = add(cast, dataset, told.steps[0])
    assert added.revision.reference_answer == "Let me look.\n\nRefunded."
    assert Case.objects.get().message == told.message
    assert later.text not in added.revision.reference_answer


@pytest.mark.spec("DS-169", "DS-170", "DS-D57")
def test_only_calls_that_succeeded_and_change_something_are_expected_by_name_alone(
    cast: Cast, dataset: Dataset
) -> None:
    steps = [
        *tool_call("find_order"),
        *tool_call("refund"),
        *tool_call("refund", "failed"),
        *tool_call("cancel_order", "blocked"),
        *tool_call("search_knowledge"),
        *tool_call("send_letter"),
        tool_call("never_answered")[0],
        {"role": "assistant", "text": ANSWER},
    ]
    added = add(cast, dataset, make_answer(cast, steps=steps).message)
    assert added.revision.expected_tool_calls == [{"tool": "refund", "args": {}}, {"tool": "send_letter", "args": {}}]
    assert added.revision.order_mode == "any"


@pytest.mark.spec("DS-170")
def test_what_the_version_that_answered_declares_counts_and_not_a_later_one(cast: Cast, dataset: Dataset) -> None:
    version = make_agent(cast)
    told = make_answer(cast, version=version, steps=[*tool_call("refund"), {"role": "assistant", "text": ANSWER}])
    later: Any = {"tools": [{"name": "refund", "read_only": True}]}
    version.agent.versions.create(number=2, spec=later)
    assert [call["tool"] for call in add(cast, dataset, told.message).revision.expected_tool_calls] == ["refund"]


@pytest.mark.spec("DS-146", "DS-169")
def test_a_counter_example_expects_no_calls(cast: Cast, dataset: Dataset) -> None:
    told = make_answer(cast, steps=[*tool_call("refund"), {"role": "assistant", "text": ANSWER}])
    revision = add(cast, dataset, told.message, "counter_example").revision
    assert (revision.counter_example, revision.reference_answer, revision.expected_tool_calls) == (ANSWER, None, [])


@pytest.mark.spec("DS-171", "DS-D56")
def test_an_answer_without_text_is_kept_as_its_calls_alone_and_never_as_a_counter_example(
    cast: Cast, dataset: Dataset
) -> None:
    told = make_answer(cast, steps=tool_call("refund"))
    with pytest.raises(Invalid) as refused:
        add(cast, dataset, told.message, "counter_example")
    assert [problem.field for problem in refused.value.problems] == ["counter_example"]
    revision = add(cast, dataset, told.message).revision
    assert (revision.reference_answer, revision.expected_tool_calls) == (None, [{"tool": "refund", "args": {}}])


@pytest.mark.spec("DS-D56", "DS-48")
@pytest.mark.parametrize("keep_as", ["reference_answer", "counter_example"])
def test_an_answer_with_nothing_to_compare_is_refused_at_the_reference_answer(
    cast: Cast, dataset: Dataset, keep_as: str
) -> None:
    told = make_answer(cast, steps=tool_call("find_order"))
    with pytest.raises(Invalid) as refused:
        add(cast, dataset, told.message, keep_as)
    assert [problem.field for problem in refused.value.problems] == ["reference_answer"]


@pytest.mark.spec("DS-172", "DS-148")
def test_the_newest_comment_of_a_thumbs_down_becomes_the_note_and_is_cut_to_its_size(
    cast: Cast, dataset: Dataset
) -> None:
    told = make_answer(cast)
    rate(told.message, "down", "old", person=outsider(cast, "a"))
    rate(told.message, "down", "n" * (LIMITS.note_characters + 1), person=outsider(cast, "b"))
    rate(told.message, "up", "newest of all", person=outsider(cast, "c"))
    assert add(cast, dataset, told.message, "counter_example").revision.note == "n" * LIMITS.note_characters


@pytest.mark.spec("DS-167", "DS-168")
def test_thumbs_down_offers_the_counter_example_and_anything_else_the_reference(cast: Cast) -> None:
    ways = []
    for rating in ("", "up", "down"):
        told = make_answer(cast)
        if rating:
            rate(told.message, rating)
        ways.append(find_copied_answer(cast.actor("builder"), told.message.pk).default_way)
    assert ways == ["reference_answer", "reference_answer", "counter_example"]


@pytest.mark.spec("DS-160", "DS-162", "DS-164")
def test_the_turns_before_come_along_only_when_chosen(cast: Cast, dataset: Dataset) -> None:
    told = make_answer(cast, earlier=EARLIER)
    assert add(cast, dataset, told.message).revision.history == []
    other = create_dataset(cast.actor("builder"), name="Other")
    kept = add(cast, other, told.message, with_history=True)
    assert kept.revision.history == [
        turn for asked, answered in EARLIER for turn in (said("user", asked), said("assistant", answered))
    ]
    assert kept.turns_left_out == 0


@pytest.mark.spec("DS-D61")
def test_the_most_recent_turns_that_fit_are_kept_and_the_rest_is_counted(cast: Cast, dataset: Dataset) -> None:
    told = make_answer(cast, earlier=[(f"q{n}", f"a{n}") for n in range(60)])
    added = add(cast, dataset, told.message, with_history=True)
    assert (len(added.revision.history), added.turns_left_out) == (LIMITS.history_turns, 20)
    assert added.revision.history[0] == said("user", "q10")
    long = make_answer(cast, earlier=[("q", "a"), ("q", "x" * (LIMITS.text_characters + 1)), ("q", "a")])
    added = add(cast, dataset, long.message, with_history=True)
    assert (len(added.revision.history), added.turns_left_out) == (2, 4)


@pytest.mark.spec("DS-179", "DS-182", "DS-183", "DS-184", "ACC-77")
def test_credentials_are_hidden_also_across_the_end_of_a_cut_note(cast: Cast, dataset: Dataset) -> None:
    key = "ghp_" + "a1B2" * 9
    told = make_answer(cast, question=f"Use {key}", steps=[{"role": "assistant", "text": f"Not {key}"}])
    rate(told.message, "down", "n" * (LIMITS.note_characters - 11) + f" {key}")
    added = add(cast, dataset, told.message)
    kept = f"{added.revision.input} {added.revision.reference_answer} {added.revision.note}"
    assert "ghp_" not in kept
    assert added.hidden == 3
    entry = AuditEntry.objects.get(action="case.added")
    assert entry.details["credentials_hidden"] == 3
    assert key not in str(entry.details)


# --- Whose words


@pytest.mark.spec("ACC-55", "ACC-D38")
def test_who_asked_who_wrote_each_turn_and_whose_comment_it_is_stays_known(cast: Cast, dataset: Dataset) -> None:
    told = make_answer(cast, earlier=EARLIER)
    friend, critic = outsider(cast, "friend"), outsider(cast, "critic")
    Message.objects.filter(pk=told.earlier[2].pk).update(author=friend)
    rate(told.message, "down", "Rude", person=critic)
    revision = add(cast, dataset, told.message, "counter_example", with_history=True).revision
    asker = ensure_person_of_member(cast.member)
    rows = Authorship.objects.filter(revision=revision)
    assert {(row.field, row.turn, row.person_id) for row in rows} == {
        ("question", None, asker.pk),
        ("turn", 0, asker.pk),
        ("turn", 2, friend.pk),
        ("note", None, critic.pk),
    }


@pytest.mark.spec("ACC-D35")
def test_words_of_somebody_who_is_being_erased_are_refused(cast: Cast, dataset: Dataset) -> None:
    asker = outsider(cast, "asker")
    told = make_answer(cast, asker=asker)
    asked = PersonRequest.objects.create(organisation=cast.kettle, person=asker, kind="erasure")
    with pytest.raises(Conflict, match="erased"):
        add(cast, dataset, told.message)
    asked.delete()
    asker.erased_at = timezone.now()
    asker.save()
    with pytest.raises(Conflict) as refused:
        add(cast, dataset, told.message)
    assert refused.value.code == "person_erased"
    assert not CaseRevision.objects.exists()


# --- Who may


@pytest.mark.spec("DS-174", "DS-175", "DS-176", "ACC-21", "ACC-22")
def test_a_message_takes_reading_runs_or_being_able_to_open_the_conversation(cast: Cast) -> None:
    mine = make_answer(cast, owner=cast.member)
    others = make_answer(cast, owner=cast.colleague)
    own = create_dataset(cast.actor("member"), name="Own")
    assert add(cast, own, mine.message, by="member").version == 1
    with pytest.raises(NotFound):
        add(cast, own, others.message, by="member")
    assert add(cast, own, others.message, by="owner").version == 2
    elsewhere = create_dataset(cast.actor("stranger"), name="Elsewhere")
    for message_id in (mine.message.pk, uuid4()):
        with pytest.raises(NotFound):
            add_case_from_answer(
                cast.actor("stranger"), dataset_id=elsewhere.pk, message_id=message_id, keep_as="reference_answer"
            )


@pytest.mark.spec("ACC-D12")
def test_a_key_reaches_what_its_permissions_reach(cast: Cast, dataset: Dataset) -> None:
    told = make_answer(cast)
    wanted: dict[str, Any] = {"dataset_id": dataset.pk, "message_id": told.message.pk, "keep_as": "reference_answer"}
    edits = issue_api_key(cast.actor("owner"), name="k", permissions=["datasets:view", "datasets:edit"]).api_key
    with pytest.raises(NotFound):
        add_case_from_answer(Actor.of_key(edits), **wanted)
    whole = ["datasets:view", "datasets:edit", "runs:view"]
    reads = issue_api_key(cast.actor("owner"), name="k", permissions=whole).api_key
    assert add_case_from_answer(Actor.of_key(reads), **wanted).version == 1


@pytest.mark.spec("ACC-22", "ACC-D9")
def test_the_dataset_takes_the_right_to_edit_it(cast: Cast, dataset: Dataset, private: Dataset) -> None:
    told = make_answer(cast)
    with pytest.raises(NotAllowed):
        add(cast, dataset, told.message, by="operator")
    with pytest.raises(NotFound):
        add(cast, private, told.message, by="member")


@pytest.mark.spec("ACC-24")
def test_what_a_helper_wrote_is_nobodys_answer(cast: Cast, dataset: Dataset) -> None:
    version = make_agent(cast)
    version.agent.helper = Helper.JUDGE
    version.agent.save()
    with pytest.raises(NotFound):
        add(cast, dataset, make_answer(cast, version=version).message)


# --- Added already


@pytest.mark.spec("DS-177", "DS-D54")
def test_an_answer_that_is_a_case_is_refused_also_after_an_edit_and_not_after_its_deletion(
    cast: Cast, dataset: Dataset
) -> None:
    told = make_answer(cast, steps=[{"role": "assistant", "text": "One."}, {"role": "assistant", "text": "Two."}])
    case_id = add(cast, dataset, told.message).revision.case_id
    edit_case(cast.actor("builder"), dataset_id=dataset.pk, case_id=case_id, changes={"input": "Another question"})
    with pytest.raises(Conflict) as refused:
        add(cast, dataset, told.steps[0], "counter_example")
    assert (refused.value.code, refused.value.data) == ("already_added", {"case": str(case_id)})
    delete_cases(cast.actor("builder"), dataset_id=dataset.pk, case_ids=[case_id])
    again = add(cast, dataset, told.message)
    Case.objects.filter(pk=again.revision.case_id).update(message=None)
    assert add(cast, dataset, told.message).twins == 1


@pytest.mark.spec("DS-166")
def test_an_answer_that_is_still_being_written_waits(cast: Cast, dataset: Dataset) -> None:
    told = make_answer(cast, status=RunStatus.RUNNING)
    with pytest.raises(Conflict) as refused:
        add(cast, dataset, told.message)
    assert refused.value.code == "answer_unfinished"


@pytest.mark.spec("DS-D20")
def test_a_text_that_is_too_long_is_refused_at_its_field_and_nothing_is_stored(cast: Cast, dataset: Dataset) -> None:
    told = make_answer(cast, steps=[{"role": "assistant", "text": "x" * (LIMITS.text_characters + 1)}])
    with pytest.raises(Invalid) as refused:
        add(cast, dataset, told.message)
    assert [problem.field for problem in refused.value.problems] == ["reference_answer"]
    assert not Case.objects.exists()


def test_another_way_of_keeping_is_refused_by_name(cast: Cast, dataset: Dataset) -> None:
    with pytest.raises(Invalid) as refused:
        add(cast, dataset, make_answer(cast).message, "note")
    assert [problem.field for problem in refused.value.problems] == ["keep_as"]


# --- What is remembered and told


@pytest.mark.spec("ACC-D27", "ACC-D26", "ACC-D45")
def test_whose_private_conversation_it_was_is_answered_and_logged(cast: Cast, dataset: Dataset) -> None:
    private, shared = make_answer(cast), make_answer(cast, visibility="organisation")
    assert add(cast, dataset, private.message).copied_private_conversation_of == cast.member
    assert add(cast, dataset, shared.message).copied_private_conversation_of is None
    own = create_dataset(cast.actor("member"), name="Own")
    assert add(cast, own, private.message, by="member").copied_private_conversation_of is None
    entries = AuditEntry.objects.filter(action="case.added").order_by("pk")
    assert [entry.details.get("copied_private_conversation_of") for entry in entries] == [
        str(cast.member.pk),
        None,
        None,
    ]
    assert entries[0].member == cast.builder


@pytest.mark.spec("DS-152", "DS-D60")
def test_the_last_dataset_is_remembered_for_each_member(cast: Cast, dataset: Dataset, private: Dataset) -> None:
    add(cast, dataset, make_answer(cast).message)
    add(cast, private, make_answer(cast).message)
    add(cast, dataset, make_answer(cast).message, by="owner")
    assert dict(LastDataset.objects.values_list("member", "dataset")) == {
        cast.builder.pk: private.pk,
        cast.owner.pk: dataset.pk,
    }


@pytest.mark.spec("DS-155")
def test_a_dataset_is_made_with_its_first_case_or_not_at_all(cast: Cast) -> None:
    told = make_answer(cast)
    wanted: dict[str, Any] = {"message_id": told.message.pk, "keep_as": "reference_answer"}
    added = add_answer_to_new_dataset(cast.actor("owner"), name="Answers", **wanted)
    assert (added.dataset.visibility, added.version) == ("organisation", 1)
    with pytest.raises(Invalid):
        add_answer_to_new_dataset(cast.actor("owner"), name="Empty", message_id=told.message.pk, keep_as="x")
    assert [dataset.name for dataset in Dataset.objects.all()] == ["Answers"]


# --- What happens to the links


@pytest.mark.spec("ACC-41", "ACC-42", "ACC-43", "DS-51")
def test_deleting_the_conversation_clears_all_three_links_and_the_text_stays(cast: Cast, dataset: Dataset) -> None:
    told = make_answer(cast)
    revision = add(cast, dataset, told.message).revision
    told.conversation.delete()
    case = Case.objects.get()
    assert (case.run_id, case.conversation_id, case.message_id) == (None, None, None)
    revision.refresh_from_db()
    assert (revision.input, revision.conversation_text) == (QUESTION, True)
    assert Authorship.objects.exists()  # ACC-58


@pytest.mark.spec("ACC-D44", "DS-51")
def test_retention_of_the_run_clears_the_link_to_the_run_alone(cast: Cast, dataset: Dataset) -> None:
    told = make_answer(cast)
    add(cast, dataset, told.message)
    Run.objects.filter(pk=told.run.pk).delete()
    case = Case.objects.get()
    assert (case.run_id, case.conversation_id, case.message_id) == (None, told.conversation.pk, told.message.pk)

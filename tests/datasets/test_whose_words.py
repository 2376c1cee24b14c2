"""Whose words a case holds: kept when it is added, through edits, and until it is written anew (ACC-55 to ACC-60)."""

from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import PersonRequest
from core.errors import Conflict
from datasets.logic.drafts import CaseDraft
from datasets.logic.turn_authors import places_of_turns
from datasets.models import Authorship, CaseRevision, Dataset, Source
from datasets.operations.authorship import Authors
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.operations.datasets import delete_dataset
from tests.cast import Cast
from tests.datasets.conversations import CASE, add_conversation, person


def authors_of(revision: CaseRevision) -> set[tuple[str, int | None, str]]:
    rows = Authorship.objects.filter(revision=revision).select_related("person")
    return {(row.field, row.turn, str(row.person.external_id)) for row in rows}


@pytest.mark.spec("ACC-55", "ACC-D38", "ACC-D41")
def test_a_case_remembers_who_asked_who_wrote_turns_and_whose_comment_it_keeps(cast: Cast, dataset: Dataset) -> None:
    ann, bob, eve = (person(cast, name) for name in ("ann", "bob", "eve"))
    saved = add_conversation(cast, dataset, question=ann, turns={0: ann, 2: bob}, note=eve)
    assert authors_of(saved.revision) == {
        ("question", None, "ann"),
        ("turn", 0, "ann"),
        ("turn", 2, "bob"),
        ("note", None, "eve"),
    }


@pytest.mark.spec("ACC-D38", "ACC-60")
def test_a_case_written_by_hand_has_no_author(cast: Cast, dataset: Dataset) -> None:
    add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=CASE)
    assert not Authorship.objects.exists()


@pytest.mark.spec("ACC-D38")
def test_a_draft_from_chats_has_the_asker_of_the_question_it_varies(cast: Cast, dataset: Dataset) -> None:
    saved = add_case(
        cast.actor("builder"),
        dataset_id=dataset.pk,
        draft=CaseDraft("q", reference_answer="a"),
        source=Source.SYNTHETIC,
        authors=Authors(question=person(cast, "ann")),
    )
    assert authors_of(saved.revision) == {("question", None, "ann")}
    assert not saved.revision.conversation_text


@pytest.mark.parametrize("wrong", [{"turns": {1: None}}, {"turns": {4: None}}, {"note": None}])
def test_authors_that_do_not_fit_the_case_are_a_mistake(cast: Cast, dataset: Dataset, wrong: dict[str, Any]) -> None:
    ann = person(cast, "ann")
    fields: dict[str, Any] = {"turns": dict.fromkeys(wrong["turns"], ann)} if "turns" in wrong else {"note": ann}
    draft = CASE.with_changes({"note": None})
    with pytest.raises(ValueError, match="author"):
        add_conversation(cast, dataset, draft, **fields)


@pytest.mark.spec("ACC-D35")
def test_words_of_somebody_who_is_being_erased_are_not_taken_in(cast: Cast, dataset: Dataset) -> None:
    ann = person(cast, "ann")
    PersonRequest.objects.create(organisation=cast.kettle, person=ann, kind=PersonRequest.Kind.ERASURE)
    with pytest.raises(Conflict) as refused:
        add_conversation(cast, dataset, question=ann)
    assert refused.value.code == "person_erased"
    assert not CaseRevision.objects.exists()


@pytest.mark.spec("ACC-D40", "ACC-58", "DS-D26")
def test_an_edit_keeps_the_authors_and_the_source(cast: Cast, dataset: Dataset) -> None:
    ann, bob = person(cast, "ann"), person(cast, "bob")
    saved = add_conversation(cast, dataset, question=ann, turns={0: ann, 2: bob}, note=bob)
    changes = {"input": "New words", "note": None, "tags": ("x",)}
    edited = edit_case(
        cast.actor("builder"), dataset_id=dataset.pk, case_id=saved.revision.case_id, changes=changes
    ).revision
    assert authors_of(edited) == authors_of(saved.revision)
    assert (edited.source, edited.conversation_text) == ("conversation", True)


@pytest.mark.spec("ACC-D40")
def test_the_author_of_a_turn_follows_it_to_its_new_place(cast: Cast, dataset: Dataset) -> None:
    ann, bob = person(cast, "ann"), person(cast, "bob")
    saved = add_conversation(cast, dataset, turns={0: ann, 2: bob})
    history = (CASE.history[2], {"role": "assistant", "content": "What else?"}, CASE.history[0])
    edited = edit_case(
        cast.actor("builder"), dataset_id=dataset.pk, case_id=saved.revision.case_id, changes={"history": history}
    ).revision
    assert authors_of(edited) == {("turn", 0, "bob"), ("turn", 2, "ann")}


@pytest.mark.spec("ACC-D40")
def test_a_turn_made_of_two_has_the_authors_of_both(cast: Cast, dataset: Dataset) -> None:
    ann, bob = person(cast, "ann"), person(cast, "bob")
    saved = add_conversation(cast, dataset, turns={0: ann, 2: bob})
    history = ({"role": "user", "content": "I bought a medlar, and my friend a second."},)
    edited = edit_case(
        cast.actor("builder"), dataset_id=dataset.pk, case_id=saved.revision.case_id, changes={"history": history}
    ).revision
    assert authors_of(edited) == {("turn", 0, "ann"), ("turn", 0, "bob")}


# Few texts, so that many turns say the same.
TURNS = st.lists(
    st.sampled_from([{"role": role, "content": said} for role in ("user", "assistant") for said in "abc"]), max_size=8
)


@pytest.mark.spec("ACC-D40")
@given(before=TURNS, after=TURNS)
def test_a_turn_that_says_what_one_said_before_holds_its_words(before: list[Any], after: list[Any]) -> None:
    places = places_of_turns(before, after)
    assert len(places) == len(after)
    for turn, came_from in zip(after, places, strict=True):
        assert {place for place, old in enumerate(before) if old == turn} <= came_from
    assert places_of_turns(before, before) == [{i for i, old in enumerate(before) if old == turn} for turn in before]


@pytest.mark.spec("ACC-D41", "DS-74")
def test_the_memory_goes_with_the_dataset(cast: Cast, dataset: Dataset) -> None:
    saved = add_conversation(cast, dataset, question=person(cast, "ann"))
    delete_cases(cast.actor("builder"), dataset_id=dataset.pk, case_ids=[saved.revision.case_id])
    assert Authorship.objects.count() == 1
    delete_dataset(cast.actor("builder"), dataset_id=dataset.pk)
    assert not Authorship.objects.exists()


@pytest.mark.spec("ACC-56", "ACC-D41", "ACC-D14", "DS-D65")
def test_the_operators_view_has_no_authors_and_no_text() -> None:
    text = {"input", "history", "reference_answer", "counter_example", "expected_tool_calls", "checks", "note"}
    text |= {"search_text", "question_hash"}
    assert Authorship not in admin.site._registry
    for model in apps.get_app_config("datasets").get_models():
        shown = admin.site._registry.get(model)
        if shown is not None:
            named = {*shown.list_display, *(shown.fields or ()), *shown.list_filter, *shown.search_fields}
            assert shown.fields is not None
            assert not named & text, model
            assert not shown.inlines

"""Who may open the original conversation reads the words of a case on every face; others do not (ACC-25 on)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from accounts.operations.api_keys import issue_api_key
from activity.models import Conversation
from core.errors import NotAllowed
from datasets.models import Case, Dataset
from datasets.operations.answers import AddedAnswer, add_case_from_answer
from datasets.operations.cases import edit_case
from datasets.operations.datasets import create_dataset
from datasets.operations.exports import export_version
from datasets.queries.cases import CaseFilter, cases_in_order, find_case, ordered, revisions_of
from datasets.queries.comparisons import compare_versions
from datasets.queries.export_size import characters_of, copied_texts
from datasets.queries.readable_words import reading_mark
from datasets.queries.seen_cases import SeenCase
from tests.cast import Cast
from tests.datasets.answers import ANSWER, EARLIER, QUESTION, Told, make_agent, make_answer
from tests.datasets.pages import PANEL, text


@pytest.fixture
def shared(cast: Cast) -> Dataset:
    """Owned by the Owner; its cases come from conversations of the Member, who reads no runs."""
    return create_dataset(cast.actor("owner"), name="Shared")


@pytest.fixture
def told(cast: Cast) -> Told:
    return make_answer(cast, earlier=EARLIER)


def add(cast: Cast, dataset: Dataset, told: Told) -> AddedAnswer:
    added = add_case_from_answer(
        cast.actor("owner"),
        dataset_id=dataset.pk,
        message_id=told.message.pk,
        keep_as="reference_answer",
        with_history=True,
    )
    dataset.refresh_from_db()
    return added


def seen(actor: Actor, dataset: Dataset, added: AddedAnswer, number: int = 1) -> SeenCase:
    return find_case(actor, dataset, number, added.revision.case_id)


@pytest.mark.spec("ACC-25", "ACC-26", "ACC-D18")
def test_the_person_of_the_conversation_reads_the_words_and_another_member_does_not(
    cast: Cast, shared: Dataset, told: Told
) -> None:
    added = add(cast, shared, told)
    assert seen(cast.actor("member"), shared, added).content.input == QUESTION
    for other in ("colleague", "viewer"):
        case = seen(cast.actor(other), shared, added)
        assert (case.text_hidden, case.turn_count, case.content.history) == (True, 4, ())


@pytest.mark.spec("ACC-25", "ACC-D18")
def test_sharing_the_conversation_opens_the_words_and_taking_it_back_hides_them(
    cast: Cast, shared: Dataset, told: Told
) -> None:
    added, viewer = add(cast, shared, told), cast.actor("viewer")
    hidden = []
    for visibility in ("private", "organisation", "private"):
        Conversation.objects.update(visibility=visibility)
        hidden.append(seen(viewer, shared, added).text_hidden)
    assert hidden == [True, False, True]


@pytest.mark.spec("ACC-29", "ACC-41")
def test_when_the_conversation_is_gone_only_who_reads_runs_reads_on(cast: Cast, shared: Dataset, told: Told) -> None:
    added = add(cast, shared, told)
    told.conversation.delete()
    assert seen(cast.actor("member"), shared, added).text_hidden
    assert not seen(cast.actor("operator"), shared, added).text_hidden


@pytest.mark.spec("ACC-D12")
def test_a_key_opens_the_conversations_of_its_issuer_only_where_it_may_talk_to_agents(
    cast: Cast, shared: Dataset, told: Told
) -> None:
    added = add(cast, shared, told)
    for permissions, hidden in ((["datasets:view"], True), (["datasets:view", "agents:run"], False)):
        key = issue_api_key(cast.actor("member"), name="k", permissions=permissions).api_key
        assert seen(Actor.of_key(key), shared, added).text_hidden is hidden


@pytest.mark.spec("DS-D3", "DS-50")
def test_where_a_case_came_from_is_told_as_far_as_the_reader_can_open_it(
    cast: Cast, shared: Dataset, told: Told, sign_in: Callable[[str], Client]
) -> None:
    added = add(cast, shared, told)
    address = f"/api/v1/datasets/{shared.pk}/cases/{added.revision.case_id}"
    origins = {role: sign_in(role).get(address).json()["origin"] for role in ("operator", "member", "viewer")}
    ids = {"conversation": str(told.conversation.pk), "message": str(told.message.pk), "document": None}
    assert origins == {
        "operator": {**ids, "run": str(told.run.pk)},
        "member": {**ids, "run": None},
        "viewer": dict.fromkeys(origins["viewer"]),
    }
    page = f"/datasets/{shared.pk}/?case={added.revision.case_id}"
    opens = {role: str(told.conversation.pk) in text(sign_in(role).get(page)) for role in origins}
    assert opens == {"operator": True, "member": True, "viewer": False}


# --- Every face


def words_by(actor: Actor, dataset: Dataset) -> dict[str, bool]:
    """On which faces this actor reads the words."""
    number = dataset.newest_version
    columns = ["search_text", "position"]
    file = b"".join(export_version(actor, dataset_id=dataset.pk, file_format="jsonl").pieces).decode()
    compared = compare_versions(actor, dataset, 0, number).cases[0:50]
    return {
        "rows": QUESTION in str(list(cases_in_order(actor, dataset, number))),
        "search": revisions_of(actor, dataset, number, CaseFilter(search="quince")).exists(),
        "export": QUESTION in file and ANSWER in file,
        "comparison": QUESTION in str(compared),
        "size": characters_of(actor, dataset, number) > 150,
        "copied": copied_texts(actor, dataset, number).hidden == 0,
        "sorting": not any(getattr(row, "is_hidden", 0) for row in _sorted(actor, dataset, columns)),
    }


def _sorted(actor: Actor, dataset: Dataset, columns: list[str]) -> list[Any]:
    return list(ordered(actor, revisions_of(actor, dataset, dataset.newest_version, CaseFilter()), columns))


@pytest.mark.spec("ACC-27", "ACC-28", "ACC-D20", "DS-D6")
def test_every_face_shows_the_words_to_who_may_open_the_conversation_and_to_no_other(
    cast: Cast, shared: Dataset, told: Told
) -> None:
    add(cast, shared, told)
    faces = {role: words_by(cast.actor(role), shared) for role in ("owner", "member", "colleague", "viewer")}
    assert {role: set(found.values()) for role, found in faces.items()} == {
        "owner": {True},
        "member": {True},
        "colleague": {False},
        "viewer": {False},
    }


@pytest.mark.spec("ACC-30", "ACC-31", "ACC-D19")
def test_who_may_open_the_conversation_edits_the_words_and_who_may_not_does_not(cast: Cast, told: Told) -> None:
    own = create_dataset(cast.actor("member"), name="Own")
    mine, other = add(cast, own, told), add(cast, own, make_answer(cast, owner=cast.colleague))
    member = cast.actor("member")
    saved = edit_case(member, dataset_id=own.pk, case_id=mine.revision.case_id, changes={"note": "Checked"})
    assert saved.revision.note == "Checked"
    with pytest.raises(NotAllowed):
        edit_case(member, dataset_id=own.pk, case_id=other.revision.case_id, changes={"note": "Checked"})


# --- How many queries


@contextmanager
def counted() -> Iterator[CaptureQueriesContext]:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        yield queries


@pytest.mark.spec("ACC-D20")
def test_a_page_of_cases_from_many_conversations_asks_once_what_its_reader_may_open(
    cast: Cast, shared: Dataset, sign_in: Callable[[str], Client]
) -> None:
    version = make_agent(cast)

    def asked(address: str) -> int:
        client = sign_in("member")
        with counted() as queries:
            response = client.get(address)
            if response.streaming:
                b"".join(response)
        return len(queries)

    addresses = [
        f"/datasets/{shared.pk}/",
        f"/datasets/{shared.pk}/?q=quince&sort=question",
        f"/api/v1/datasets/{shared.pk}/cases",
        f"/api/v1/datasets/{shared.pk}/export?format=csv",
        f"/datasets/{shared.pk}/compare/?from=1&to=2",
    ]
    for owner in (cast.member, cast.colleague):
        add(cast, shared, make_answer(cast, owner=owner, version=version))
    few = [asked(address) for address in addresses]
    for owner in (cast.member, cast.colleague) * 6:
        add(cast, shared, make_answer(cast, owner=owner, version=version))
    addresses[-1] = f"/datasets/{shared.pk}/compare/?from=1&to=14"
    many = [asked(address) for address in addresses]
    assert many == few
    assert max(many) <= 25


# --- An open panel, and copies in the browser


@pytest.mark.spec("ACC-D25", "ACC-D13")
def test_an_open_panel_learns_that_what_may_be_read_has_changed(
    cast: Cast, shared: Dataset, told: Told, sign_in: Callable[[str], Client]
) -> None:
    added, member = add(cast, shared, told), sign_in("member")
    page = member.get(f"/datasets/{shared.pk}/?case={added.revision.case_id}", headers=PANEL).content.decode()
    address = page.split('data-mask-watch="')[1].split('"')[0].replace("&amp;", "&")
    assert (member.get(address).status_code, member.get(address)["Cache-Control"]) == (204, "no-store")
    told.conversation.delete()
    assert member.get(address).status_code == 200
    Dataset.objects.filter(pk=shared.pk).update(visibility="private")
    assert member.get(address).status_code == 404


def test_a_case_by_hand_is_not_watched(cast: Cast, add: Callable[..., Any], browser: Client, page: str) -> None:
    case_id = add("question").revision.case_id
    assert "data-mask-watch" not in text(browser.get(f"{page}?case={case_id}"))


@pytest.mark.spec("ACC-D37", "ACC-D25")
def test_the_mark_of_copies_follows_what_may_be_read(cast: Cast, shared: Dataset, told: Told) -> None:
    member, viewer, owner = (cast.actor(role) for role in ("member", "viewer", "owner"))
    marks = [[reading_mark(actor, shared) for actor in (member, viewer, owner)]]
    add(cast, shared, told)
    marks.append([reading_mark(actor, shared) for actor in (member, viewer, owner)])
    told.conversation.delete()
    marks.append([reading_mark(actor, shared) for actor in (member, viewer, owner)])
    assert marks[0][0] != marks[1][0] != marks[2][0]
    assert marks[0][1:] == marks[1][1:] == marks[2][1:]
    assert Case.objects.get().conversation_id is None

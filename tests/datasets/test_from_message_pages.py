"""The console's ways of adding an answer: the control, its dialog, and what a rating asks (DS-142 to DS-178)."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.test import Client

from accounts import access
from accounts.permissions import GrantLevel
from activity.models import Feedback
from activity.places import companions_for, controls_for
from core.limits import LIMITS
from datasets.models import CaseRevision, Dataset
from datasets.operations.answers import add_case_from_answer
from datasets.operations.datasets import create_dataset
from datasets.views.rated_answers import add_rated_answer
from tests.cast import Cast
from tests.datasets.answers import ANSWER, EARLIER, Told, make_answer, rate, tool_call
from tests.datasets.pages import PART, text

SENT = {"keep_as": "reference_answer"}


def address(told: Told, name: str = "") -> str:
    return f"/datasets/answers/{told.message.pk}/{name}"


def sent(dataset: Dataset, **more: str) -> dict[str, str]:
    return {**SENT, "dataset": str(dataset.pk), **more}


# --- The control


@pytest.mark.spec("DS-153", "DS-178", "DS-D54")
def test_the_control_offers_to_add_and_then_names_the_dataset_and_opens_the_case(
    cast: Cast, dataset: Dataset, browser: Client
) -> None:
    told = make_answer(cast)
    assert "Add to dataset" in text(browser.get(address(told)))
    added = browser.post(address(told, "add/"), sent(dataset, warned="1"), headers=PART)
    case_id = CaseRevision.objects.get().case_id
    link = f'<a href="/datasets/{dataset.pk}/?case={case_id}">Returns</a>'
    for shown in (added, browser.get(address(told))):
        assert link in shown.content.decode()
        assert "Add to dataset" not in text(shown)
    assert "dialog-closed" in added["HX-Trigger"]
    assert "Added to Returns, version 1." in added["HX-Trigger"]


@pytest.mark.spec("DS-178", "ACC-19", "ACC-20")
def test_a_dataset_that_the_reader_cannot_see_is_not_named(cast: Cast, sign_in: Callable[[str], Client]) -> None:
    told = make_answer(cast, owner=cast.colleague)
    hidden = create_dataset(cast.actor("owner"), name="Secret set", visibility="private")
    add_case_from_answer(
        cast.actor("owner"), dataset_id=hidden.pk, message_id=told.message.pk, keep_as="reference_answer"
    )
    page = text(sign_in("colleague").get(address(told)))
    assert "Secret set" not in page
    assert "Add to dataset" in page
    assert "Secret set" in text(sign_in("admin").get(address(told)))


@pytest.mark.spec("DS-156", "DS-D54")
def test_opened_for_a_dataset_the_control_adds_to_that_one(cast: Cast, dataset: Dataset, browser: Client) -> None:
    other, told = create_dataset(cast.actor("builder"), name="Other"), make_answer(cast, visibility="organisation")
    browser.post(address(told, "add/"), sent(other), headers=PART)
    page = browser.get(f"{address(told)}?from=run&dataset={dataset.pk}").content.decode()
    assert "Other</a>" in page
    assert f"add/?from=run&amp;dataset={dataset.pk}" in page
    assert "Add to dataset" in page
    dialog = browser.get(f"{address(told, 'add/')}?dataset={dataset.pk}", headers=PART).content.decode()
    assert f'<option value="{dataset.pk}" selected>' in dialog


@pytest.mark.spec("DS-173", "ACC-22")
def test_only_who_can_edit_some_dataset_is_offered_either_way(
    cast: Cast, dataset: Dataset, sign_in: Callable[[str], Client]
) -> None:
    told = make_answer(cast, visibility="organisation")

    def offered(role: str) -> tuple[bool, bool, int]:
        names = {control.url_name for control in controls_for(cast.actor(role))}
        asks = {companion.url_name for companion in companions_for(cast.actor(role))}
        return "answer_cases" in names, "answer_rated" in asks, sign_in(role).get(address(told)).status_code

    assert {role: offered(role) for role in ("owner", "builder", "member", "operator", "viewer")} == {
        "owner": (True, True, 200),
        "builder": (True, True, 200),
        "member": (True, True, 200),
        "operator": (False, False, 403),
        "viewer": (False, False, 403),
    }
    access.put_grant(dataset, user=cast.viewer.user, level=GrantLevel.EDIT)
    assert offered("viewer") == (True, True, 200)


@pytest.mark.spec("DS-174", "DS-176", "ACC-D9")
@pytest.mark.parametrize("name", ["", "add/", "rated/"])
def test_an_answer_out_of_reach_is_not_there(cast: Cast, name: str, sign_in: Callable[[str], Client]) -> None:
    told = make_answer(cast, owner=cast.colleague)
    for who in ("member", "stranger", "viewer"):
        assert sign_in(who).get(address(told, name)).status_code == 404


# --- The dialog


@pytest.mark.spec("DS-154", "DS-161", "DS-162", "DS-163", "DS-167")
def test_the_dialog_begins_with_this_question_alone_and_with_how_the_answer_was_rated(
    cast: Cast, dataset: Dataset, browser: Client
) -> None:
    told = make_answer(cast, earlier=EARLIER, question="And what about the lid?")
    rate(told.message, "down", "Wrong lid")
    page = browser.get(address(told, "add/"), headers=PART)
    assert page["Cache-Control"] == "no-store"
    html = page.content.decode()
    assert 'value="counter_example"' in html.split("checked")[0].rsplit("<input", 1)[1]
    assert "Only this question" in html
    assert "seems to go on from the one before" in html
    assert all(words in html for words in ("And what about the lid?", ANSWER, "Wrong lid"))
    shown = page.context["form"]
    assert (shown["with_history"].value(), shown["keep_as"].value()) == ("", "counter_example")


@pytest.mark.spec("DS-164")
def test_a_question_with_nothing_before_it_is_not_asked_about(cast: Cast, dataset: Dataset, browser: Client) -> None:
    page = text(browser.get(address(make_answer(cast, question="And now?"), "add/"), headers=PART))
    assert "Only this question" not in page
    assert "go on from the one before" not in page


@pytest.mark.spec("DS-160")
def test_with_the_conversation_the_turns_come_along(cast: Cast, dataset: Dataset, browser: Client) -> None:
    told = make_answer(cast, earlier=EARLIER, visibility="organisation")
    browser.post(address(told, "add/"), sent(dataset, with_history="yes"), headers=PART)
    assert len(CaseRevision.objects.get().history) == 4


@pytest.mark.spec("ACC-38", "ACC-39", "ACC-D26")
def test_a_private_conversation_of_another_is_copied_only_after_naming_its_owner(
    cast: Cast, dataset: Dataset, browser: Client, sign_in: Callable[[str], Client]
) -> None:
    told = make_answer(cast)
    page = text(browser.get(address(told, "add/"), headers=PART))
    assert "This is a private conversation of Member" in page
    assert "Readers of the dataset who can read runs will see the text." in page
    assert "Copy anyway" in page
    unwarned = browser.post(address(told, "add/"), sent(dataset), headers=PART)
    assert (unwarned.status_code, unwarned["HX-Retarget"]) == (409, "#dialog-content")
    assert "Copy anyway" in text(unwarned)
    assert 'name="warned" value="1"' in unwarned.content.decode()
    assert not CaseRevision.objects.exists()
    assert browser.post(address(told, "add/"), sent(dataset, warned="1"), headers=PART).status_code == 200
    create_dataset(cast.actor("member"), name="Own")
    own = text(sign_in("member").get(address(told, "add/"), headers=PART))
    assert "private conversation" not in own
    assert "Copy anyway" not in own


@pytest.mark.spec("DS-155")
def test_where_there_is_no_dataset_one_is_made_that_the_organisation_sees(cast: Cast, browser: Client) -> None:
    told = make_answer(cast, visibility="organisation")
    assert "Name of a new dataset" in text(browser.get(address(told, "add/"), headers=PART))
    empty = browser.post(address(told, "add/"), SENT, headers=PART)
    assert (empty.status_code, Dataset.objects.count()) == (422, 0)
    browser.post(address(told, "add/"), {**SENT, "name": "Answers"}, headers=PART)
    made = Dataset.objects.get()
    assert (made.name, made.visibility, made.case_count) == ("Answers", "organisation", 1)


@pytest.mark.spec("DS-152", "DS-D60")
def test_the_last_dataset_is_chosen_and_one_out_of_reach_is_not(cast: Cast, dataset: Dataset, browser: Client) -> None:
    create_dataset(cast.actor("builder"), name="Another")
    first, second = (make_answer(cast, visibility="organisation") for _each in range(2))
    browser.post(address(first, "add/"), sent(dataset), headers=PART)
    assert browser.get(address(second, "add/"), headers=PART).context["form"]["dataset"].value() == str(dataset.pk)
    Dataset.objects.filter(pk=dataset.pk).update(owner=cast.owner, visibility="private")
    assert browser.get(address(second, "add/"), headers=PART).context["form"]["dataset"].value() == ""


@pytest.mark.spec("DS-177", "DS-D54")
def test_an_answer_that_is_there_by_then_is_told_with_the_way_to_it(
    cast: Cast, dataset: Dataset, browser: Client
) -> None:
    told = make_answer(cast, visibility="organisation")
    browser.post(address(told, "add/"), sent(dataset), headers=PART)
    again = browser.post(address(told, "add/"), sent(dataset), headers=PART)
    case_id = CaseRevision.objects.get().case_id
    assert (again.status_code, again["HX-Retarget"]) == (409, "#dialog-content")
    assert f"/datasets/{dataset.pk}/?case={case_id}" in again.content.decode()


@pytest.mark.spec("DS-D56")
def test_where_there_is_nothing_to_compare_the_dialog_says_so_and_adds_nothing(
    cast: Cast, dataset: Dataset, browser: Client
) -> None:
    told = make_answer(cast, steps=tool_call("find_order"), visibility="organisation")
    page = browser.get(address(told, "add/"), headers=PART)
    assert "nothing to compare" in text(page)
    assert 'type="submit"' not in page.content.decode()
    assert browser.post(address(told, "add/"), sent(dataset), headers=PART).status_code == 422


@pytest.mark.spec("DS-D34", "DS-D64")
def test_what_else_there_is_to_know_stands_in_the_message(cast: Cast, dataset: Dataset, browser: Client) -> None:
    key = "ghp_" + "a1B2" * 9
    for _each in range(2):
        told = make_answer(cast, question=f"Use {key}", visibility="organisation")
        answered = browser.post(address(told, "add/"), sent(dataset), headers=PART)
    assert "1 other case asks the same." in answered["HX-Trigger"]
    assert "1 value looked like a credential and was hidden." in answered["HX-Trigger"]


def test_without_javascript_the_dialog_is_a_page_that_leads_to_the_case(
    cast: Cast, dataset: Dataset, browser: Client
) -> None:
    told = make_answer(cast, visibility="organisation")
    assert "<html" in browser.get(address(told, "add/")).content.decode()
    added = browser.post(address(told, "add/"), sent(dataset))
    assert added["Location"] == f"/datasets/{dataset.pk}/?case={CaseRevision.objects.get().case_id}"


@pytest.mark.parametrize("name", ["", "add/", "rated/"])
def test_each_part_asks_few_queries(
    cast: Cast, dataset: Dataset, browser: Client, name: str, django_assert_max_num_queries: Any
) -> None:
    told = make_answer(cast, earlier=EARLIER, steps=[*tool_call("refund"), {"role": "assistant", "text": ANSWER}])
    browser.get(address(told, name))
    with django_assert_max_num_queries(20):
        browser.get(address(told, name), headers=PART)


# --- What a rating asks


@pytest.mark.spec("DS-143", "DS-161", "DS-162")
def test_the_confirmation_of_a_thumb_up_keeps_the_answer_as_the_reference_with_one_press(
    cast: Cast, dataset: Dataset, sign_in: Callable[[str], Client]
) -> None:
    create_dataset(cast.actor("member"), name="Own")
    told = make_answer(cast, earlier=EARLIER)
    member = sign_in("member")
    shown = member.get(f"{address(told, 'rated/')}?rating=up").content.decode()
    assert all(words in shown for words in ("Add to dataset", "Only this question", 'value="reference_answer"'))
    own = Dataset.objects.get(name="Own")
    added = member.post(address(told, "add/"), sent(own, rated="up", with_history=""), headers=PART)
    page = added.content.decode()
    assert 'class="answer-rated"' in page
    assert f'id="answer-cases-{told.message.pk}" hx-swap-oob="outerHTML"' in page
    assert CaseRevision.objects.get().reference_answer == ANSWER
    assert "Added to" in text(member.get(f"{address(told, 'rated/')}?rating=up"))


@pytest.mark.spec("DS-145", "DS-147", "DS-161")
def test_the_dialog_of_a_thumb_down_offers_a_box_and_says_what_a_counter_example_is(
    cast: Cast, dataset: Dataset, browser: Client
) -> None:
    told = make_answer(cast, earlier=EARLIER)
    page = text(browser.get(f"{address(told, 'rated/')}?rating=down"))
    assert "Add this answer to a dataset" in page
    assert "an answer the agent should not give" in page
    assert "Only this question" in page


def after(cast: Cast, told: Told, posted: Mapping[str, str], *, by: str = "builder") -> tuple[str, str] | None:
    done = add_rated_answer(cast.actor(by), told.message, posted)
    return (done.kind, done.text) if done else None


@pytest.mark.spec("DS-146", "DS-148", "DS-149", "DS-172")
def test_the_ticked_box_adds_the_counter_example_with_the_comment_as_its_note(cast: Cast, dataset: Dataset) -> None:
    told = make_answer(cast)
    rate(told.message, "down", "Too short")
    posted = {"adding-add": "on", "adding-dataset": str(dataset.pk)}
    done = after(cast, told, posted)
    assert done == ("pass", "Your rating is stored, and the answer is added to Returns, version 1.")
    revision = CaseRevision.objects.get()
    assert (revision.counter_example, revision.note, revision.history) == (ANSWER, "Too short", [])


@pytest.mark.spec("DS-145")
def test_without_the_box_nothing_is_added_or_said(cast: Cast, dataset: Dataset) -> None:
    assert after(cast, make_answer(cast), {"adding-dataset": str(dataset.pk)}) is None
    assert not CaseRevision.objects.exists()


@pytest.mark.spec("DS-149", "DS-150")
@pytest.mark.parametrize("chosen", ["", "nonsense", "private", "without text"])
def test_a_refusal_says_that_the_rating_stays_and_why_the_answer_was_not_added(
    cast: Cast, dataset: Dataset, chosen: str
) -> None:
    secret = create_dataset(cast.actor("owner"), name="Secret", visibility="private")
    told = make_answer(cast, owner=cast.member, steps=tool_call("refund") if chosen == "without text" else STEPS)
    ids = {"private": str(secret.pk), "without text": str(create_dataset(cast.actor("member"), name="Own").pk)}
    done = after(cast, told, {"adding-add": "on", "adding-dataset": ids.get(chosen, chosen)}, by="member")
    assert done is not None
    assert (done[0], done[1].startswith("Your rating is stored, but the answer was not added: ")) == ("fail", True)
    assert not CaseRevision.objects.exists()


STEPS = ({"role": "assistant", "text": ANSWER},)


@pytest.mark.spec("DS-155")
def test_a_rating_too_makes_the_first_dataset(cast: Cast) -> None:
    done = after(cast, make_answer(cast), {"adding-add": "on", "adding-name": "Answers"})
    assert done is not None
    assert done[0] == "pass"
    assert Dataset.objects.get().name == "Answers"


def rated_down(client: Client, told: Told, **posted: str) -> Any:
    given = {"rating": "down", "comment": "Too short", "adding-add": "on", **posted}
    return client.post(f"/chat/answers/{told.message.pk}/rating/", given, headers=PART)


@pytest.mark.spec("DS-145", "DS-146")
def test_the_ticked_box_without_a_dataset_is_asked_about_before_anything_is_stored(
    cast: Cast, dataset: Dataset, sign_in: Callable[[str], Client]
) -> None:
    create_dataset(cast.actor("member"), name="Another")
    told, client = make_answer(cast, owner=cast.member, earlier=EARLIER), sign_in("member")
    asked = rated_down(client, told, **{"adding-dataset": "", "adding-with_history": "yes"})
    assert (asked.status_code, Feedback.objects.exists()) == (422, False)
    page = asked.content.decode()
    assert "Choose a dataset." in page
    assert "Too short" in page
    assert len(re.findall(r"<input[^>]* checked", page)) == 2  # the box, and that the conversation comes along
    chosen = Dataset.objects.get(name="Another")
    sent_again = rated_down(client, told, **{"adding-dataset": str(chosen.pk), "adding-with_history": "yes"})
    assert "added to Another, version 1" in sent_again["HX-Trigger"]
    assert len(CaseRevision.objects.get().history) == 4


def test_what_was_chosen_besides_stays_where_the_comment_is_refused(
    cast: Cast, dataset: Dataset, sign_in: Callable[[str], Client]
) -> None:
    told = make_answer(cast, owner=cast.member)
    long = {"comment": "x" * (LIMITS.note_characters + 1), "adding-dataset": str(dataset.pk)}
    refused = rated_down(sign_in("member"), told, **long)
    assert refused.status_code == 422
    assert re.search(r'name="adding-add"[^>]* checked', refused.content.decode())
    assert not Feedback.objects.exists()


# --- From a dataset


@pytest.mark.spec("DS-13", "DS-25")
def test_the_menu_of_a_dataset_leads_to_activity_for_who_can_read_runs(
    cast: Cast, dataset: Dataset, browser: Client, page: str, sign_in: Callable[[str], Client]
) -> None:
    shown = browser.get(page).content.decode()
    assert f"{page}add-from-activity/" in shown
    assert "Copy an answer from Activity" in shown
    own = create_dataset(cast.actor("member"), name="Own")
    assert "Reading runs is needed to choose an answer there." in text(sign_in("member").get(f"/datasets/{own.pk}/"))

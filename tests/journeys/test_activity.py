"""Activity in a browser: narrowing the list, going from run to run in the panel, the page, copying, deleting."""

import pytest
from playwright.sync_api import Page, expect

from activity.models import Feedback, Message, Run
from tests.activity.rows import make_agent, make_conversation, make_person, make_run, make_version
from tests.cast import Cast
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

STEPS = [
    {
        "role": "assistant",
        "tool_calls": [{"id": "c1", "name": "find_order", "arguments": {"order_number": "KC-20417"}}],
        "input_tokens": 900,
    },
    {"role": "tool", "tool_call_id": "c1", "tool_name": "find_order", "text": '{"state": "sent"}', "outcome": "ok"},
]


@pytest.fixture
def run(cast: Cast) -> Run:
    """The newest of three runs, in the middle of a conversation."""
    agent = make_agent(cast)
    person = make_person(cast.kettle)
    make_run(agent, "Is it broken?", status="failed", error="The provider said no.", minutes=9, seconds=None)
    talk = make_conversation(agent, person=person)
    make_run(agent, "Where is my order?", conversation=talk, minutes=5, person=person)
    made = make_run(
        agent,
        "And when does it come?",
        "On **Tuesday**.",
        conversation=talk,
        steps=STEPS,
        person=person,
        agent_version=make_version(agent),
        rating="down",
    )
    answer = Message.objects.filter(run=made, role="assistant").last()
    Feedback.objects.create(message=answer, person=person, rating="down", comment="It came on Friday.")  # type: ignore[misc]
    return made


@pytest.mark.spec("PL-31")
def test_from_the_list_to_a_run_and_on_to_the_next(page: Page, run: Run) -> None:
    page.goto("/activity/")
    rows = page.locator("tr[data-row]")
    expect(rows).to_have_count(3)
    page.get_by_role("link", name="And when does it come?").click()
    panel = page.locator("#panel")
    expect(panel).to_contain_text("On Tuesday.")
    expect(panel).to_contain_text("It came on Friday.")
    panel.get_by_text("find_order").click()
    expect(panel).to_contain_text('"order_number": "KC-20417"')
    panel.get_by_text("Earlier in this conversation").click()
    expect(panel).to_contain_text("Where is my order?")
    assert_accessible(page)
    rows.first.locator("[data-row-link]").focus()
    page.keyboard.press("j")
    expect(panel.locator(".run-question")).to_have_text("Where is my order?")
    page.keyboard.press("Escape")
    expect(page.locator("#panel[data-panel]")).to_have_count(0)
    page.get_by_label("Status").select_option("failed")
    expect(rows).to_have_count(1)
    expect(page).to_have_url("/activity/?status=failed")
    page.get_by_label("Search questions").first.fill("zeppelin")
    expect(page.get_by_text("No run fits")).to_be_visible()


@pytest.mark.spec("PL-31")
def test_a_run_is_copied_and_deleted_from_its_page(page: Page, run: Run) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/activity/{run.pk}/")
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("button", name="Copy as JSON").click()
    expect(page.locator("#messages")).to_contain_text("Copied")
    assert '"role": "assistant"' in page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("link", name="Delete run").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("4 messages")
    dialog.get_by_role("button", name="Delete run").click()
    expect(page).to_have_url("/activity/")
    expect(page.locator("tr[data-row]")).to_have_count(2)


@pytest.mark.looks
def test_the_empty_list_is_for_everybody(cast: Cast, page: Page, live_server: object) -> None:
    assert_accessible_everywhere(page, f"{live_server.url}/activity/")  # type: ignore[attr-defined]


@pytest.mark.looks
def test_the_list_and_a_run_are_for_everybody(page: Page, run: Run, live_server: object) -> None:
    assert_accessible_everywhere(page, f"{live_server.url}/activity/")  # type: ignore[attr-defined]
    assert_accessible_everywhere(page, f"{live_server.url}/activity/{run.pk}/")  # type: ignore[attr-defined]

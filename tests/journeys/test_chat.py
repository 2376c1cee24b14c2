"""Talking to an agent in a real browser: the answer comes in pieces, calls fold out, thumbs, stopping, trying again."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from activity.models import Feedback
from tests.activity.talks import make_talking_agent
from tests.agents.provider_server import Answer, FakeProvider, fake_provider, piece, says, stream, wants
from tests.cast import Cast
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere

pytestmark = [pytest.mark.journey, pytest.mark.every_database, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def provider(cast: Cast, settings: Any) -> Iterator[FakeProvider]:
    """What the agent asks; its tool is a server too."""
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    with fake_provider(says("Hello.")) as server, fake_provider(Answer({"state": "sent"})) as shop:
        tool = {"name": "find_order", "parameters": {"type": "object", "properties": {}}, "read_only": True}
        make_talking_agent(cast.owner, server.address, tools=[{**tool, "endpoint": shop.address}])
        yield server


def ask(page: Page, text: str) -> None:
    page.get_by_label("Your question").fill(text)
    page.get_by_label("Your question").press("Enter")


@pytest.mark.spec("PL-30", "DS-142", "DS-143", "DS-145")
def test_asking_reading_and_rating_an_answer(
    page_of: Callable[..., Page], live_server: Any, provider: FakeProvider
) -> None:
    provider.answers[:] = [wants(("find_order", {"number": 12}), text="Let me look."), says("It was **sent**.")]
    page = page_of("builder")
    page.goto("/chat/")
    ask(page, "Where is order 12?")
    expect(page).to_have_url(re.compile(r"/chat/[0-9a-f-]{36}/$"))
    expect(page.locator(".answer strong")).to_have_text("sent")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Where is order 12?")
    page.locator("summary", has_text="find_order").click()
    expect(page.get_by_text('"state": "sent"')).to_be_visible()

    up, down = page.get_by_role("button", name="Good answer"), page.get_by_role("button", name="Bad answer")
    up.click()
    expect(up).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("Rated as a good answer.")).to_be_visible()
    expect(page.locator(".confirmation").get_by_role("button", name="Add to dataset")).to_be_visible()
    down.click()
    page.get_by_role("textbox", name="Comment").fill("It should say when.")
    expect(page.get_by_label("Add this answer to a dataset")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("dialog").get_by_role("button", name="Send").click()
    expect(down).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("Your rating is stored.")).to_be_visible()
    assert Feedback.objects.get().comment == "It should say when."
    assert_accessible_everywhere(page, page.url)
    assert_accessible_everywhere(page, live_server.url + "/chat/")


def test_stopping_an_answer_and_trying_again(page_of: Callable[..., Page], provider: FakeProvider) -> None:
    provider.answers[:] = [stream(piece("It is a long "), piece("story"), then="goes on"), says("It was sent.")]
    page = page_of("member")
    page.goto("/chat/")
    ask(page, "Where is order 12?")
    expect(page.get_by_text("It is a long story")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped", exact=True)).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".answer").get_by_text("It was sent.")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    expect(page.locator("[data-exchange]")).to_have_count(2)
    page.wait_for_load_state("networkidle")

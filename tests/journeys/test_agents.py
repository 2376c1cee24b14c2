"""An agent in a real browser: made, told what to do, given a tool, published, changed, compared (PL-21, PL-22)."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from agents.models import Agent
from agents.operations.agent_secrets import set_secret
from tests.agents.test_agent_operations import make_model
from tests.cast import Cast
from tests.journeys.axe import assert_accessible, assert_accessible_everywhere

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]


@pytest.mark.spec("PL-21", "PL-22")
def test_from_no_agent_to_the_changes_of_its_second_version(page_of: Callable[..., Page], cast: Cast) -> None:
    make_model(cast, "owner", label="Small")
    page = page_of("builder")
    page.goto("/agents/")
    page.get_by_role("link", name="New agent").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Returns")
    assert_accessible(page)
    dialog.get_by_role("button", name="Create agent").click()
    expect(page.get_by_role("heading", name="Returns", level=1)).to_be_visible()
    _write(page, "Be kind and slow.")
    _choose_model(page)
    _save(page, "The draft is saved.")
    _add_tool(page)
    _publish(page, 1)
    page.get_by_role("link", name="Instructions").click()
    _write(page, "Be kind and quick.")
    _save(page, "The draft is saved.")
    _publish(page, 2)
    page.get_by_role("link", name="Compare version 2 with the one before").click()
    expect(page.locator("del")).to_have_text("slow")
    expect(page.locator("ins")).to_have_text("quick")
    assert_accessible(page)


def _write(page: Page, text: str) -> None:
    page.get_by_label("Instructions", exact=True).and_(page.locator("textarea")).fill(text)


def _choose_model(page: Page) -> None:
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name="Small").click()


def _save(page: Page, told: str) -> None:
    bar = page.get_by_role("region", name="Unsaved change")
    bar.get_by_role("button").last.click()
    expect(page.get_by_text(told)).to_be_visible()


def _add_tool(page: Page) -> None:
    """A wrong schema says its line; the right one is kept."""
    page.get_by_role("link", name="Tools").click()
    page.get_by_role("link", name="Add tool").click()
    page.get_by_label("Name").fill("find_order")
    page.get_by_label("Description").fill("Finds an order.")
    page.get_by_label("Parameters").fill('{\n  "type": "array"\n}')
    page.get_by_label("Address").fill("https://shop.example.com/orders")
    page.get_by_role("region", name="Unsaved change").get_by_role("button", name="Save tool").click()
    expect(page.get_by_text("Line 2, type").first).to_be_visible()
    assert_accessible(page)
    page.get_by_label("Parameters").fill('{"type": "object"}')
    _save(page, "is saved in the draft.")


def _publish(page: Page, number: int) -> None:
    page.get_by_role("link", name=f"Publish version {number}").click()
    dialog = page.get_by_role("dialog", name=f"Publish version {number}")
    dialog.get_by_label("What changed").fill(f"Words of version {number}.")
    dialog.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_role("cell", name=f"Words of version {number}.")).to_be_visible()


@pytest.mark.looks
@pytest.mark.spec("PL-21")
@pytest.mark.parametrize("tab", ["instructions", "knowledge", "settings&part=secrets"])
def test_the_parts_of_an_agent_are_accessible_at_every_width(
    page_of: Callable[..., Page], cast: Cast, live_server: Any, tab: str
) -> None:
    agent = Agent.objects.create(organisation=cast.kettle, owner=cast.builder, name="Support", kind="model")
    set_secret(cast.actor("builder"), agent_id=agent.pk, name="SHOP", value="v")
    assert_accessible_everywhere(page_of("builder"), f"{live_server.url}/agents/{agent.pk}/?tab={tab}")

"""A real browser for the journeys: Chromium, a live server, and pages signed in as a member of the cast.

def test_add_a_case(page_of, live_server):
    page = page_of("builder")
    page.goto(live_server.url + "/datasets/")
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.cast import Cast
from tests.chromium import chromium_path
from tests.journeys.axe import EXAMINED, dismiss

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]
PATIENCE_MS = 30_000  # a busy machine takes its time to load a page


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    # Playwright's synchronous API runs an event loop in this thread; Django would refuse the ORM beside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(chromium_path()), args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session", autouse=True)
def kept_scripts() -> Iterator[None]:
    """A browser keeps scripts and styles from one page to the next, as it does in production."""

    def kept(handler: StaticFilesHandler, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = served(handler, request)
        response["Cache-Control"] = "max-age=3600"
        return response

    served = StaticFilesHandler.serve
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesHandler, "serve", kept)
        yield


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser contexts, and at the end fails where a page of one raised an error or broke the policy."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def make(**options: Any) -> BrowserContext:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, "locale": "en-GB", **options})
        context.set_default_timeout(PATIENCE_MS)
        context.on("weberror", lambda error: problems.append(str(error.error)))
        context.on("console", lambda message: problems.extend(_refused(context, message)))
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        dismiss(context)
        context.close()
    assert not problems, "\n".join(problems)


def _refused(context: BrowserContext, message: Any) -> list[str]:
    return [message.text] if "Content Security Policy" in message.text and context not in EXAMINED else []


@pytest.fixture
def anonymous_page(live_server: Any, new_context: Callable[..., BrowserContext]) -> Page:
    """A page of somebody who is not signed in."""
    return new_context(base_url=live_server.url).new_page()


@pytest.fixture
def page_of(
    live_server: Any,
    cast: Cast,
    sign_in: Callable[[str], Any],
    new_context: Callable[..., BrowserContext],
) -> Callable[..., Page]:
    """`page_of("builder")`: a page signed in as that member; `page.goto("/datasets/")` goes to the live server."""

    def open_page(name: str, **options: Any) -> Page:
        session = sign_in(name).cookies[settings.SESSION_COOKIE_NAME].value
        context = new_context(base_url=live_server.url, **options)
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
        return context.new_page()

    return open_page


@pytest.fixture
def page(page_of: Callable[..., Page]) -> Page:
    """A page signed in as the owner of Kettle & Co."""
    return page_of("owner")

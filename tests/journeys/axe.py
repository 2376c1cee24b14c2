"""Accessibility in a real browser: axe-core over a page, at two widths and in both colour schemes."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from weakref import WeakKeyDictionary, WeakSet

import axe_playwright_python
from playwright.sync_api import Browser, BrowserContext, Page

SCRIPT = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What a colour scheme can change: everything else was examined in the other one.
CONTRAST = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
WIDTHS = (1440, 390)
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")

# axe writes inline styles of its own: what the policy says after it has run is no fault of the page.
EXAMINED: WeakSet[BrowserContext] = WeakSet()

# Beside each context that was looked at: what its storage held, and the page that looks with the same storage.
ONLOOKERS: WeakKeyDictionary[BrowserContext, tuple[Any, Page]] = WeakKeyDictionary()

# Runs before anything of a document does. Playwright's own `set_storage_state` would empty the cache of scripts too.
AS_IF_NEW = """(origins) => {
    if (window !== top || location.origin === "null") return;
    sessionStorage.clear();
    localStorage.clear();
    const kept = origins.find(({ origin }) => origin === location.origin)?.localStorage ?? [];
    for (const { name, value } of kept) localStorage.setItem(name, value);
}"""


def assert_accessible(page: Page, within: str = "", *, rules: Any = RULES) -> None:
    """No rule of WCAG 2.2 AA, as far as axe-core can judge it, is broken; the failure names rule and element.

    The script runs through the debugger, so the page's Content-Security-Policy stays as it is.
    """
    settle(page)
    EXAMINED.add(page.context)
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT)
    options = {"runOnly": rules, "resultTypes": ["violations"]}
    found = page.evaluate(
        """([within, options]) => Promise.race([
            axe.run(within || document, options).then((found) => found.violations),
            new Promise((_, refuse) => setTimeout(() => refuse(new Error("axe did not end")), 60000)),
        ])""",
        [within, options],
    )
    assert not found, "\n".join([page.url, *(_line(violation) for violation in found)])


def settle(page: Page) -> None:
    """Wait until nothing moves: colours in the middle of an animation have no meaning.

    Chromium may stop the clock of a page that it does not paint, so an animation that does not end is ended.
    """
    page.evaluate(
        """async () => {
            const moving = document.getAnimations().filter((a) => a.effect.getTiming().iterations !== Infinity);
            const still = Promise.all(moving.map((a) => a.finished.catch(() => null)));
            await Promise.race([still, new Promise((done) => setTimeout(done, 2000))]);
            moving.forEach((a) => a.finish());
        }"""
    )


def _line(violation: dict[str, Any]) -> str:
    places = [f"    {node['html'][:130]}\n      {node['failureSummary'][:200]}" for node in violation["nodes"][:5]]
    return f"{violation['id']} ({violation['impact']}): {violation['help']}\n" + "\n".join(places)


@contextmanager
def setting(browser: Browser, state: Any, *, width: int, scheme: Scheme) -> Iterator[Page]:
    """A page of that width and colour scheme with the cookies of `state` (a context's `storage_state()`)."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, storage_state=json.loads(json.dumps(state))
    )
    try:
        yield context.new_page()
    finally:
        context.close()


def assert_accessible_everywhere(page: Page, address: str) -> None:
    """`address`, seen with the cookies of `page`, is accessible and never wider than the window: 1440 and 390 px,
    light and dark."""
    state = page.context.storage_state()
    seen = onlooker(page.context, state["origins"])
    for width in WIDTHS:
        visit(seen, address, state["cookies"], width=width)
        for scheme, rules in zip(SCHEMES, (RULES, CONTRAST), strict=True):
            seen.emulate_media(color_scheme=scheme)
            assert_accessible(seen, rules=rules)
        wide = seen.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{address} is {wide} px wide in a window of {width} px"


def onlooker(owner: BrowserContext, origins: Any) -> Page:
    """The page that looks at addresses beside the pages of `owner`: one for a whole test, which loads a script once.

    Its context is its own, so what it visits changes nothing for them. `dismiss` closes it.
    """
    if owner in ONLOOKERS and ONLOOKERS[owner][0] != origins:
        dismiss(owner)
    if owner not in ONLOOKERS:
        assert owner.browser is not None
        context = owner.browser.new_context()
        context.add_init_script(f"({AS_IF_NEW})({json.dumps(origins)})")
        ONLOOKERS[owner] = origins, context.new_page()
    return ONLOOKERS[owner][1]


def dismiss(owner: BrowserContext) -> None:
    """Close what looked on beside the pages of `owner`."""
    if owner in ONLOOKERS:
        ONLOOKERS.pop(owner)[1].context.close()


def visit(seen: Page, address: str, cookies: Any, *, width: int) -> None:
    """Load `address` as a new window would: in that width and light colours, with those cookies and no others."""
    if seen.url != "about:blank":
        seen.goto("about:blank")  # whatever a page still does when it is left comes before the cookies
    seen.context.clear_cookies()
    seen.context.add_cookies(json.loads(json.dumps(cookies)))
    seen.set_viewport_size({"width": width, "height": 900})
    seen.emulate_media(color_scheme=SCHEMES[0])
    seen.goto(address)

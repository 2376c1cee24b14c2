"""What the tests of console pages share: headers of htmx, a page's text, what the case form sends."""

import re
from typing import Any

PART = {"HX-Request": "true"}
PANEL = {"HX-Request": "true", "HX-Target": "panel"}


def text(response: Any) -> str:
    """The page with every run of whitespace as one space."""
    return re.sub(r"\s+", " ", response.content.decode())


def filled(**fields: str) -> dict[str, str]:
    """What the case form sends; rows by the names of their fields, such as `checks.0.type`."""
    names = ("reference_answer", "counter_example", "tags", "note")
    return {"input": "q", "order_mode": "any", **dict.fromkeys(names, ""), **fields}

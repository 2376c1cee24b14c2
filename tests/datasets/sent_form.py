"""What a browser sends for a form of a page: the fields that are on, in their order, with their values."""

from html.parser import HTMLParser
from typing import Any

from django.http import QueryDict

ALONE = {"input", "br", "hr", "img", "link", "meta", "path", "circle", "line", "rect", "polyline", "polygon", "ellipse"}


class SentForm(HTMLParser):
    """Reads one page; `fields` are the pairs of the form with the given id, without its buttons."""

    def __init__(self, form_id: str) -> None:
        super().__init__(convert_charrefs=True)
        self.form_id = form_id
        self.fields: list[tuple[str, str]] = []
        self._open: list[tuple[str, dict[str, Any]]] = []
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "input" and self._is_on(given):
            ticked = given.get("type") in ("checkbox", "radio")
            if given.get("type") not in ("submit", "button", "file") and (not ticked or "checked" in given):
                value = given.get("value", "on" if ticked else "")
                self.fields.append((given["name"], value.replace("\r", "").replace("\n", "")))
        if tag == "option" and self._open and self._open[-1][0] == "select":
            self._open[-1][1].setdefault("options", []).append(given)
        if tag == "textarea":
            self._text = []
        if tag not in ALONE and tag != "option":
            self._open.append((tag, given))

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1][0] == "textarea":
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in ALONE or tag == "option":
            return
        name, given = self._open.pop()
        assert name == tag, f"</{tag}> closes <{name}>"
        if tag == "textarea" and self._is_on(given):
            text = "".join(self._text).replace("\r\n", "\n").replace("\r", "\n").removeprefix("\n")
            self.fields.append((given["name"], text.replace("\n", "\r\n")))
        if tag == "select" and self._is_on(given):
            options = given.get("options", [])
            chosen = next((one for one in options if "selected" in one), options[0])
            self.fields.append((given["name"], chosen["value"]))

    def _is_on(self, given: dict[str, Any]) -> bool:
        inside = any(tag == "form" and one.get("id") == self.form_id for tag, one in self._open)
        off = any(tag == "template" or (tag == "fieldset" and "disabled" in one) for tag, one in self._open)
        return inside and not off and "disabled" not in given and "name" in given


def sent_by(page: str, form_id: str = "case-form", **also: str) -> QueryDict:
    """The form of the page as Django receives it once somebody presses Save; the token against forgery left out."""
    reader = SentForm(form_id)
    reader.feed(page)
    reader.close()
    data = QueryDict(mutable=True)
    for name, value in [*reader.fields, *also.items()]:
        if name == "csrfmiddlewaretoken":
            continue
        data.appendlist(name, value)
    return data

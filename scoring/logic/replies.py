"""Reading a judge's reply: its entries, or why it could not be read; never an exception (SC-113, SC-D39, BC-10)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from core.limits import LIMITS
from core.texts import UNSTORABLE
from datasets.logic.credentials import hide
from scoring.logic.causes import CUT_OFF, Cause
from scoring.logic.findings import Reason
from scoring.logic.loose_json import json_in
from scoring.logic.prompt import sent_answer

CUT_OFF_ENDS = ("length", "max_tokens")
# Names of fields that a judge's run lists: a reply of a thousand wrong entries fills no page.
NAMED_FIELDS = 40
ALL = "verdicts"

_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(?:\.0{1,18})?", re.ASCII)


@dataclass(frozen=True)
class Entry:
    """One grade as the judge gave it; `place` is where it stood among the verdicts, from 0."""

    place: int
    criterion: str
    grade: int
    quotes: tuple[str, ...] = ()
    rule: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Reading:
    """What a reply says. `why` is why it could not be read, None where it could.

    `unread_fields` are the names of fields that could not be read, such as `verdicts.2.grade`, and none of the reply's
    words (SC-133). `is_repaired` where a comma too many was forgiven (BC-22).
    """

    entries: tuple[Entry, ...] = ()
    unread_fields: tuple[str, ...] = ()
    is_repaired: bool = False
    why: Reason | None = None

    @property
    def is_readable(self) -> bool:
        return self.why is None


def read_reply(text: str, finish_reason: str, *, answer: str = "") -> Reading:
    """Read the text of a reply to this answer that ended for this reason.

    One that was cut off at the token limit is never read, even where a grade could be guessed from it (BC-23). Nor is
    one in whose words stands nothing but what it quotes from the answer: that is no reply of a judge (BC-25).
    """
    if finish_reason in CUT_OFF_ENDS:
        return Reading(unread_fields=(ALL,), why=CUT_OFF)
    found = json_in(text)
    if found is None or (found.picked and _without_spaces(found.picked) in _without_spaces(sent_answer(answer))):
        return _unreadable((ALL,))
    verdicts = found.value.get(ALL) if isinstance(found.value, dict) else found.value
    if not isinstance(verdicts, list):
        return _unreadable((ALL,))
    unread: list[str] = []
    entries = tuple(_entries(verdicts, unread))
    named = tuple(unread[:NAMED_FIELDS])
    return Reading(entries, named, found.is_repaired) if entries else _unreadable(named or (ALL,))


def unknown_criteria(reading: Reading, asked: Iterable[str]) -> tuple[str, ...]:
    """The places of entries for criteria that nobody asked for, by position: their ids are words of the reply."""
    known = set(map(id_key, asked))
    places = [f"{ALL}.{entry.place}.criterion" for entry in reading.entries if id_key(entry.criterion) not in known]
    return tuple(places[:NAMED_FIELDS])


def id_key(identifier: str) -> str:
    """What two spellings of a criterion's id have in common (BC-26)."""
    return identifier.strip().casefold()


def kept_reply(text: str) -> str:
    """The beginning of a reply that could not be read, as it is stored beside the reason (SC-131, SC-149)."""
    limit = LIMITS.unreadable_reply_characters
    return UNSTORABLE.sub("\ufffd", hide(text[: 2 * limit]).text[:limit])


def _without_spaces(text: str) -> str:
    return "".join(text.split())


def _unreadable(fields: tuple[str, ...]) -> Reading:
    return Reading(unread_fields=fields, why=Cause.UNREADABLE.reason)


def _entries(verdicts: list[Any], unread: list[str]) -> Iterator[Entry]:
    """The readable ones; the names of what could not be read are added to `unread`."""
    for place, verdict in enumerate(verdicts):
        at = f"{ALL}.{place}"
        if not isinstance(verdict, dict):
            unread.append(at)
            continue
        criterion, grade = _text(verdict.get("criterion")).strip(), _grade(verdict.get("grade"))
        unread += [] if criterion else [f"{at}.criterion"]
        unread += [] if grade is not None else [f"{at}.grade"]
        unread += [f"{at}.{name}" for name in ("quotes", "rule", "reason") if not _is_fitting(name, verdict.get(name))]
        if criterion and grade is not None:
            quotes = _quotes(verdict.get("quotes"))
            yield Entry(place, criterion, grade, quotes, _text(verdict.get("rule")), _text(verdict.get("reason")))


def _grade(value: Any) -> int | None:
    """A whole number, also written as 4.0 or "4"; never true, 4.5 or null (SC-D39)."""
    if isinstance(value, str):
        written = value.strip()
        return int(written.partition(".")[0]) if _WHOLE_NUMBER.fullmatch(written) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if value == int(value) else None


def _is_fitting(name: str, value: Any) -> bool:
    if value is None or isinstance(value, str):
        return True
    return name == "quotes" and isinstance(value, list) and all(isinstance(quote, str) for quote in value)


def _quotes(value: Any) -> tuple[str, ...]:
    """The texts of a list; one text is a list of one."""
    found = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(quote for quote in found if isinstance(quote, str))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""

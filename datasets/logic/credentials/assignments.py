"""Finds values that a name makes credentials: `password = …`, `"api_key": "…"`, `--token …`, `the password is …`."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from datasets.logic.credentials import names
from datasets.logic.credentials.kind import Find
from datasets.logic.credentials.likeness import is_credible_key, is_credible_password
from datasets.logic.credentials.names import Promise

_NAME_LENGTH = 48
_LONG = 64
"""A longer value that is no credential is not looked through for further names: that would take time squared."""

_NAME_BACKWARDS = re.compile(r"[\w.-]*")

_ASSIGNMENT = re.compile(
    rf"{names.WORD.pattern}(?P<close>(?:[\\\"'`\]*]|__){{0,6}})"
    r"(?:[ \t]{0,4}(?P<sign>:=|=>|={1,3}|!==?|::?|>)[ \t]{0,8}|[ \t]{1,4}(?:is|es|jest|to|was|ist):?[ \t]{1,4}"
    r"|(?P<space>[ \t]{1,4}))(?:\*\*[ \t]{0,4})?"
)
_SCHEME = re.compile(r"(?:token|api-?key|key|bot|negotiate|digest)[ \t]{1,4}", re.IGNORECASE)
_QUOTED = re.compile(
    r"[bfru@]{0,2}\\{0,3}(?P<quote>[\"'`])"
    r"(?P<value>(?:[^\"'`\\\s]|\\(?![\\\"'`nrt])|(?!(?P=quote))[\"'`](?=[^\s\\\"'`,;:)}\]])){1,512}+)"
    r"(?=\\{0,3}(?P=quote))"
)
_PLAIN = re.compile(r"(?P<value>(?:[^\s\"'`<>\\&,;(){}\[\]|*]|&(?![\w.%-]{1,40}=)|\*(?!\*)){4,512}+)(?![(\[{])")
_WHOLE_LINE = re.compile(r"(?P<value>[^\s\"'`<>]{4,512}+)(?=[ \t]*(?:\r?\n|$))")
_LINE_START = re.compile(r"(?:^|[\n\r])[ \t]*(?:export |set |env |- )?$")
_TRAILING = ".,:;!?"


class _Value(NamedTuple):
    """Where a value stands, and whether it is certainly meant literally: quoted, or a line of an environment file."""

    start: int
    end: int
    literal: bool


def find_assignments(text: str) -> Iterator[Find]:
    """Each value beside a name of a credential that looks like one, and not like a word, a template or code."""
    lowered = text.lower()
    if len(lowered) != len(text):  # one letter of Turkish becomes two
        lowered = text.replace("\u0130", "I").lower()
    done = 0
    for at in names.positions(lowered):
        if at < done or not (assigned := _ASSIGNMENT.match(lowered, at)):
            continue
        before = lowered[max(0, at - _NAME_LENGTH) : at]
        if (value := _value(text, assigned, before)) is None:
            continue
        kind = _kind(before, assigned, text[value.start : value.end], value.literal)
        if kind:
            yield Find(value.start, value.end, kind)
        if kind or value.end - value.start > _LONG:
            done = value.end


@lru_cache(maxsize=1024)
def is_name(key: object) -> bool:
    """Whether a key of a nested value ends as names of credentials do."""
    return isinstance(key, str) and names.last_word(key.lower()) is not None


def kind_in_field(name: str, value: str) -> str | None:
    """The kind of a value that stands alone under the name, as in `{"password": "…"}`, or None for no credential."""
    lowered = name.lower()
    word = names.last_word(lowered)
    if word is None or not value or any(c.isspace() for c in value):
        return None
    return _kind(lowered[: word.start()], word, value, literal=True)


def _kind(before: str, word: re.Match[str], value: str, literal: bool) -> str | None:
    match names.promise(before, word):
        case None:
            return None
        case Promise.PASSWORD if is_credible_password(value, literal):
            return names.kind_of(before + word[0], value)
        case Promise.KEY if is_credible_key(value, literal):
            return names.kind_of(before + word[0], value)
    return names.named_kind(before + word[0], value)


def _value(text: str, assigned: re.Match[str], before: str) -> _Value | None:
    """What stands behind the sign. A mere space counts only in `--token …` and in `token "…";`."""
    at = assigned.end()
    if scheme := _SCHEME.match(text, at):
        at = scheme.end()
    quoted = _QUOTED.match(text, at)
    if assigned["space"] and not _is_option(before):
        return _Value(*quoted.span("value"), True) if quoted and text.startswith(";", quoted.end() + 1) else None
    if quoted:
        return _Value(*quoted.span("value"), True)
    if assigned["sign"] == ">" and not (assigned["close"] == "" and _is_tag(before)):
        return None
    if _is_line_of_environment(text, assigned, before) and (line := _WHOLE_LINE.match(text, at)):
        return _Value(*line.span("value"), True)
    plain = _PLAIN.match(text, at)
    return _without_trailing(text, *plain.span("value")) if plain else None


def _name_before(before: str) -> tuple[str, str]:
    """What leads to the name, and the name as far as it stands before its last word."""
    length = _NAME_BACKWARDS.match(before[::-1]).end()  # type: ignore[union-attr]  # it matches the empty string too
    return before[: len(before) - length], before[len(before) - length :]


def _is_option(before: str) -> bool:
    return _name_before(before)[1].startswith("--")


def _is_tag(before: str) -> bool:
    return _name_before(before)[0].endswith(("<", ":"))


def _is_line_of_environment(text: str, assigned: re.Match[str], before: str) -> bool:
    """`DB_PASSWORD=…` with nothing before it but `export`: the value is all there is on the line."""
    adjacent = assigned["sign"] == "=" and assigned.end() == assigned.start("sign") + 1 and not assigned["close"]
    return (
        adjacent
        and text[assigned.start() : assigned.start("sign")].isupper()
        and _LINE_START.search(_name_before(before)[0]) is not None
    )


def _without_trailing(text: str, start: int, end: int) -> _Value:
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    return _Value(start, end, False)

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
    r"(?P<value>(?>(?:[^\"'`\\\s]|\\(?![\\\"'`nrt])|(?!(?P=quote))[\"'`](?=[^\s\\\"'`,;:)}\]])){1,512}))"
    r"(?=\\{0,3}(?P=quote))"
)
_PLAIN = re.compile(
    r"(?:\\{0,3}[\"'`])?(?P<value>(?>(?:[^\s\"'`<>\\&,;(){}\[\]|*]|&(?![\w.%-]{1,40}=|#?\w{2,8};)|\*(?!\*)){4,512}))(?![(\[{])"
)
_LOOSE = re.compile(r"\\{0,3}[\"'`]|\S{15}")
_WHOLE_LINE = re.compile(r"(?P<value>[^\s\"'`<>]{4,512}+)(?=[ \t]*(?:\r?\n|$))")
_LINE_START = re.compile(r"(?:^|[\n\r])[ \t]*(?:export |set |env |- )?$")
_TRAILING = ".,:;!?"


class _Value(NamedTuple):
    """Where a value stands, and how sure it is that it is the value of that name.

    `literal`: it is quoted, or a line of an environment file, and no word of a sentence or of a program.
    `loose`: a mere space leads to it, so only a known owner makes it one.
    """

    start: int
    end: int
    literal: bool = True
    loose: bool = False


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
        written = text[value.start : value.end]
        kind = (
            names.named_kind(before + names.word_of(assigned), written)
            if value.loose
            else _kind(before, assigned, written, value.literal)
        )
        if kind and not _is_path(assigned, before):
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
    name = before + names.word_of(word)
    match names.promise(before, word):
        case None:
            return None
        case Promise.PASSWORD if is_credible_password(value, literal):
            return names.kind_of(name, value)
        case Promise.KEY if is_credible_key(value, literal):
            return names.kind_of(name, value)
    return names.named_kind(name, value)


def _value(text: str, assigned: re.Match[str], before: str) -> _Value | None:
    """What stands behind the sign. A mere space leads to one in `--token …` and in `token "…";` only."""
    at = assigned.end()
    option = assigned["space"] and _is_option(before)
    if assigned["space"] and not option and not _LOOSE.match(text, at):
        return None
    if scheme := _SCHEME.match(text, at):
        at = scheme.end()
    if quoted := _QUOTED.match(text, at):
        ends = text.startswith(";", quoted.end() + 1)
        return _Value(*quoted.span("value"), loose=bool(assigned["space"]) and not option and not ends)
    if assigned["sign"] == ">" and (assigned["close"] or not _is_tag(before)):
        return None
    if _is_line_of_environment(text, assigned, before) and (line := _WHOLE_LINE.match(text, at)):
        return _Value(*line.span("value"))
    plain = _PLAIN.match(text, at)
    if plain is None or (assigned["sign"] == ">" and not text.startswith("</", plain.end())):
        return None
    start, end = _without_trailing(text, *plain.span("value"))
    return _Value(start, end, literal=False, loose=bool(assigned["space"]) and not option)


def _name_before(before: str) -> tuple[str, str]:
    """What leads to the name, and the name as far as it stands before its last word."""
    length = _NAME_BACKWARDS.match(before[::-1]).end()  # type: ignore[union-attr]  # it matches the empty string too
    return before[: len(before) - length], before[len(before) - length :]


def _is_option(before: str) -> bool:
    return _name_before(before)[1].startswith("--")


def _is_tag(before: str) -> bool:
    return _name_before(before)[0].endswith(("<", ":"))


def _is_path(assigned: re.Match[str], before: str) -> bool:
    """`AWS::ApiGateway::ApiKey` and `arn:aws:…:secret:…` are names of things."""
    lead = _name_before(before)[0]
    return lead.endswith("::") or (lead.endswith(":") and assigned["sign"] in (":", "::"))


def _is_line_of_environment(text: str, assigned: re.Match[str], before: str) -> bool:
    """`DB_PASSWORD=…` with nothing before it but `export`: the value is all there is on the line."""
    adjacent = assigned["sign"] == "=" and assigned.end() == assigned.start("sign") + 1 and not assigned["close"]
    return (
        adjacent
        and text[assigned.start() : assigned.start("sign")].isupper()
        and _LINE_START.search(_name_before(before)[0]) is not None
    )


def _without_trailing(text: str, start: int, end: int) -> tuple[int, int]:
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    return start, end

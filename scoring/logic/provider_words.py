"""Why a judge's run failed, in words: ours, and the provider's without anything of the case or the answer (SC-130)."""

import re
from collections.abc import Mapping

from core.problems import gettext_noop
from datasets.logic.credentials import hide
from scoring.logic.causes import TOO_LONG, Cause
from scoring.logic.findings import Reason

SAID_CHARACTERS = 300
LEFT_OUT = "[…]"
# So many words in a row, or one word so long (a number, one beyond ASCII), that also stand in what was sent are taken
# for a quotation of it.
WORDS_IN_A_ROW, LONG_WORD, LONG_NUMBER, LONG_FOREIGN = 3, 12, 6, 4
# Statuses of a provider that does not take the request as it is.
REFUSALS, TOO_LARGE = frozenset({400, 413, 422}), 413

_TOO_LONG = re.compile(
    r"context[ _](?:length|window|size)|maximum (?:context|input|prompt|number of tokens)|too (?:long|many tokens)"
    r"|(?:prompt|input|request) (?:is |was )?too large|exceeds? .{0,60}(?:tokens|context)",
    re.IGNORECASE,
)
_OF_SCHEMA = re.compile(r"response_?format|json_?schema|structured|\bschema\b|guided|grammar", re.IGNORECASE)
_OF_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"""(["'“”‘’`«»])([^"'“”‘’`«»]{3,})(["'“”‘’`«»])""")
_GAPS = re.compile(r"\[…\](?:\W{1,3}\[…\])+")

# By what the provider's failure is called, agents.provider.failures.Cause.
_REASONS: Mapping[str, str] = {
    "refused_address": gettext_noop(
        "The judge's run failed: this server does not call its provider's address. Tries: %(tries)d.%(said)s"
    ),
    "unreachable": gettext_noop("The judge's run failed: its provider cannot be reached. Tries: %(tries)d.%(said)s"),
    "timed_out": gettext_noop("The judge's run failed: its provider did not answer in time. Tries: %(tries)d.%(said)s"),
    "wrong_key": gettext_noop(
        "The judge's run failed: its provider does not take the key. Status %(status)s, tries: %(tries)d.%(said)s"
    ),
    "no_such_model": gettext_noop(
        "The judge's run failed: its provider has no such model. Status %(status)s, tries: %(tries)d.%(said)s"
    ),
    "rate_limited": gettext_noop(
        "The judge's run failed: its provider takes no more requests now. Status %(status)s, tries: %(tries)d.%(said)s"
    ),
    "refused": gettext_noop(
        "The judge's run failed: its provider refuses the request. Status %(status)s, tries: %(tries)d.%(said)s"
    ),
    "broken": gettext_noop(
        "The judge's run failed: its provider has a fault of its own. Status %(status)s, tries: %(tries)d.%(said)s"
    ),
}


def is_too_long(status: int | None, said: str) -> bool:
    """Whether the model refuses the request as too long (SC-D44)."""
    return status == TOO_LARGE or (status in REFUSALS and bool(_TOO_LONG.search(said)))


def refused_parameter(status: int | None, said: str) -> str:
    """Which parameter the provider does not take, `temperature` or `response_format`; empty where it says none.

    A request that is too long is refused whatever else its words name.
    """
    if status not in REFUSALS or is_too_long(status, said):
        return ""
    if _OF_TEMPERATURE.search(said):
        return "temperature"
    return "response_format" if _OF_SCHEMA.search(said) else ""


def why_it_failed(cause: str, *, status: int | None, said: str, tries: int, sent: str) -> Reason:
    """The reason of cause 8. `said` are the provider's words, its key taken out already; `sent` is what it was sent."""
    if is_too_long(status, said):
        return TOO_LONG
    if cause not in _REASONS:
        return Cause.FAILED.reason
    shown = shown_words(said, sent)
    values = {"status": status or "–", "tries": tries, "said": f" “{shown}”" if shown else ""}
    return Reason(_REASONS[cause], values)


def shown_words(said: str, sent: str) -> str:
    """A provider's words as they may be kept: short, without credentials, and without what was sent.

    A provider that refuses a request may repeat it, and its words are read where the case is not (ACC-24).
    """
    text = " ".join(said.split())[: SAID_CHARACTERS * 4]
    material = sent.casefold()
    text = _QUOTED.sub(lambda quoted: quoted[1] + _kept(quoted[2], material) + quoted[3], text)
    known = _WORD.findall(material)
    runs = {tuple(known[place : place + WORDS_IN_A_ROW]) for place in range(len(known) - WORDS_IN_A_ROW + 1)}
    found = list(_WORD.finditer(text))
    folded = [word[0].casefold() for word in found]
    taken = [_is_telling(word) and word in material for word in folded]
    for place in range(len(folded)):
        if tuple(folded[place : place + WORDS_IN_A_ROW]) in runs:
            taken[place : place + WORDS_IN_A_ROW] = [True] * WORDS_IN_A_ROW
    for match, is_taken in reversed(list(zip(found, taken, strict=True))):
        if is_taken:
            text = text[: match.start()] + LEFT_OUT + text[match.end() :]
    return hide(_GAPS.sub(LEFT_OUT, text)).text[:SAID_CHARACTERS].strip()


def _kept(quoted: str, material: str) -> str:
    return LEFT_OUT if quoted.casefold() in material else quoted


def _is_telling(word: str) -> bool:
    """Whether one word alone gives away what it was taken from: a long one, a number, a phrase without spaces."""
    if len(word) >= LONG_WORD:
        return True
    return (word.isdigit() and len(word) >= LONG_NUMBER) or (not word.isascii() and len(word) >= LONG_FOREIGN)

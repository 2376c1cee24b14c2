"""Hiding takes time in proportion to the length, whatever the text is made of."""

import time
from collections.abc import Iterable

from datasets.logic.credentials import hide
from datasets.logic.credentials.kinds import KINDS
from tests.datasets.credentials.ordinary import PROSE

LENGTH = 50_000
BEGIN = "-----BEGIN PRIVATE" + " KEY-----"

HOSTILE = (
    *(
        "a",
        "0",
        "-",
        ".",
        "=",
        "_",
        "\\",
        '"',
        "M",
        "aB3/",
        "-----BEGIN",
        f"{BEGIN}\n",
        "eyJ",
        "_eyJ",
        "-eyJ",
        "eyJaaaaaaaaa.",
    ),
    *(
        "://",
        "://a:",
        "://a:b@",
        "pg://a:",
        "pg://a:@b:1",
        "password=",
        "password='",
        "token:",
        "password is ",
        'key"=',
    ),
    *(
        "ghs_1_eyJ",
        "sk-",
        "xoxb-",
        "glpat-",
        "bearer ",
        "Bearer a1",
        "M-",
        "MAAAA.",
        "0/1",
        "sig=%",
        " curl -u a:",
        "secret_",
    ),
    *(
        "PuTTY-User-Key-File-2:",
        "data:image/png;base64,",
        "[redacted:",
        "İpassword=a",
        "A3T",
        "\n> ",
        "=\n",
        "a\n",
        "Ab1\n",
    ),
    *("1-1-", "aA", "token=1-1234567890", "word2", "a_", "token=a_", "secret: Aa"),
)


def slow(pieces: Iterable[str], length: int) -> list[str]:
    """Those of which a text of so many characters takes longer than 5 microseconds a character."""
    return [piece for piece in pieces if not _is_quick((piece * length)[:length])]


def _is_quick(text: str) -> bool:
    """More tries only where the first was slow: a busy machine adds to the time."""
    return any(_seconds(text) < 5e-6 * len(text) for _try in range(3))


def _seconds(text: str) -> float:
    started = time.process_time()
    hide(text)
    return time.process_time() - started


def test_a_long_text_of_one_piece_is_no_trap() -> None:
    assert slow(HOSTILE, LENGTH) == []


def test_the_beginning_of_a_credential_repeated_is_no_trap() -> None:
    beginnings = sorted({kind.literal for kind in KINDS})
    pieces = [beginning + between for beginning in beginnings for between in ("", "a", "A1", "\n", ".")]
    assert slow(pieces, LENGTH // 3) == []


def test_ordinary_prose_costs_little() -> None:
    text = " ".join(PROSE)
    assert min(_seconds(text) for _ in range(3)) / len(text) < 2e-6

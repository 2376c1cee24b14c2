"""Reading a PDF in a process of its own, bounded in memory and time: a small file may hold endless work (PL-24)."""

import json
import math
import subprocess
import sys
from pathlib import Path

from core.limits import LIMITS
from core.problems import gettext_noop

PROGRAM = Path(__file__).with_name("pdf_program.py")
# Starting a process and loading the reader, on a busy machine.
START_SECONDS = 20.0

REFUSALS = {
    "encrypted": gettext_noop("This PDF asks for a password. Save it without one and add it again."),
    "broken": gettext_noop("This PDF is damaged and cannot be read. Save it anew and add it again."),
    "too_many_pages": gettext_noop("This PDF has more than %(pages)s pages. Split it and add the parts."),
    "too_long": gettext_noop("This PDF holds more than %(characters)s characters of text. Split it and add the parts."),
    "too_much": gettext_noop("This PDF takes too much time or memory to read. Save it anew, or split it."),
    "no_text": gettext_noop("This PDF holds no text, only pictures perhaps. Recognise its text first, then add it."),
}


class UnreadablePdf(Exception):
    """Why the file gives no text: a key of `REFUSALS`."""


def read_pdf(data: bytes) -> list[str]:
    """The text of each page, "" for a page without. Raises `UnreadablePdf`; takes LIMITS.pdf_seconds at the most."""
    bounds = (LIMITS.pdf_bytes, math.ceil(LIMITS.pdf_seconds), LIMITS.document_pages, LIMITS.document_characters)
    try:
        done = subprocess.run(  # noqa: S603 - our own program, no shell, no argument from outside
            [sys.executable, "-I", str(PROGRAM), *map(str, bounds)],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONIOENCODING": "utf-8"},
            timeout=LIMITS.pdf_seconds + START_SECONDS,
            check=False,
        )
        answer = json.loads(done.stdout or '{"refused": "too_much"}')
    except subprocess.TimeoutExpired:
        raise UnreadablePdf("too_much") from None
    if "refused" in answer:
        raise UnreadablePdf(answer["refused"])
    pages: list[str] = answer["pages"]
    if not any(page.strip() for page in pages):
        raise UnreadablePdf("no_text")
    return pages

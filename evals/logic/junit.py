"""The results of a test run as JUnit XML, which pipelines show as tests (EV-D57)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

from evals.logic.results import Tally
from scoring.logic.findings import Outcome

# All that XML 1.0 can hold; everything else has no way to be written in it, not even as a number.
UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
REPLACEMENT = "\ufffd"
LONGEST_NAME = 120


@dataclass(frozen=True)
class JUnitCase:
    """A case: `name` is its question, `reasons` why it failed or has no result, `seconds` of its first attempts."""

    case_id: str
    name: str
    result: str
    reasons: Sequence[str] = ()
    seconds: float | None = None


def junit_lines(suite: str, cases: Iterable[JUnitCase], counts: Tally, seconds: float | None = None) -> Iterator[str]:
    """The document in parts, one a case. `counts` are those of the cases, which stand at its head."""
    head = {
        "name": writable(suite),
        "tests": str(counts.cases),
        "failures": str(counts.failed),
        "errors": "0",
        "skipped": str(counts.unscored),
        **_time(seconds),
    }
    empty = tostring(Element("testsuite", head), encoding="unicode")
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n' + empty.removesuffix(" />") + ">\n"
    for case in cases:
        yield tostring(_case(suite, case), encoding="unicode") + "\n"
    yield "</testsuite>\n</testsuites>\n"


def writable(text: str) -> str:
    """The text with a replacement for every character that XML cannot hold."""
    return UNWRITABLE.sub(REPLACEMENT, text)


def _case(suite: str, case: JUnitCase) -> Element:
    # The id makes the name unique: two cases may ask the same question with other turns before it.
    words = " ".join(writable(case.name).split())
    short = words if len(words) <= LONGEST_NAME else words[: LONGEST_NAME - 1] + "…"
    name = f"{short} [{case.case_id}]" if short else case.case_id
    made = Element("testcase", {"classname": writable(suite), "name": name, **_time(case.seconds)})
    reasons = [writable(reason) for reason in case.reasons]
    first = " ".join(reasons[0].split()) if reasons else ""
    if case.result == Outcome.FAIL:
        SubElement(made, "failure", {"message": first}).text = "\n".join(reasons)
    elif case.result != Outcome.PASS:
        SubElement(made, "skipped", {"message": first}).text = "\n".join(reasons)
    return made


def _time(seconds: float | None) -> dict[str, str]:
    return {} if seconds is None else {"time": f"{seconds:.3f}"}

"""The summary of a test run for a pull request, in Markdown (EV-D57).

Nothing that somebody wrote can become markup, a link or a mention of a person there.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.problems import gettext_noop
from evals.logic.classes import ChangeCounts
from evals.logic.gate import NOTHING_COMPARED
from evals.logic.results import Tally
from evals.logic.statistics import mcnemar, verdict_on

MOST_REGRESSED = 10
LONGEST_TEXT = 300
# Every punctuation mark of ASCII may be written with a backslash before it, and means itself then.
PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
# Places that host pull requests read names and numbers out of the finished text; a joiner between keeps them apart.
JOINER = "\u2060"
MENTION = re.compile(r"([@#])(?=\w)")
SPACES = re.compile(r"\s+")

TITLE = gettext_noop("Test run: %(name)s")
NO_RESULT = gettext_noop("No result: no case was graded.")
RATE = gettext_noop("Pass rate %(rate)s (%(low)s to %(high)s), %(passed)d of %(graded)d.")
UNSCORED = gettext_noop("Unscored: %(count)d.")
CHANGE = gettext_noop("Before: %(rate)s, %(passed)d of %(graded)d.")
CHANGED = gettext_noop("%(verdict)s: %(b)d from pass to fail, %(c)d from fail to pass, p = %(p)s.")
GRADED_DIFFERENTLY = gettext_noop("Graded differently: the judges of the two runs differ.")
NO_BASELINE = gettext_noop("Not compared with another run.")
REGRESSED_CASES = gettext_noop("Regressed cases")
MORE = gettext_noop("And %(count)d more.")
OPEN = gettext_noop("Open the test run")
CLASSES = (
    ("improved", gettext_noop("Improved")),
    ("regressed", gettext_noop("Regressed")),
    ("unchanged", gettext_noop("Unchanged")),
    ("flaky", gettext_noop("Flaky")),
    ("not_comparable", gettext_noop("Not comparable")),
)


@dataclass(frozen=True)
class RegressedCase:
    """A case that went from pass to fail, as its reader may see it."""

    name: str
    reasons: Sequence[str] = ()
    is_confirmed: bool = False


@dataclass(frozen=True)
class Summary:
    """`before` and `changes` are None without a baseline. `regressed` are the regressed cases that are named, confirmed
    ones first; how many there are in all is in `changes`. `judge` says whether the judge is calibrated."""

    name: str
    url: str
    cases: Tally
    before: Tally | None = None
    changes: ChangeCounts | None = None
    regressed: Sequence[RegressedCase] = ()
    judge: str = ""


def markdown(summary: Summary, say: Callable[[str], str] = str) -> str:
    """The document; `say` gives our own words in the reader's language."""
    parts = [
        "## " + say(TITLE) % {"name": escaped(summary.name)},
        " ".join(_rate(summary.cases, say)),
        *([f"{escaped(summary.judge)}."] if summary.judge else []),
        *_comparison(summary, say),
        *_regressed(summary, say),
        f"[{say(OPEN)}](<{summary.url}>)",
    ]
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    """The text on one line, shortened, with everything that means something in Markdown written as itself."""
    line = SPACES.sub(" ", text).strip()
    short = line if len(line) <= LONGEST_TEXT else line[: LONGEST_TEXT - 1] + "…"
    return MENTION.sub(rf"\1{JOINER}", PUNCTUATION.sub(r"\\\1", short))


def _rate(cases: Tally, say: Callable[[str], str]) -> list[str]:
    unscored = [say(UNSCORED) % {"count": cases.unscored}] if cases.unscored else []
    if cases.interval is None:
        return [say(NO_RESULT), *unscored]
    low, high = (percent(share) for share in cases.interval)
    values = {
        "rate": f"**{_share(cases)}**",
        "low": low.removesuffix("%"),
        "high": high,
        "passed": cases.passed,
        "graded": cases.graded,
    }
    return [say(RATE) % values, *unscored]


def _comparison(summary: Summary, say: Callable[[str], str]) -> list[str]:
    changes = summary.changes
    if changes is None or summary.before is None:
        return [say(NO_BASELINE)]
    before = {"rate": _share(summary.before), "passed": summary.before.passed, "graded": summary.before.graded}
    verdict = say(verdict_on(changes.b, changes.c, changes.compared))
    values = {"verdict": verdict, "b": changes.b, "c": changes.c, "p": f"{mcnemar(changes.b, changes.c):.4f}"}
    changed = say(CHANGED) % values if changes.compared else f"{say(NOTHING_COMPARED.text)}."
    differs = [say(GRADED_DIFFERENTLY)] if changes.graded_differently else []
    head = "| " + " | ".join(say(label) for _name, label in CLASSES) + " |"
    rule = "|" + " ---: |" * len(CLASSES)
    counts = "| " + " | ".join(str(getattr(changes, name)) for name, _label in CLASSES) + " |"
    return [" ".join([say(CHANGE) % before, changed, *differs]), "\n".join([head, rule, counts])]


def _regressed(summary: Summary, say: Callable[[str], str]) -> list[str]:
    named = summary.regressed[:MOST_REGRESSED]
    if not named:
        return []
    lines = []
    for case in named:
        lines.append(f"- {escaped(case.name)}")
        lines += [f"  - {escaped(reason)}" for reason in case.reasons]
    more = max(len(summary.regressed), summary.changes.regressed if summary.changes else 0) - len(named)
    left = [say(MORE) % {"count": more}] if more > 0 else []
    return [f"### {say(REGRESSED_CASES)}", "\n".join(lines), *left]


def _share(cases: Tally) -> str:
    return "–" if cases.rate is None else percent(cases.rate)


def percent(share: float) -> str:
    """A share as a whole number of hundredths, rounded half up as everywhere else."""
    return f"{int(share * 100 + 0.5)}%"

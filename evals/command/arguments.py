"""The command line of `casebook`, with every check that can be made before anything is spent (EV-D60)."""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

AUTO, NONE = "auto", "none"
FORMATS = {"csv": ".csv", "jsonl": ".jsonl", "junit": ".xml", "md": ".md"}
LIMITS = ("min_pass_rate", "max_regressions", "max_unscored")
# As the server reads them: a run that was paid for must not end with a limit that cannot be read.
RATE = re.compile(r"(?:0(?:\.[0-9]{1,20})?|1(?:\.0{1,20})?)")
COUNT = re.compile(r"[0-9]{1,9}")
AMOUNT = re.compile(r"[0-9]{1,10}(\.[0-9]{1,20})?")

ABOUT = """Start test runs of Casebook, wait for them, and say whether a pipeline may go on.

CASEBOOK_URL and CASEBOOK_API_KEY are read from the environment. The key needs the scopes
runs:view, datasets:run and agents:run, and can do no more than who issued it."""
CODES = """exit codes: 0 the gate passed; 1 it failed; 2 wrong usage, or refused by the server; 3 the run did not
complete, or has too many unscored cases; 4 waiting time over, the run goes on; 130 interrupted"""


def read_arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """The command line. Ends the process with 2 where it is wrong, and with 0 after help that was asked for."""
    parser = _parser()
    read = parser.parse_args(given)
    if read.act == "run":
        _check_output(parser, read)
    return read


def choices_of(read: argparse.Namespace) -> dict[str, Any]:
    """What the server is asked to run (EV-D3); what was not said is left to the server."""
    baseline = {AUTO: AUTO, NONE: None}.get(read.baseline, read.baseline)
    said = {
        "agent_version": read.agent_version,
        "dataset_version": read.dataset_version,
        "tags": read.tag or None,
        "repeats": read.repeats,
        "max_cost_usd": read.max_cost,
        "label": read.label,
    }
    return {"agent": read.agent, "baseline": baseline} | {
        key: value for key, value in said.items() if value is not None
    }


def limits_of(read: argparse.Namespace) -> dict[str, str]:
    """The limits of the gate, as they were written."""
    return {name: getattr(read, name) for name in LIMITS if getattr(read, name) is not None}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="casebook", description=ABOUT, epilog=CODES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    nouns = parser.add_subparsers(dest="noun", required=True, metavar="eval")
    acts = nouns.add_parser("eval", help="test runs").add_subparsers(
        dest="act", required=True, metavar="run|gate|estimate"
    )
    run = acts.add_parser("run", help="start a test run, wait for it, and check the gate", epilog=CODES)
    _add_choices(run)
    _add_limits(run)
    _add_waiting(run)
    gate = acts.add_parser("gate", help="check the gate of a test run that has ended", epilog=CODES)
    gate.add_argument("id", type=_id, metavar="ID", help="id of the test run")
    _add_limits(gate)
    _add_choices(acts.add_parser("estimate", help="what a test run would cost; spends nothing"))
    return parser


def _add_choices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dataset", type=_id, required=True, metavar="ID", help="id of the dataset")
    parser.add_argument("--agent", type=_id, required=True, metavar="ID", help="id of the agent")
    parser.add_argument("--agent-version", type=_number, metavar="N", help="a published version; the latest without it")
    parser.add_argument("--dataset-version", type=_number, metavar="N", help="the newest without it")
    parser.add_argument("--tag", action="append", metavar="T", help="only cases with this tag; may be given repeatedly")
    parser.add_argument("--baseline", type=_baseline, default=AUTO, metavar="auto|none|ID", help="what to compare with")
    parser.add_argument("--repeats", type=_number, metavar="N", help="answers to each case, from 1 to 5")
    parser.add_argument("--max-cost", type=_amount, metavar="USD", help="stop the run before it costs more")
    parser.add_argument("--label", metavar="TEXT", help="what the run is called in lists")


def _add_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits of the gate")
    group.add_argument("--min-pass-rate", type=_rate, metavar="0.9", help="share of graded cases that must pass")
    group.add_argument("--max-regressions", type=_count, metavar="N", help="0 without it, where there is a baseline")
    group.add_argument("--max-unscored", type=_count, metavar="N", help="0 without it")


def _add_waiting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the results here, also when the gate fails")
    parser.add_argument("--format", choices=FORMATS, help="of that file; told by its ending without it")
    parser.add_argument("--timeout", type=_seconds, default=3600.0, metavar="SECONDS", help="how long to wait; 3600")
    parser.add_argument("--no-wait", action="store_true", help="start the run and end with 0, without any gate")
    parser.add_argument("--cancel-on-interrupt", action="store_true", help="cancel the run when this is interrupted")


def _check_output(parser: argparse.ArgumentParser, read: argparse.Namespace) -> None:
    """A file that could not be written would be noticed only after the run was paid for."""
    if read.output is None:
        if read.format:
            parser.error("--format needs --output")
        return
    if read.no_wait:
        parser.error("--output needs the end of the run, and --no-wait does not wait for it")
    endings = {ending: name for name, ending in FORMATS.items()}
    read.format = read.format or endings.get(read.output.suffix.lower())
    if not read.format:
        parser.error(f"--output {read.output}: say --format {'|'.join(FORMATS)}")
    if read.output.is_dir() or not read.output.absolute().parent.is_dir():
        parser.error(f"--output {read.output}: no file can be written there")


def _id(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no id") from None


def _baseline(text: str) -> str:
    return text if text in (AUTO, NONE) else _id(text)


def _number(text: str) -> int:
    if COUNT.fullmatch(text) and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1")


def _count(text: str) -> str:
    return _written(text, COUNT, "no whole number from 0")


def _rate(text: str) -> str:
    return _written(text, RATE, "no share from 0 to 1, such as 0.9")


def _amount(text: str) -> str:
    return _written(text, AMOUNT, "no amount in US dollars, such as 2.50")


def _written(text: str, pattern: re.Pattern[str], what: str) -> str:
    """The text as it was written, since a number would be rounded on the way."""
    if pattern.fullmatch(text):
        return text
    raise argparse.ArgumentTypeError(f"{text!r} is {what}")


def _seconds(text: str) -> float:
    if AMOUNT.fullmatch(text) and float(text) > 0:
        return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no time in seconds above 0")

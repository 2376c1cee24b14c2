"""One test run of a pipeline: started, waited for, judged by the server's gate, its results written to a file."""

import argparse
import os
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from uuid import uuid4

from evals.command.api import Answer, Api, Json
from evals.command.arguments import choices_of, limits_of
from evals.command.exit_codes import ExitCode
from evals.command.failures import Failure, Refused, TimeOver, Unreachable, WrongUsage
from evals.command.interrupts import Interrupts
from evals.command.patience import Clock, Patience
from evals.command.progress import progress_line
from evals.command.report import estimate_lines, gate_lines, run_lines
from evals.command.screen import Screen, plain

FINAL = ("completed", "failed", "cancelled", "stopped")
MOST_REGRESSED = 20


@dataclass
class Session:
    """What the acts share. `run` is the address of the started run within the API, `url` its page.

    `has_asked` says that a start was sent, so that there may be a run whose address is not known yet.
    """

    api: Api
    screen: Screen
    clock: Clock = field(default_factory=Clock)
    interrupts: Interrupts = field(default_factory=Interrupts)
    run: str = ""
    url: str = ""
    has_asked: bool = False
    has_ended: bool = False

    def name(self, run: Json) -> None:
        """Keep where the run is, as the server told it. Raises `Unreachable` where it told nothing of a run."""
        if not run.get("id"):
            raise Unreachable("The server told no test run.")
        self.run = f"/evals/{run['id']}"
        self.url = plain(self.api.address(str(run.get("url") or self.run)))

    def patience(self, seconds: float | None = None) -> Patience:
        """Up to so many seconds from now; without them until two minutes of failures are over."""
        return Patience(self.clock, self.screen.note, None if seconds is None else self.clock.now() + seconds)


def run_eval(session: Session, read: argparse.Namespace) -> ExitCode:
    """Start, and unless told not to, wait and check the gate. Raises `Failure` and KeyboardInterrupt."""
    try:
        _start(session, read)
        return ExitCode.PASSED if read.no_wait else _ended(session, read)
    except KeyboardInterrupt:
        if session.run:
            _leave(session, cancels=read.cancel_on_interrupt)
        elif session.has_asked:
            session.screen.note("Interrupted before the server answered: a test run may have begun.")
        raise


def check_gate(session: Session, read: argparse.Namespace) -> ExitCode:
    """The gate of a run that is there already."""
    run = session.patience().ask(lambda: session.api.get(f"/evals/{read.id}"), at_once=True).data or {}
    session.name(run)
    session.screen.say(session.url)
    return _report(session, run, limits_of(read))


def estimate(session: Session, read: argparse.Namespace) -> ExitCode:
    """What the same run would cost."""
    path, body = f"/datasets/{read.dataset}/evals/estimate", choices_of(read)
    found = session.patience().ask(lambda: session.api.post(path, body), at_once=True)
    for line in estimate_lines(found):
        session.screen.say(line)
    return ExitCode.PASSED


def _start(session: Session, read: argparse.Namespace) -> None:
    """One key for all tries, so that a start whose answer was lost is not a second run (EV-D7)."""
    path, body, key = f"/datasets/{read.dataset}/evals", choices_of(read), str(uuid4())

    def start() -> None:
        session.has_asked = True
        with session.interrupts.held():
            session.name(session.api.post(path, body, idempotency_key=key))
        session.interrupts.check()

    session.patience().ask(start, at_once=True)
    session.screen.say(session.url)


def _ended(session: Session, read: argparse.Namespace) -> ExitCode:
    """Wait for the end, write the results, then report. A file that is not there fails a gate that passed."""
    try:
        run = _wait(session, session.patience(read.timeout))
        is_written = read.output is None or _saved(session, read.output, read.format)
        code = _report(session, run, limits_of(read))
        return code if is_written or code != ExitCode.PASSED else ExitCode.REFUSED
    except TimeOver:
        session.screen.note(f"Waiting time is over. The test run goes on: {session.url}")
    except Unreachable as failure:
        session.screen.note(f"{failure} The test run is here: {session.url}")
    return ExitCode.TIME_OVER


def _wait(session: Session, patience: Patience) -> Json:
    """The run once it has ended, asked for every five seconds (EV-D64)."""
    seen = Answer({})
    while True:
        answer = patience.ask(partial(session.api.get, session.run, etag=seen.etag))
        seen = seen if answer.data is None else answer
        run = seen.data or {}
        session.screen.progress(str(run.get("status")), progress_line(run))
        if run.get("status") in FINAL:
            session.has_ended = True
            return run
        patience.pause()


def _report(session: Session, run: Json, limits: dict[str, str]) -> ExitCode:
    """Print table, regressed cases and gate; the server's verdict as a code (EV-D61 to EV-D63)."""
    patience = session.patience()
    gate = patience.ask(lambda: session.api.get(f"{session.run}/gate", limits)).data or {}
    regressed = _regressed(session, patience)
    for line in [*run_lines(run, regressed, MOST_REGRESSED), *gate_lines(gate)]:
        session.screen.say(line)
    if run.get("status") != "completed":
        return ExitCode.NO_RESULT
    if gate.get("passed") is True:
        return ExitCode.PASSED
    return ExitCode.NO_RESULT if gate.get("exit_code") == ExitCode.NO_RESULT else ExitCode.FAILED


def _regressed(session: Session, patience: Patience) -> list[Json]:
    """The regressed cases, as many as are printed and one more; confirmed ones first."""
    query = {"change": "regressed", "page_size": str(MOST_REGRESSED + 1)}
    found = patience.ask(lambda: session.api.get(f"{session.run}/items", query)).data or {}
    cases = list(found.get("results") or [])
    return sorted(cases, key=lambda case: not (case.get("change") or {}).get("confirmed"))


def _saved(session: Session, path: Path, file_format: str) -> bool:
    """Write the results; whether that went well, and if not, say why."""
    try:
        _save(session, path, file_format)
    except (OSError, Failure) as failure:
        why = failure.strerror if isinstance(failure, OSError) else failure
        session.screen.note(f"{path} was not written: {plain(why)}")
        return False
    return True


def _save(session: Session, path: Path, file_format: str) -> None:
    """Write beside the file and put it in its place at the end, so that half a file is never taken for a whole one."""
    part = path.with_name(path.name + ".part")

    def save() -> None:
        with part.open("wb") as file:
            session.api.save(f"{session.run}/export", {"format": file_format}, file)

    try:
        session.patience().ask(save)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _leave(session: Session, *, cancels: bool) -> None:
    """Say what becomes of the run, after cancelling it where that was asked for."""
    if session.has_ended or not cancels:
        state = "has ended" if session.has_ended else "goes on"
        session.screen.note(f"Interrupted. The test run {state}: {session.url}")
        return
    try:
        session.api.post(f"{session.run}/cancel")
        session.screen.note(f"Interrupted. The test run is being cancelled: {session.url}")
    except (Refused, Unreachable, WrongUsage) as failure:
        session.screen.note(f"Interrupted. The test run was not cancelled: {failure} {session.url}")

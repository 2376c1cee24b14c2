"""The entry of the command: from the command line and the environment to an exit code."""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TextIO

import httpx2

from evals.command.api import Api
from evals.command.arguments import read_arguments
from evals.command.environment import read_key, read_url
from evals.command.exit_codes import ExitCode
from evals.command.failures import Failure
from evals.command.patience import Clock
from evals.command.running import Session, check_gate, estimate, run_eval
from evals.command.screen import Screen, plain

ACTS = {"run": run_eval, "gate": check_gate, "estimate": estimate}


def run(given: Sequence[str] | None = None) -> int:
    """`casebook` as it is called from a shell."""
    for stream in (sys.stdout, sys.stderr):
        # A log that knows no such character gets a sign for it, and the run its exit code.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    return main(given, os.environ, out=sys.stdout, err=sys.stderr)


def main(
    given: Sequence[str] | None,
    environment: Mapping[str, str],
    *,
    out: TextIO,
    err: TextIO,
    transport: httpx2.BaseTransport | None = None,
    clock: Clock | None = None,
) -> int:
    """The exit code (EV-D62). Only a wrong command line ends by SystemExit, with 2 as well."""
    read = read_arguments(given)
    screen = Screen(out, err)
    try:
        api = Api(read_url(environment), read_key(environment), transport)
        session = Session(api, screen, clock or Clock())
        with session.interrupts.listening():
            return int(ACTS[read.act](session, read))
    except KeyboardInterrupt:
        return int(ExitCode.INTERRUPTED)
    except Failure as failure:
        for line in str(failure).splitlines():
            screen.note(plain(line))
        return int(ExitCode.REFUSED)

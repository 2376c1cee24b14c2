"""`make run`: checks the port, brings the database up to date and runs the Procfile until Ctrl-C (PL-50).

Development and trying out. A team's machine starts each process by its own service; see docs/deployment.md.
"""

import argparse
import os
import socket
import sys

import django
from django.core.management import CommandError, call_command
from django.db import connections
from honcho.environ import parse_procfile
from honcho.manager import Manager
from honcho.printer import Printer

from config.environment import ROOT

STOPPED_ON_PURPOSE = {0, 130, 143}


def main() -> int:
    chosen = arguments()
    if not is_free(chosen.host, chosen.port):
        print(
            f"Port {chosen.port} is taken, perhaps by another Casebook. Stop that, or choose: make run PORT=8001",
            file=sys.stderr,
        )
        return 1
    address = f"http://localhost:{chosen.port}"
    os.environ |= {"HOST": chosen.host, "PORT": str(chosen.port)}
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if chosen.port != 8000:
        os.environ.setdefault("BASE_URL", address)
    django.setup()
    call_command("set_up", verbosity=0)
    if chosen.demonstration:
        demonstrate()
    print(f"» Casebook answers at {address} in a moment. Ctrl-C stops it.", flush=True)
    connections.close_all()
    return run_processes()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m config.start")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--no-demonstration", dest="demonstration", action="store_false")
    return parser.parse_args()


def is_free(host: str, port: int) -> bool:
    """Whether the web process will be able to listen there."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def demonstrate() -> None:
    try:
        call_command("demonstrate")
    except CommandError as refusal:
        print(f"» {refusal}", flush=True)


def run_processes() -> int:
    """Run each line of the Procfile; when one ends or a signal comes, end all. 0 where it was asked for."""
    manager = Manager(Printer(sys.stdout))
    for name, command in parse_procfile((ROOT / "Procfile").read_text(encoding="utf-8")).processes.items():
        manager.add_process(name, command, cwd=str(ROOT))
    manager.loop()
    return 0 if manager.returncode in STOPPED_ON_PURPOSE else int(manager.returncode or 1)


if __name__ == "__main__":
    sys.exit(main())

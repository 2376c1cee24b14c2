"""`make run`: checks the port, brings the database up to date and runs the Procfile until Ctrl-C (PL-50).

Development and trying out. A team's machine starts each process by its own service; see docs/deployment.md.
"""

import argparse
import os
import shlex
import socket
import sys
from collections.abc import Mapping

import django
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connections
from honcho.environ import parse_procfile
from honcho.manager import Manager
from honcho.printer import Printer

from config.environment import ROOT
from config.local_model import HOST, PORT, NotInstalled, server_command

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
    more = local_model() if chosen.local_model else {}
    print(f"» Casebook answers at {address} in a moment. Ctrl-C stops it.", flush=True)
    connections.close_all()
    return run_processes(more)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m config.start")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--no-demonstration", dest="demonstration", action="store_false")
    parser.add_argument("--local-model", action="store_true")
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


def local_model() -> dict[str, str]:
    """The server of the small model as a further process; its address is allowed by name and an agent asks it."""
    try:
        command = server_command()
    except NotInstalled as reason:
        print(f"» {reason}", flush=True)
        return {}
    os.environ["OUTGOING_ALLOWED_HOSTS"] = ",".join(dict.fromkeys((*settings.OUTGOING_ALLOWED_HOSTS, HOST)))
    try:
        call_command("add_local_agent")
    except CommandError as refusal:
        print(f"» {refusal}", flush=True)
    if not is_free(HOST, PORT):
        print(f"» Port {PORT} is taken: the local model that answers there is used.", flush=True)
        return {}
    return {"model": f"exec {shlex.join(command)}"}


def run_processes(more: Mapping[str, str]) -> int:
    """Run each line of the Procfile and what is given; when one ends or a signal comes, end all. 0 where asked for."""
    manager = Manager(Printer(sys.stdout))
    lines = parse_procfile((ROOT / "Procfile").read_text(encoding="utf-8")).processes
    for name, command in {**lines, **more}.items():
        manager.add_process(name, command, cwd=str(ROOT))
    manager.loop()
    return 0 if manager.returncode in STOPPED_ON_PURPOSE else int(manager.returncode or 1)


if __name__ == "__main__":
    sys.exit(main())

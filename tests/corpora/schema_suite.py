"""The official tests of JSON Schema, out of jsonschema's source archive, fetched with pip into .cache/schema-suite.

requirements-test.txt pins the archive by its digest, beside the wheel that is installed. pip asks the index that the
machine's own configuration names.
"""

import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.corpora import CorporaMissing

ROOT = Path(__file__).resolve().parents[2]
FETCHED = ROOT / ".cache" / "schema-suite"
PIN = re.compile(r"^jsonschema==[^\n]*\n(?:[ \t][^\n]*\n)+", re.M)
FOLDER = "json/tests/draft2020-12"
DOWNLOAD = ["download", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps", "--no-build-isolation"]


def fetch_schema_suite() -> None:
    """Fetch them unless they are there; raises `CorporaMissing`."""
    if _stamp().exists():
        return
    print("» Fetching the official tests of JSON Schema", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        pin = Path(folder) / "requirements.txt"
        pin.write_text(_pin())
        command = [*DOWNLOAD, "--no-binary", "jsonschema", "--require-hashes", "-r", str(pin), "-d", folder]
        done = subprocess.run([sys.executable, "-m", "pip", *command], capture_output=True, text=True, check=False)
        archive = next(Path(folder).glob("jsonschema-*.tar.gz"), None)
        if done.returncode != 0 or archive is None:
            raise CorporaMissing(f"pip could not fetch the official tests of JSON Schema:\n{done.stderr.strip()}")
        _unpack(archive)
    _stamp().write_text(_pin())


def schema_suite() -> dict[str, list[dict[str, Any]]]:
    """By file: the groups of the required tests, each a schema and values that are valid under it or not."""
    if not _stamp().exists():
        reason = "the official tests of JSON Schema were not fetched: run `make test-environment`"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FETCHED.glob("*.json"))}


def _unpack(archive: Path) -> None:
    FETCHED.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as packed:
        for member in packed.getmembers():
            folder, _, name = member.name.partition("/")[2].rpartition("/")
            if folder == FOLDER and name.endswith(".json") and (file := packed.extractfile(member)):
                (FETCHED / name).write_bytes(file.read())


def _pin() -> str:
    found = PIN.search((ROOT / "requirements-test.txt").read_text())
    if found is None:
        raise CorporaMissing("requirements-test.txt names no jsonschema")
    return found[0]


def _stamp() -> Path:
    version = _pin().partition("==")[2].split()[0]
    return FETCHED / f"fetched-{version}"

"""The project's own files, for tests that read them."""

import ast
import subprocess
from functools import cache
from pathlib import Path

from config.environment import ROOT

APPS = ("config", "core", "accounts", "agents", "activity", "datasets", "scoring", "evals", "review")


@cache
def tracked() -> tuple[str, ...]:
    """Every file in version control, and every new one that is not ignored, as paths under the project's folder."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:  # an unpacked archive has no history
        return tuple(
            str(path.relative_to(ROOT)) for app in (*APPS, "tests", "templates") for path in (ROOT / app).rglob("*.*")
        )
    return tuple(line for line in listed.stdout.splitlines() if (ROOT / line).is_file())


def modules() -> list[str]:
    """The product's Python files, migrations left out."""
    return [path for path in tracked() if path.endswith(".py") and path.startswith(APPS) and "/migrations/" not in path]


def templates() -> list[str]:
    return [path for path in tracked() if path.startswith("templates/") and path.endswith((".html", ".txt"))]


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def tree(path: str) -> ast.Module:
    return ast.parse(text(path), filename=path)


def lines(path: str) -> int:
    return text(path).count("\n")


def folder(path: str) -> tuple[str, ...]:
    return Path(path).parts

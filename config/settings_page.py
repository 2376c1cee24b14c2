"""The text of docs/settings.md, made from the table of variables and the table of limits."""

from pathlib import Path

from config.environment import ROOT, VARIABLES, Variable
from core import limits

PAGE = ROOT / "docs" / "settings.md"

HEAD = """\
# Settings

Made by `manage.py settings_docs` from `config/environment.py` and `core/limits.py`; a test fails when it is stale.

## Environment variables

Read from the environment, and below it from the file `.env` in the project's folder (another file by
`CASEBOOK_ENV_FILE`). A missing or wrong one stops the start with a message that names every one that is wrong. An
empty variable counts as absent.

| variable | default | what it is for |
|---|---|---|
"""

LIMITS_HEAD = """
## Limits

Every bound, changed in code only: `core/limits.py`. In brackets the requirement it comes from.

| limit | value | unit | what it bounds |
|---|---:|---|---|
"""


def page() -> str:
    """The whole page; tables in the order of the code."""
    variables = "".join(f"| `{v.name}` | {_default(v)} | {_cell(v.sentence)} |\n" for v in VARIABLES)
    bounds = "".join(
        f"| `{name}` | {value} | {unit} | {_cell(reason)} |\n" for name, value, unit, reason in limits.rows()
    )
    return HEAD + variables + LIMITS_HEAD + bounds


def write(path: Path = PAGE) -> None:
    path.write_text(page(), encoding="utf-8")


def _default(variable: Variable) -> str:
    if variable.default is None:
        return "required"
    return f"`{variable.default.replace(str(ROOT), '.')}`" if variable.default else "empty"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")

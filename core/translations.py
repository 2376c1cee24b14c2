"""The catalogues of console texts: extracted from code and templates, merged into locale/, compiled for Django.

Babel does the work, so no system gettext is needed; Django's own `templatize` turns a template into the calls of
gettext that it holds, and Babel's reader of Python takes those.
"""

from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

# Packages beside the product whose texts nobody sees in the console.
NOT_SHOWN = {"tests", "benchmarks", "scripts"}
KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_noop": None,
    "gettext_lazy": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
}
Message = tuple[str | tuple[str, ...], str | None, str]


def messages(root: Path) -> Iterator[Message]:
    """Each text in the sources under `root` that gettext marks: its id (or singular and plural), context and file."""
    for path in sorted(_sources(root)):
        text = path.read_text(encoding="utf-8")
        code = _as_python(text, path) if path.suffix in (".html", ".txt") else text
        found: Iterable[Any] = extract(
            "python", BytesIO(code.encode()), keywords=KEYWORDS, options={"encoding": "utf-8"}
        )
        for _line, message, _comments, context in found:
            if message and (not isinstance(message, tuple) or message[0]):
                yield message, context, path.relative_to(root).as_posix()


def _as_python(text: str, path: Path) -> str:
    """A template as calls of gettext; without indentation, which means nothing in a template and much in Python."""
    return "\n".join(line.lstrip() for line in templatize(text, origin=str(path)).split("\n"))


def _sources(root: Path) -> Iterator[Path]:
    packages = sorted(file.parent for file in root.glob("*/__init__.py"))
    for app in (package for package in packages if package.name not in NOT_SHOWN):
        yield from (path for path in app.rglob("*.py") if "migrations" not in path.parts)
    yield from (path for path in (root / "templates").rglob("*") if path.suffix in (".html", ".txt"))


def template_catalogue(root: Path) -> Catalog:
    """All texts with the files they stand in, untranslated."""
    catalogue = Catalog(project="Casebook", charset="utf-8")
    for message, context, place in messages(root):
        catalogue.add(message, locations=[(place, 0)], context=context)
    return catalogue


def catalogue_path(root: Path, language: str) -> Path:
    return root / "locale" / language / "LC_MESSAGES" / "django.po"


def languages() -> list[str]:
    """The languages that need a catalogue: all but the one the texts are written in."""
    return [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def read_catalogue(root: Path, language: str) -> Catalog:
    """The catalogue of one language as it stands in locale/, empty where there is none yet."""
    path = catalogue_path(root, language)
    if not path.exists():
        return Catalog(
            locale=language,
            header_comment="# Casebook's console texts.",
            project="Casebook",
            version="1",
            msgid_bugs_address="the Casebook authors",
            last_translator="the Casebook authors",
            language_team="Casebook",
            fuzzy=False,
        )
    return read_po(BytesIO(path.read_bytes()), locale=language)


def update(root: Path) -> None:
    """Bring every catalogue up to what the sources hold: new texts come in empty, texts no longer used go."""
    template = template_catalogue(root)
    for language in languages():
        catalogue = read_catalogue(root, language)
        made_at = catalogue.creation_date
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        catalogue.creation_date = made_at  # so that an update that changes no text changes no file
        path = catalogue_path(root, language)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as target:
            write_po(target, catalogue, width=0, include_lineno=False, sort_output=True, omit_header=False)


def compile_all(root: Path) -> None:
    """Write the .mo file beside each .po file, where it is missing or older."""
    for language in languages():
        source = catalogue_path(root, language)
        target = source.with_suffix(".mo")
        if not source.exists() or (target.exists() and target.stat().st_mtime >= source.stat().st_mtime):
            continue
        with target.open("wb") as file:
            write_mo(file, read_catalogue(root, language))

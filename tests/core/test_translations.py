"""The console speaks English, Spanish and Polish, and no text is left behind (PL-53)."""

import ast
import gettext
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from django.conf import settings

from core import translations
from tests.architecture.sources import modules, tree

PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|%[sd]|\{(\w+)\}")
LANGUAGES = ["es", "pl"]
MARKS = {"_", "gettext", "gettext_lazy", "ngettext", "pgettext", "pgettext_lazy"}


def forms(text: str | tuple[str, ...] | list[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def entries(language: str) -> dict[tuple[str, str | None], Message]:
    catalogue = translations.read_catalogue(settings.BASE_DIR, language)
    return {(forms(entry.id)[0], entry.context): entry for entry in catalogue if entry.id}


@pytest.fixture(scope="module")
def texts() -> set[tuple[str, str | None]]:
    return {
        (forms(entry.id)[0], entry.context) for entry in translations.template_catalogue(settings.BASE_DIR) if entry.id
    }


@pytest.mark.spec("PL-53")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_holds_the_texts_of_the_sources_and_no_others(
    language: str, texts: set[tuple[str, str | None]]
) -> None:
    held = set(entries(language))
    assert not texts - held, "run `manage.py translations update` and translate these"
    assert not held - texts, "run `manage.py translations update`: these are no longer used"


@pytest.mark.spec("PL-53")
def test_no_text_is_marked_inside_another_where_the_extractor_does_not_look() -> None:
    """Before Python 3.12 it skips what stands in the braces of a formatted string."""
    inside = [
        f"{path}:{node.lineno}"
        for path in modules()
        for joined in ast.walk(tree(path))
        if isinstance(joined, ast.JoinedStr)
        for node in ast.walk(joined)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS
    ]
    assert inside == []


@pytest.mark.spec("PL-53")
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated(language: str) -> None:
    empty = [key for key, entry in entries(language).items() if not all(forms(entry.string)) or entry.fuzzy]
    assert empty == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_the_placeholders_of_their_text(language: str) -> None:
    wrong = []
    for key, entry in entries(language).items():
        wanted = {match.group() for match in PLACEHOLDER.finditer(" ".join(forms(entry.id)))}
        last = forms(entry.string)[-1]
        if {match.group() for match in PLACEHOLDER.finditer(last)} != wanted:
            wrong.append(key)
    assert wrong == []


def test_texts_of_templates_are_found_as_well_as_those_of_code(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "page.html").write_text(
        "{% load i18n %}{% translate 'Add case' %}{% blocktranslate count n=n %}one case{% plural %}{{ n }} cases"
        "{% endblocktranslate %}{% translate 'May' context 'month' %}"
    )
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "__init__.py").touch()
    (tmp_path / "core" / "module.py").write_text("from x import gettext_lazy as _\nlabel = _('Owner')\n")
    found = {(message, context) for message, context, _place in translations.messages(tmp_path)}
    assert found == {
        ("Add case", None),
        (("one case", "%(n)s cases"), None),
        ("May", "month"),
        ("Owner", None),
    }


def test_compiled_catalogues_are_what_django_reads(tmp_path: Path) -> None:
    folder = tmp_path / "locale" / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "Owner"\nmsgstr "Propietaria"\n'
    )
    translations.compile_all(tmp_path)
    with (folder / "django.mo").open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("Owner") == "Propietaria"

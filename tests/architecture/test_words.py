"""Words that may not stand in the project: folders of one machine, addresses of registries, secrets."""

import re

import pytest

from tests.architecture.sources import text, tracked

FORBIDDEN = {
    "a folder of one machine": re.compile(r"/(?:home|Users|root)/[a-z]\w*/|/work/(?!\w*[\"'])\w"),
    "an address of a package registry": re.compile(
        r"(?:py" + r"pi\.org|pythonhosted" + r"\.org|npmjs" + r"\.(?:org|com))"
    ),
    "a private key": re.compile(r"-----BEGIN (?:[A-Z]+ )?PRIVATE" + r" KEY-----\n[A-Za-z0-9+/=]{40}"),
    "an unfinished merge": re.compile(r"^(?:<{7}|>{7}) ", re.M),
}
READ = (".py", ".md", ".html", ".txt", ".toml", ".js", ".css", ".po", ".sh", ".yml", ".cfg")


@pytest.mark.parametrize("kind", FORBIDDEN)
def test_no_file_holds(kind: str) -> None:
    files = [path for path in tracked() if path.endswith(READ) or "." not in path]
    assert [path for path in files if FORBIDDEN[kind].search(text(path))] == []


def test_pins_name_no_index_and_every_one_has_its_hashes() -> None:
    for name in ("requirements.txt", "requirements-test.txt"):
        pins = text(name)
        assert "://" not in pins
        assert "--index" not in pins
        entries = re.split(r"\n(?=[A-Za-z0-9])", pins.strip())
        assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_what_runs_is_pinned_the_same_for_tests() -> None:
    def pins(name: str) -> dict[str, str]:
        return dict(re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", text(name), re.M))

    tested = pins("requirements-test.txt")
    assert {name: tested.get(name) for name in pins("requirements.txt")} == pins("requirements.txt")


def test_no_group_is_possessive_by_the_standard_library() -> None:
    """Before Python 3.11.5 `re` loses its place when a turn of `(?:…)*+` fails half-way (python/cpython#106052).

    `(?>(?:…)*)` says the same and works; so does the package `regex`, which also bounds its memory.
    """
    possessive = re.compile(r"\)(?:[*+?]|\{[^}]*\}{1,2})\+")
    files = [path for path in tracked() if path.endswith(".py") and not path.startswith("tests/")]
    wrong = [path for path in files if possessive.search(text(path)) and re.search(r"^import re$", text(path), re.M)]
    assert [path for path in wrong if not re.search(r"^import regex$", text(path), re.M)] == []

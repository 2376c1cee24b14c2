"""Sizes, names and first sentences: what keeps a file readable in one sitting.

An exception is written down here with its reason, and only where splitting would make the reading harder.
"""

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.sources import folder, lines, modules, templates, tracked, tree

MODULE_LINES, FUNCTION_LINES, VIEW_LINES, TEMPLATE_LINES = 400, 50, 20, 80
LONG_MODULES: dict[str, str] = {}
LONG_FUNCTIONS: dict[str, str] = {}
LONG_VIEWS = {"core/views/gallery.py:_context": "the samples of every component, one a line"}
LONG_TEMPLATES: dict[str, str] = {}
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "base", "tools", "services", "managers"}


def functions(path: str) -> Iterator[tuple[str, int]]:
    """Each function's place and its lines, from the end of its signature to its own, its docstring left out."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{path}:{node.name}", (node.end_lineno or 0) - node.body[0].lineno + 2 - docstring_lines(node)


def docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = node.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return (first.end_lineno or 0) - first.lineno + 1 if is_docstring and ast.get_docstring(node) else 0


def too_long(found: dict[str, int], most: int, exceptions: dict[str, str]) -> dict[str, int]:
    return {place: size for place, size in found.items() if size > most and place not in exceptions}


def test_no_module_is_over_400_lines() -> None:
    assert too_long({path: lines(path) for path in modules()}, MODULE_LINES, LONG_MODULES) == {}


def test_no_function_is_over_50_lines() -> None:
    found = dict(pair for path in modules() for pair in functions(path))
    assert too_long(found, FUNCTION_LINES, LONG_FUNCTIONS) == {}


def test_no_view_is_over_20_lines() -> None:
    faces = [path for path in modules() if "views" in folder(path)]
    found = dict(pair for path in faces for pair in functions(path))
    assert too_long(found, VIEW_LINES, LONG_VIEWS) == {}


def test_no_template_is_over_80_lines() -> None:
    assert too_long({path: lines(path) for path in templates()}, TEMPLATE_LINES, LONG_TEMPLATES) == {}


@pytest.mark.parametrize("exceptions", [LONG_MODULES, LONG_FUNCTIONS, LONG_VIEWS, LONG_TEMPLATES])
def test_the_exceptions_are_few(exceptions: dict[str, str]) -> None:
    assert len(exceptions) <= 3


def test_every_module_opens_with_a_sentence() -> None:
    """The product's and the tests': one sentence that says what lives there."""
    python = [path for path in tracked() if path.endswith(".py") and "/migrations/" not in path and lines(path)]
    silent = [path for path in python if not first_sentence(path).rstrip('"').endswith((".", ":", ")", "`"))]
    assert silent == []


def first_sentence(path: str) -> str:
    return (ast.get_docstring(tree(path)) or "").partition("\n")[0]


def test_every_public_function_and_class_of_operations_and_queries_says_what_it_does() -> None:
    silent = [
        f"{path}:{node.name}"
        for path in modules()
        if {"operations", "queries"} & set(folder(path))
        for node in tree(path).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
        if not ast.get_docstring(node)
    ]
    assert silent == []


def test_no_module_or_class_has_a_name_that_says_nothing() -> None:
    named_by_django = {"core/sqlite/base.py"}
    others = [path for path in modules() if path not in named_by_django]
    stems = [path for path in others if folder(path.removesuffix(".py"))[-1].strip("_") in VAGUE_NAMES]
    classes = [
        f"{path}:{node.name}"
        for path in modules()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef) and node.name.startswith(("Base", "Abstract"))
    ]
    assert stems + classes == []


def test_operations_take_the_actor_first_and_the_rest_by_keyword() -> None:
    loose = [
        f"{path}:{node.name}"
        for path in modules()
        if "operations" in folder(path)
        for node in tree(path).body
        if isinstance(node, ast.FunctionDef) and node.args.args and node.args.args[0].arg == "actor"
        if not node.name.startswith("_")
        if len(node.args.args) > 2
    ]
    assert loose == []

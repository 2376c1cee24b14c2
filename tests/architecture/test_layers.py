"""Who may know whom: imports and foreign keys point down only, and each foreign library has one door."""

import ast
import subprocess
import sys

import pytest
from django.apps import apps
from django.core.management import call_command

from config.environment import ROOT
from tests.architecture.sources import APPS, modules, tracked, tree

BOTTOM_UP = ("core", "accounts", "agents", "activity", "datasets", "scoring", "evals", "review", "config")
ORDER = {app: height for height, app in enumerate(BOTTOM_UP)}
MANAGERS = {"objects", "_default_manager", "_base_manager"}
WRITES = {"save", "delete", "bulk_create", "bulk_update"}


def test_imports_point_down_only() -> None:
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_foreign_keys_point_down_only() -> None:
    upward = [
        f"{model._meta.label}.{field.name} -> {field.related_model._meta.label}"
        for model in apps.get_models()
        for field in model._meta.get_fields(include_parents=False)
        if field.is_relation and field.concrete and field.related_model is not None
        if ORDER.get(model._meta.app_label, -1) < ORDER.get(field.related_model._meta.app_label, -1)
        and model._meta.app_label in ORDER
    ]
    assert upward == []


def test_every_app_of_ours_is_in_the_order() -> None:
    ours = {config.label for config in apps.get_app_configs() if (ROOT / config.label / "__init__.py").exists()}
    assert ours == set(ORDER) == set(APPS)


def test_views_and_api_never_touch_rows_themselves() -> None:
    """They call operations and queries; managers, `.save()` and `.delete()` belong below."""
    faces = [path for path in modules() if {"views", "api"} & set(path.removesuffix(".py").split("/")[1:])]
    assert [found for path in faces for found in row_accesses(path)] == []


def row_accesses(path: str) -> list[str]:
    nodes = list(ast.walk(tree(path)))
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return [
        f"{path}:{node.lineno}: .{node.attr}"
        for node in nodes
        if isinstance(node, ast.Attribute) and (node.attr in MANAGERS or (node.attr in WRITES and id(node) in called))
    ]


@pytest.mark.django_db
def test_no_model_changes_without_its_migration() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_each_app_that_has_tables_has_one_tidy_first_migration() -> None:
    firsts = [path for path in tracked() if "/migrations/0001_" in path]
    assert sorted(path.split("/")[0] for path in firsts) == sorted({path.split("/")[0] for path in firsts})

"""The copy of the test database is never one of other migrations."""

from pathlib import Path

from tests.database_template import key_of, sources


def test_a_migration_that_is_changed_added_or_renamed_makes_another_template(tmp_path: Path) -> None:
    first, second = tmp_path / "0001_first.py", tmp_path / "0002_second.py"
    first.write_text("a")
    keys = [key_of([first])]
    first.write_text("b")
    keys.append(key_of([first]))
    second.write_text("b")
    keys += [key_of([first, second]), key_of([second])]
    assert len(set(keys)) == 4
    assert key_of([second, first, second]) == key_of([first, second])


def test_every_app_of_ours_and_what_its_migrations_import_is_told_apart() -> None:
    found = {str(path) for path in sources()}
    for end in ("review/migrations/0001_first_tables.py", "core/ids.py", "guardian/migrations/0001_initial.py"):
        assert any(path.endswith(end) for path in found), end

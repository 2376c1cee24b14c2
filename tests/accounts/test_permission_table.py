"""The permission table, cell by cell, as the specification prints it (PL-4, ACC-4, ACC-5)."""

import pytest

from accounts.permissions import GIVEN_BY, OFFERED_LEVELS, SCOPES, GrantLevel, Permission, Role

TABLE = """
datasets:view | all | all | all | all | shared | shared
datasets:edit | all | all | shared | - | own | -
datasets:run | all | all | all | all | shared | -
agents:view | all | all | all | all | shared | shared
agents:edit | all | all | shared | - | - | -
agents:run | all | all | all | all | shared | -
runs:view | all | all | all | all | - | -
knowledge:view | all | all | all | all | shared | shared
knowledge:edit | all | all | shared | - | own | -
skills:view | all | all | all | all | shared | shared
skills:edit | all | all | shared | - | own | -
connections:manage | all | all | - | - | - | -
members:manage | all | all | - | - | - | -
organisation:manage | all | all | - | - | - | -
audit:view | all | all | - | - | - | -
privacy:manage | all | all | - | - | - | -
"""


@pytest.mark.spec("PL-3", "PL-4", "ACC-5", "ACC-9")
def test_every_cell_of_the_table_is_as_specified() -> None:
    expected = {}
    for line in TABLE.strip().splitlines():
        permission, *scopes = [cell.strip() for cell in line.split("|")]
        for role, scope in zip(Role, scopes, strict=True):
            expected[Permission(permission), role] = "none" if scope == "-" else scope
    assert {key: scope.value for key, scope in SCOPES.items()} == expected


@pytest.mark.spec("ACC-4", "ACC-13", "ACC-15")
def test_only_reading_and_editing_are_offered_and_use_gives_nothing() -> None:
    assert OFFERED_LEVELS == (GrantLevel.READ, GrantLevel.EDIT)
    assert all(GrantLevel.USE not in levels for levels in GIVEN_BY.values())

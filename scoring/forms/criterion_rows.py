"""The criteria of the judge as rows of the grading form, with what is wrong with each and what a rule could check."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from core.errors import Problem
from datasets.forms.case_rows import Row, Sent, sent_rows
from scoring.logic.settings import Json
from scoring.logic.suggestions import Suggestion, suggested_rules

NAME = "criteria"


@dataclass
class CriterionRow(Row):
    """One criterion; `rules` could check what it asks (SC-126)."""

    rules: tuple[Suggestion, ...] = ()
    place: int = 0


@dataclass
class CriterionRows:
    """The rows in their order; those that say nothing are left out of what is read."""

    rows: list[CriterionRow]
    name: str = NAME
    errors: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, criteria: Iterable[Json]) -> "CriterionRows":
        return cls([CriterionRow(f"{NAME}.{place}", _values(one)) for place, one in enumerate(criteria)])

    @classmethod
    def sent(cls, data: Sent) -> "CriterionRows":
        return cls([CriterionRow(row.path, row.values) for row in sent_rows(data, NAME)])

    def __iter__(self) -> Iterator[CriterionRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def blank(self) -> CriterionRow:
        """The row that a script copies for a new one."""
        return CriterionRow(f"{NAME}.__row__", {"required": "true"})

    @property
    def has_errors(self) -> bool:
        return bool(self.errors) or any(row.has_errors for row in self.rows)

    @property
    def written(self) -> list[CriterionRow]:
        return [row for row in self.rows if not row.is_blank("name", "criterion")]

    def read(self) -> list[Json]:
        """The criteria as a change of settings names them."""
        return [_criterion(row.values) for row in self.written]

    def suggest(self, default_checks: list[Json]) -> None:
        """Note beside each criterion the rules that could check it and are not there yet (SC-D51)."""
        for place, row in enumerate(self.rows):
            row.place = place
            row.rules = suggested_rules(row.values.get("criterion", ""), default_checks)

    def show(self, problem: Problem) -> None:
        """Say a problem such as `0.name` at its row, and one of the whole list above it."""
        place, _dot, part = problem.field.partition(".")
        written = self.written
        if place.isdigit() and int(place) < len(written):
            written[int(place)].say(part if part in ("name", "criterion") else "", problem.message)
        else:
            self.errors.append(problem.message)

    def problems(self) -> Iterator[tuple[str, str, str]]:
        """Label, place and words of each problem, for the summary."""
        labels = {"name": _("Name"), "criterion": _("Question for the judge")}
        yield from ((_("Criteria"), "criteria-list", said) for said in self.errors)
        for number, row in enumerate(self.rows, start=1):
            label = _("Criterion %(number)d") % {"number": number}
            for part, all_said in row.errors.items():
                place = f"id_{row.path}.{part}" if part else f"id_{row.path}"
                yield from ((f"{label}, {labels[part]}" if part else label, place, said) for said in all_said)


def _values(criterion: Json) -> dict[str, str]:
    texts = {key: str(criterion.get(key) or "") for key in ("id", "name", "criterion")}
    return {**texts, "required": "true" if criterion.get("required", True) else "false"}


def _criterion(values: dict[str, str]) -> dict[str, Any]:
    texts = {key: values.get(key, "") for key in ("id", "name", "criterion")}
    return {**texts, "required": values.get("required") == "true"}

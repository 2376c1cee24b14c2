"""Why a text is no JSON, as a problem of a field or of a line."""

from dataclasses import dataclass

from core.problems import Problem, gettext_noop
from core.strict_json import JSONFault


@dataclass(frozen=True)
class FaultWords:
    """Stands among a problem's values; the faces say the fault in the reader's language."""

    fault: JSONFault
    with_line: bool

    def __str__(self) -> str:
        return str(self.fault)


def json_problem(fault: JSONFault, field: str, *, with_line: bool = True) -> Problem:
    """The fault in a cell or a field, which may have lines of its own, or in one line of a file."""
    return Problem(field, gettext_noop("This is no JSON: %(why)s."), {"why": FaultWords(fault, with_line)})

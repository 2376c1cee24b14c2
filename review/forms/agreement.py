"""What the address of the page of agreement says: which judge, which disagreements (RV-D34)."""

import re
from dataclasses import dataclass

from django.http import QueryDict

from review.logic.agreement import Kind
from review.logic.judged import PartKey

PIN = re.compile(r"[0-9a-f]{1,64}")
KINDS = (Kind.TOO_STRICT, Kind.TOO_LENIENT)


@dataclass(frozen=True)
class AgreementState:
    """Read leniently: what is not understood is left out. `judge` is the beginning of a pin's hash."""

    judge: str = ""
    part: PartKey | None = None
    kind: Kind | None = None
    page: str = "1"

    @classmethod
    def of(cls, query: QueryDict) -> "AgreementState":
        judge = query.get("judge", "")
        return cls(
            judge=judge if PIN.fullmatch(judge) else "",
            part=PartKey.of_text(query.get("part", "")),
            kind=next((kind for kind in KINDS if kind == query.get("kind")), None),
            page=query.get("page", "1"),
        )

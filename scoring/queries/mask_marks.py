"""The mark of what one reader may read of scores, by which an open page notices that this has changed (RV-D15)."""

from collections.abc import Sequence
from hashlib import sha256

from scoring.queries.score_rows import ScoreRow


def mask_mark(shown: ScoreRow) -> str:
    """What changes when the reader may read more or less of the score, or its words were removed (ACC-D25, RV-16)."""
    return _mark(_told(shown))


def mask_mark_of_rows(rows: Sequence[ScoreRow]) -> str:
    """The same for a page of a list, whatever the order of its rows."""
    return _mark("\n".join(sorted(f"{row.id} {_told(row)}" for row in rows)))


def _told(row: ScoreRow) -> str:
    case = row.case.mask_mark if row.case else ""
    return f"{row.is_readable} {row.sees_agent} {row.reads_runs} {row.score.answer_removed_at} {case}"


def _mark(told: str) -> str:
    return sha256(told.encode()).hexdigest()[:12]

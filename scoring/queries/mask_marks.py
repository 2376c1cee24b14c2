"""The mark of what one reader may read of a score, by which an open panel notices that this has changed (RV-D15)."""

from hashlib import sha256

from scoring.queries.readable_scores import ReadableScore


def mask_mark(shown: ReadableScore) -> str:
    """What changes when the reader may read more or less of the score, or its words were removed (ACC-D25, RV-16)."""
    case = shown.case.mask_mark if shown.case else ""
    told = f"{shown.is_readable} {shown.sees_agent} {shown.reads_runs} {shown.answer_removed_at} {case}"
    return sha256(told.encode()).hexdigest()[:12]

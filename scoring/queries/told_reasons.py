"""Why an answer failed or has no verdict, in sentences, for files and other lists without room for findings."""

from scoring.logic.findings import Origin, State, Verdict
from scoring.queries.readable_scores import ReadableFinding, ReadableScore

# What stands above these says nothing that their reason does not say.
TOLD_BY_THEIR_REASON = (Origin.CASE_CHECK, Origin.DEFAULT_CHECK)
WITHOUT_VERDICT = (State.FAIL, State.NO_VERDICT)


def reasons_of(score: ReadableScore) -> list[str]:
    """What it failed by, or has no verdict for, each in a sentence; none for who may not read them."""
    told = [score.why] if score.why else []
    for shown in score.failed_first:
        if shown.result.state in WITHOUT_VERDICT:
            found = [_told(one) for one in shown.failed_first if one.finding.verdict is not Verdict.PASS]
            told += found or ([f"{shown.label}: {shown.why}"] if shown.why else [])
    return list(dict.fromkeys(told))


def _told(found: ReadableFinding) -> str:
    """The finding as one sentence, under its heading where that says more than its reason."""
    said = " ".join(part for part in (found.why, found.finding.reason) if part)
    if not said or (found.finding.origin in TOLD_BY_THEIR_REASON and found.why):
        return said or found.heading
    return f"{found.heading}: {said}" if found.heading else said

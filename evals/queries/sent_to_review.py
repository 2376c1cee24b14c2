"""What a completed test run sent to review, or keeps to be sent, as its page tells it (EV-41, EV-42, EV-D49)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from evals.models import EvalRun


@dataclass(frozen=True)
class SentAway:
    """`sent` answers got the place in review, `waiting` are kept while nothing takes them.

    `regressions` and `judge_errors` say of how many it was made up. `not_sent` are the causes for which answers did not
    get the place, each with how many.
    """

    sent: int = 0
    waiting: int = 0
    regressions: int = 0
    judge_errors: int = 0
    not_sent: Sequence[tuple[str, int]] = field(default_factory=tuple)

    @property
    def chosen(self) -> int:
        return self.regressions + self.judge_errors


def sent_of(run: EvalRun) -> SentAway:
    """Read from what the run keeps of its completion; nothing of a run that did not complete."""
    kept = run.review or {}
    causes = Counter(one["cause"] for one in kept.get("not_sent", ()))
    return SentAway(
        sent=kept.get("sent", 0),
        waiting=len(kept.get("to_send", ())),
        regressions=kept.get("regressions", 0),
        judge_errors=kept.get("judge_errors", 0),
        not_sent=tuple(causes.most_common()),
    )

"""The final outcome of attempts as the database asks it: the same as `AttemptResult.final_outcome` (EV-D33, RV-54)."""

from django.db.models import Q

from evals.logic.results import ENDED
from evals.models import AttemptKind, AttemptState
from scoring.models import ScoreOutcome

HAS_ENDED = Q(state__in=ENDED)
IS_FIRST, IS_CONFIRMING = Q(kind=AttemptKind.FIRST), Q(kind=AttemptKind.CONFIRM)


def _outcome(outcome: ScoreOutcome) -> Q:
    """What a person ruled, or else what grading found of an answer."""
    return Q(score__decided=outcome) | Q(score__decided="", score__outcome=outcome, state=AttemptState.DONE)


HAS_PASSED, HAS_FAILED = _outcome(ScoreOutcome.PASS), _outcome(ScoreOutcome.FAIL)
# Of a confirming attempt: at work without a decision, or cancelled, so that it confirms nothing.
CONFIRMS_NOTHING_YET = Q(state=AttemptState.CANCELLED) | ~HAS_ENDED & (Q(score=None) | Q(score__decided=""))
# A model was asked and nobody knows the price.
UNKNOWN_COST = Q(cost=None) & (Q(answered_at__isnull=False) | Q(input_tokens__isnull=False))
UNKNOWN_JUDGE_COST = Q(score__judge_cost=None, score__judge_run__isnull=False)

"""Who may read what an agent answered in a test run: answers, reasons and quotes (EV-D53, RV-74, RV-75)."""

from accounts.actor import Actor
from evals.models import EvalRun
from scoring.models import Score
from scoring.queries.score_rows import sight_of


def reads_answers(actor: Actor, run: EvalRun) -> bool:
    """Whether the actor, who may see the run, may read its answers and what grading says of them; one query.

    Asked as of a score of the run, so that its page and the page of a score can never disagree.
    """
    like = Score(agent_id=run.agent_id, has_agent=run.agent_id is not None or run.answer_set_id is None)
    return sight_of(actor, [like]).may_read(like)

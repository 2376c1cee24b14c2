"""Every console address of a dataset's test runs: the list and the dialog that starts one, for who reads runs."""

from typing import Any

from tests.access.score_pages import PART, ScorePage, ScoreTarget


def nothing_chosen(_target: ScoreTarget) -> dict[str, Any]:
    return {"which": "every"}


EVAL_LIST_PAGES = (
    ScorePage("GET", "evals", "score"),
    ScorePage("GET", "evals", "score", query="?status=failed&label=a&agent={score}", headers=PART),
    ScorePage("GET", "evals-live", "score", query="?run={score}", headers=PART),
    ScorePage("GET", "evals-start", "score", query="?again={score}"),
    ScorePage("GET", "evals-start", "score", headers=PART),
    ScorePage("POST", "evals-estimate", "score", form=nothing_chosen, headers=PART),
    ScorePage("POST", "evals-cases", "score", form=nothing_chosen, headers=PART),
)

"""Test runs that are worked on: a fake provider answers and judges, and the test is the worker."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from agents.models import Agent, LanguageModel
from evals.models import FINAL_STATES, Attempt, EvalRun
from evals.operations.work import work_on
from tests.agents.provider_server import Answer, FakeProvider, completion, fake_provider
from tests.cast import Cast
from tests.evals.starts import StartScene, make_model_agent, publish
from tests.scoring.judges import grading, make_judge_model

GOOD = "You have 30 days."
Said = str | Answer


class WorkScene(StartScene):
    """A dataset whose cases pass where the answer says "days"; the agent is answered by `provider`."""

    def __init__(self, cast: Cast, provider: FakeProvider, cases: int = 3) -> None:
        super().__init__(cast, cases)
        self.provider = provider
        self.model = make_judge_model(cast.owner, provider.address, name="small-1")
        self.agent: Agent = make_model_agent(cast, self.model)
        self.judge_model: LanguageModel | None = None

    def publish(self, number: int, **spec: Any) -> None:
        publish(self.agent, number, self.model, **spec)

    def judged(self) -> None:
        """The rubric is graded by a model of the same provider from now on."""
        self.judge_model = make_judge_model(self.cast.owner, self.provider.address, name="judge-1")
        self.judge_by(self.judge_model)

    def worked(self, run: EvalRun, *, slices: int = 20) -> EvalRun:
        """The run as jobs leave it that follow one another."""
        for _slice in range(slices):
            work_on(run.pk)
            run.refresh_from_db()
            if run.state in FINAL_STATES:
                break
        return run

    def run(self, **choices: Any) -> EvalRun:
        """Started and worked on to its end."""
        return self.worked(self.start(**choices))

    def states(self, run: EvalRun) -> list[str]:
        """Of the attempts, in the order of cases."""
        rows = Attempt.objects.filter(run=run).order_by("item__position", "number")
        return list(rows.values_list("state", flat=True))

    def outcomes(self, run: EvalRun) -> list[str]:
        rows = Attempt.objects.filter(run=run, kind="first").order_by("item__position", "number")
        return [outcome or "" for outcome in rows.values_list("score__outcome", flat=True)]


@contextmanager
def answering(
    answer: Callable[[str], Said] = lambda question: GOOD, grade: Callable[[dict[str, Any], str], int] | None = None
) -> Iterator[FakeProvider]:
    """A provider that answers questions by a function of their text, and grades as a judge by another."""
    judge = grading(grade or (lambda _material, _criterion: 5))

    def script(asked: dict[str, Any]) -> Answer:
        if asked["model"] == "judge-1":
            return judge(asked)
        said = answer(asked["messages"][-1]["content"])
        return said if isinstance(said, Answer) else Answer(completion(said))

    with fake_provider(script=script) as provider:
        yield provider


def questions(provider: FakeProvider) -> list[str]:
    """What the agent was asked, in the order of asking."""
    return [asked["messages"][-1]["content"] for asked in provider.asked if asked["model"] != "judge-1"]

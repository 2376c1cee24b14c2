"""Scores as one reader may know them: where they came from and their outcome, and who may read the words (ACC-33)."""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any
from uuid import UUID

from accounts import access
from accounts.actor import Actor
from accounts.models import Member
from accounts.permissions import Permission, Role
from agents.models import Agent
from core.lookups import not_empty
from datasets.queries.readable_words import reading_of
from datasets.queries.seen_cases import SeenCase, seen_as
from scoring.logic.findings import EvaluatorResult, Reason
from scoring.logic.pins import Pin, differing_fields
from scoring.models import AnswerSet, Score, ScoreOutcome, ScoreState
from scoring.places import TestRunLink, runs_of_scores
from scoring.queries.graded_revisions import graded_revisions
from scoring.queries.reason_words import fields_in_words, in_words

JUDGED = not_empty("pin_hash")
# Who may read what an agent that no longer exists has answered (ACC-D23).
MAY_READ_OF_GONE_AGENTS = (None, Role.OWNER, Role.ADMIN)


@dataclass(frozen=True)
class Sight:
    """What one actor may read of some scores: asked once for all of them."""

    reads_runs: bool
    reads_of_gone_agents: bool
    agents: frozenset[UUID]

    def may_read(self, score: Score) -> bool:
        """Whether answer and evidence of the score are open to the actor (SC-168, ACC-33, ACC-D23)."""
        if not self.reads_runs:
            return False
        if score.agent_id is None:
            return self.reads_of_gone_agents or not score.has_agent
        return score.agent_id in self.agents

    def sees_agent(self, score: Score) -> bool:
        return score.agent_id is not None and score.agent_id in self.agents


def sight_of(actor: Actor, scores: Iterable[Score]) -> Sight:
    """What the actor may read of these scores; one query at the most."""
    ids = {score.agent_id for score in scores if score.agent_id}
    seen = Agent.objects.allowed(actor, Permission.AGENTS_VIEW).filter(pk__in=ids).values_list("pk", flat=True)
    reads_runs = access.may(actor, Permission.RUNS_VIEW)
    of_gone = actor.role in MAY_READ_OF_GONE_AGENTS and actor.key_allows(Permission.AGENTS_VIEW)
    return Sight(reads_runs, of_gone, frozenset(seen) if ids else frozenset())


@dataclass(frozen=True)
class ScoreRow:
    """One score of a list as one reader sees it; what they may not know is empty.

    `is_readable` says whether answer, reasons and quotes are open to them. `differing` names the fields in which its
    judge's configuration differs from that of the dataset's newest judged score: such grades are not to be compared
    with the others (SC-D5, SC-96). `test_run` is the one that it is part of, for who may open that (EV-47).
    `is_in_review` says that it waits for a person; only lists that ask the review know it.
    """

    score: Score
    case: SeenCase | None
    is_readable: bool
    sees_agent: bool
    reads_runs: bool
    differing: tuple[str, ...] = ()
    test_run: TestRunLink | None = None
    is_in_review: bool = False

    @property
    def id(self) -> UUID:
        return self.score.pk

    @property
    def id_text(self) -> str:
        return str(self.score.pk)

    @property
    def dataset_id(self) -> UUID:
        return self.score.dataset_id

    @property
    def case_id(self) -> UUID:
        return self.score.case_id

    @property
    def version(self) -> int:
        """The dataset's version whose case was graded against."""
        return self.score.version

    @property
    def origin(self) -> str:
        return self.score.origin

    @property
    def state(self) -> str:
        return self.score.state

    @property
    def is_waiting(self) -> bool:
        return self.score.state == ScoreState.WAITING

    @property
    def outcome(self) -> str:
        """Empty while it waits."""
        return self.score.outcome

    @property
    def final(self) -> str:
        """What counts: a person's decision, or else what grading found; empty while neither is there (RV-D3)."""
        return self.score.final_outcome

    @property
    def review_status(self) -> str:
        """`decided`, `waiting` or empty (RV-D4)."""
        return "decided" if self.score.decided else "waiting" if self.is_in_review else ""

    @property
    def is_unscored(self) -> bool:
        return self.score.outcome == ScoreOutcome.UNSCORED

    @property
    def number(self) -> float | None:
        return self.score.number

    @property
    def judge_trouble(self) -> str:
        return self.score.judge_trouble

    @property
    def answer_set(self) -> AnswerSet | None:
        return self.score.answer_set

    @property
    def agent(self) -> Agent | None:
        return self.score.agent if self.sees_agent else None

    @property
    def agent_version(self) -> int | None:
        return self.score.agent_version.number if self.sees_agent and self.score.agent_version else None

    @property
    def model(self) -> str:
        """The model that answered, for who sees its agent."""
        return self.score.model if self.sees_agent or self.is_readable else ""

    @property
    def asked_by(self) -> Member | None:
        return self.score.asked_by

    @property
    def run_id(self) -> UUID | None:
        return self.score.run_id if self.reads_runs else None

    @property
    def judge_run_id(self) -> UUID | None:
        return self.score.judge_run_id if self.reads_runs else None

    @property
    def cost(self) -> Decimal | None:
        """USD, the agent's; a part of the run."""
        return self.score.cost if self.reads_runs else None

    @property
    def seconds(self) -> float | None:
        return self.score.seconds if self.reads_runs else None

    @property
    def judge_cost(self) -> Decimal | None:
        return self.score.judge_cost if self.reads_runs else None

    @cached_property
    def pin(self) -> Pin | None:
        """By which judge it was graded; a part of the dataset's settings, which its readers see."""
        return Pin.of_json(self.score.pin)

    @property
    def judged_by_same_model(self) -> bool:
        """Whether the judge graded on the very model that answered, which may favour its own answers (RV-23)."""
        return self.pin is not None and bool(self.model) and self.pin.model == self.model

    @property
    def differs_in(self) -> list[str]:
        """What differs, as people call it."""
        return fields_in_words(self.differing)

    @property
    def why(self) -> str:
        """Why it is unscored, in words (SC-15)."""
        return in_words(Reason.of_json(self.score.why)) if self.is_readable else ""

    @property
    def created_at(self) -> datetime:
        return self.score.created_at

    @property
    def graded_at(self) -> datetime | None:
        return self.score.graded_at


def score_rows(actor: Actor, scores: Sequence[Score]) -> list[ScoreRow]:
    """The scores of one dataset as the actor may know them, in their order; few queries, however many they are."""
    if not scores:
        return []
    sight = sight_of(actor, scores)
    cases = seen_cases_of(actor, scores)
    newest, runs = newest_pin(scores[0].dataset_id), runs_of_scores(actor, scores)
    return [
        ScoreRow(
            readable_row(sight, score),
            cases.get(score.pk),
            **marks_of(sight, score, newest),
            test_run=runs.get(score.pk),
        )
        for score in scores
    ]


def readable_row(sight: Sight, score: Score) -> Score:
    """The row, or a copy of it without any word that the actor may not read; never to be saved."""
    if sight.may_read(score):
        return score
    masked = copy(score)
    masked.answer, masked.calls, masked.answer_cut, masked.unreadable_reply, masked.why = "", [], False, "", None
    if "results" in vars(score):
        found = (EvaluatorResult.of_json(result) for result in score.results)
        masked.results = [replace(result, why=None, findings=()).as_json() for result in found]
    else:
        masked.results = []  # a list did not read them
    return masked


def marks_of(sight: Sight, score: Score, newest: Pin | None) -> dict[str, Any]:
    """What a row says of its reader, and in what its grades differ from the newest."""
    pin = Pin.of_json(score.pin)
    return {
        "is_readable": sight.may_read(score),
        "sees_agent": sight.sees_agent(score),
        "reads_runs": sight.reads_runs,
        "differing": differing_fields(pin, newest) if pin and newest else (),
    }


def newest_pin(dataset_id: UUID) -> Pin | None:
    """How the dataset's newest judged score was graded, which the others are compared with (SC-D5)."""
    judged = Score.objects.filter(JUDGED, dataset=dataset_id).order_by("-created_at", "-pk")
    newest: Any = judged.values_list("pin", flat=True).first()
    return Pin.of_json(newest)


def graded_differently(one: Score, other: Score) -> tuple[str, ...]:
    """The fields in which the judges of two scores differ; none where their grades are comparable (SC-D5)."""
    return differing_fields(Pin.of_json(one.pin), Pin.of_json(other.pin))


def seen_cases_of(actor: Actor, scores: Sequence[Score]) -> dict[UUID, SeenCase]:
    """The case of each score as it was graded and as the actor may see it, by the score's id; a few queries."""
    revisions = graded_revisions(scores)
    reading = reading_of(actor, (revision.case for revision in revisions.values()))
    versions = {score.pk: score.version for score in scores}
    return {key: seen_as(reading, revision, version=versions[key]) for key, revision in revisions.items()}

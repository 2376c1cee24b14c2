"""Scoring answers that somebody brings along: all of a file or request, or none, and no agent is asked."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import access, audit
from accounts.actor import Actor
from accounts.operations.idempotent_requests import FirstAnswer, claim_request, remember_answer
from accounts.permissions import Permission
from agents.models import AgentKind
from agents.queries.agents import find_agent
from core.errors import Invalid, NotFound, TooLarge
from core.limits import LIMITS
from core.problems import Problem
from core.refusals import refusal
from core.texts import UNSTORABLE
from datasets.logic.import_file import rows_of_file
from datasets.logic.rows import UnreadableFile
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset
from scoring.logic.settings import Settings
from scoring.logic.stored_answers import ANSWER_FILE, ReadAnswers, read_answers, sent_rows
from scoring.logic.stored_matching import MatchedAnswers, match_answers
from scoring.models import AnswerSet, ScoreOrigin
from scoring.operations.scores import AnswerToGrade, lock_to_score, open_scores
from scoring.operations.settings import snapshot_of
from scoring.places import followers_of_sets
from scoring.queries.answer_sets import find_answer_set, known_cases
from scoring.queries.settings import settings_of


def read_answer_file(
    actor: Actor, *, dataset_id: UUID, name: str, data: bytes, version: int | None = None
) -> MatchedAnswers:
    """Every answer of a CSV or JSONL file with its case, for `score_stored_answers`; call it outside a transaction.

    Raises `NotFound` or `NotAllowed` first, then `TooLarge`, and `Invalid` with a problem for every bad row.
    """
    dataset = require_to_score(actor, dataset_id)
    if len(data) > LIMITS.import_bytes:
        raise TooLarge(_("The file is larger than 10 MB. Split it and score the parts."))
    blank = {"answer": ""} if name.lower().endswith(".csv") else None
    try:
        rows = rows_of_file(name, data, ANSWER_FILE)
        read = read_answers(rows, most=LIMITS.stored_answers_a_file, blank=blank)
    except UnreadableFile as error:
        raise refusal(error.problems, _("The file cannot be read. Nothing was scored.")) from None
    if not read.count:
        raise Invalid.at("file", _("The file has no answers."))
    if read.count > LIMITS.stored_answers_a_file:
        raise Invalid.at("file", _too_many(read.count, LIMITS.stored_answers_a_file))
    return _matched(dataset, read, version, in_file=True)


def read_sent_answers(
    actor: Actor, *, dataset_id: UUID, values: Sequence[Any], version: int | None = None
) -> MatchedAnswers:
    """The same for the entries of a request; each problem is named by its place, as `answers.0.case_id`."""
    dataset = require_to_score(actor, dataset_id)
    if not values:
        raise Invalid.at("answers", _("Send at least one answer."))
    if len(values) > LIMITS.stored_answers_a_request:
        raise Invalid.at("answers", _too_many(len(values), LIMITS.stored_answers_a_request))
    read = read_answers(sent_rows(values), most=LIMITS.stored_answers_a_request)
    return _matched(dataset, read, version, in_file=False)


@transaction.atomic
def score_stored_answers(
    actor: Actor, *, dataset_id: UUID, answers: MatchedAnswers, label: str, agent_id: UUID | None = None
) -> AnswerSet:
    """Keep the answers as a set, each with a score that waits to be graded; the caller enqueues the grading.

    The settings of now hold for all of them (SC-54). A case whose text was erased since it was matched is left out.
    Raises `NotFound`, `NotAllowed` without `datasets:run` on the dataset and `runs:view`, `Invalid` for a label, an
    agent that the actor cannot see, or where no answer is left to be graded; nothing is stored then.
    """
    require_to_score(actor, dataset_id)
    dataset = lock_to_score(actor, dataset_id)
    label = _label(label)
    agent_id = _agent(actor, agent_id)
    snapshot = snapshot_of(dataset)
    cases = known_cases(dataset, answers.version, Settings.of_json(snapshot.settings))
    now = answers.as_of(cases)
    _refuse_none(now)
    made = AnswerSet.objects.create(
        dataset=dataset,
        version=now.version,
        label=label,
        agent_id=agent_id,
        asked_by=actor.member,
        answer_count=len(now.kept),
        anonymised_count=now.anonymised,
        unchecked_count=now.unchecked,
    )
    opened = [
        AnswerToGrade(case_id=case_id, answer=answer, agent_id=agent_id, has_agent=agent_id is not None)
        for case_id, answer in now.kept
    ]
    open_scores(
        actor,
        dataset=dataset,
        version=now.version,
        snapshot=snapshot,
        origin=ScoreOrigin.STORED,
        answers=opened,
        answer_set=made,
    )
    details = {"answer_set": str(made.pk), "version": now.version, "answers": len(now.kept), "left_out": now.left_out}
    audit.record(actor, "scores.stored_answers", dataset, **details)
    return made


def score_answers_once(
    actor: Actor, *, dataset_id: UUID, answers: MatchedAnswers, label: str, agent_id: UUID | None, key: str
) -> tuple[AnswerSet, bool]:
    """The same for a form that may be sent twice; whether it was made now. The same key makes one set (DS-D46).

    Raises what `score_stored_answers` raises, and `NotFound` where the set was deleted since.
    """
    named = sha256(key.encode("utf-8", "replace")).hexdigest()
    told = f"{dataset_id} {label} {agent_id} {answers.digest}"
    with transaction.atomic():
        claimed = claim_request(
            actor, key=f"answers:{named}", fingerprint=sha256(told.encode("utf-8", "replace")).hexdigest()
        )
        if isinstance(claimed, FirstAnswer):
            return find_answer_set(find_dataset(actor, dataset_id), UUID(claimed.body)), False
        made = score_stored_answers(actor, dataset_id=dataset_id, answers=answers, label=label, agent_id=agent_id)
        remember_answer(claimed, FirstAnswer(201, str(made.pk), {}))
    return made, True


@transaction.atomic
def delete_answer_set(actor: Actor, *, dataset_id: UUID, answer_set_id: UUID) -> None:
    """Delete a set with its answers, their scores, and the test run that it is.

    Raises `NotFound`, `NotAllowed` without `datasets:edit` on the dataset.
    """
    dataset = find_dataset(actor, dataset_id, Permission.DATASETS_EDIT)
    found = find_answer_set(dataset, answer_set_id)
    details = {"answer_set": str(found.pk), "answers": found.answer_count}
    audit.record(actor, "scores.stored_answers_deleted", dataset, **details)
    for follower in followers_of_sets():
        follower.before_deletion(found)
    found.delete()


def require_to_score(actor: Actor, dataset_id: UUID) -> Dataset:
    """The dataset for who may score answers against it: `datasets:run` on it and `runs:view` (SC-166)."""
    dataset = find_dataset(actor, dataset_id, Permission.DATASETS_RUN)
    access.require(actor, Permission.RUNS_VIEW)
    return dataset


def _matched(dataset: Dataset, read: ReadAnswers, version: int | None, *, in_file: bool) -> MatchedAnswers:
    """Raises `Invalid` with every problem of every row, those of the rows themselves and those of their cases."""
    number = dataset.newest_version if version is None else version
    if not 1 <= number <= dataset.newest_version:
        raise Invalid.at("version", _no_version(dataset))
    cases = known_cases(dataset, number, settings_of(dataset).settings)
    found, problems = match_answers(read.answers, cases, version=number, in_file=in_file, wrong=read.wrong)
    wrong = sorted([*read.problems, *problems], key=lambda problem: problem.row or 0)
    if wrong:
        raise refusal([_placed(problem, in_file) for problem in wrong], _summary(wrong, read.count))
    _refuse_none(found)
    return found


def _placed(problem: Problem, in_file: bool) -> Problem:
    """The problem at its row of the file, or at its place of the request."""
    if in_file or problem.row is None:
        return problem
    placed = problem.under("answers", problem.row)
    return Problem(placed.field, placed.text, placed.values)


def _summary(problems: Sequence[Problem], count: int) -> str:
    rows = len({problem.row for problem in problems})
    return ngettext(
        "%(rows)d of %(count)d answers is not valid. Nothing was scored.",
        "%(rows)d of %(count)d answers are not valid. Nothing was scored.",
        rows,
    ) % {"rows": rows, "count": count}


def _no_version(dataset: Dataset) -> str:
    if not dataset.newest_version:
        return _("This dataset has no cases yet.")
    return _("This dataset has versions 1 to %(newest)d.") % {"newest": dataset.newest_version}


def _too_many(count: int, most: int) -> str:
    return _("At most %(limit)d answers at once; this has %(count)d.") % {"limit": most, "count": count}


def _refuse_none(found: MatchedAnswers) -> None:
    """Raise `Invalid` where nothing is left to be graded, with the reason (SC-53)."""
    if found.kept:
        return
    if found.unchecked:
        raise Invalid.at("answers", _("None of these cases has anything that the grading settings would check."))
    raise Invalid.at("answers", _("The text of all these cases was erased, so nothing can be graded against them."))


def _label(label: str) -> str:
    """The label as it is stored. Raises `Invalid`."""
    label = label.strip()
    if not label:
        raise Invalid.at("label", _("Give the answers a label, such as the name of what gave them."))
    if len(label) > LIMITS.name_characters:
        values = {"limit": LIMITS.name_characters, "count": len(label)}
        raise Invalid.at("label", _("At most %(limit)d characters; this has %(count)d.") % values)
    if UNSTORABLE.search(label):
        raise Invalid.at("label", _("The text holds a character that cannot be stored."))
    return label


def _agent(actor: Actor, agent_id: UUID | None) -> UUID | None:
    """The id of an agent that the actor can see and that gives answers. Raises `Invalid`."""
    if agent_id is None:
        return None
    try:
        agent = find_agent(actor, agent_id)
    except NotFound:
        raise Invalid.at("agent", _("There is no such agent.")) from None
    if agent.helper or agent.kind == AgentKind.JUDGE:
        raise Invalid.at("agent", _("This agent gives no answers to be graded."))
    return agent.pk

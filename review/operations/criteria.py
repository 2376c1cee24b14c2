"""Turning a reviewer's note into a criterion of the judge, for one case or for every case (RV-62 to RV-65, RV-D36)."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import audit
from accounts.actor import Actor
from core.errors import Conflict, Invalid, Problem
from core.limits import LIMITS
from core.refusals import said
from core.texts import plain_lines, text_problems
from datasets.logic.credentials import hide
from datasets.models import CaseRevision, Dataset
from datasets.operations.cases import edit_case
from datasets.operations.versions import lock_for_change
from datasets.queries.seen_cases import content_of
from review.logic.wording import criterion_name, same_words
from review.models import MadeCriterion, Scope
from review.operations.held_scores import lock_score, require_mark
from review.queries.criteria import refuse_to_make
from scoring.logic.settings import RESERVED_NAMES
from scoring.models import Score
from scoring.operations.settings import change_scoring
from scoring.queries.settings import DatasetSettings, settings_of


@dataclass(frozen=True)
class CriterionMade:
    """What became of a note. `added` is false where the case, or the rubric, had a criterion of these words already.

    `version` is the dataset's newest one for a criterion of the case, None for one of the rubric; `settings` are how
    the dataset is graded now. `hidden` counts the credentials that were hidden.
    """

    made: MadeCriterion
    added: bool
    version: int | None
    settings: DatasetSettings
    hidden: int = 0


@transaction.atomic
def make_criterion(
    actor: Actor,
    *,
    dataset_id: UUID,
    score_id: UUID,
    scope: str,
    criterion: str,
    case_revision: int | None = None,
    model: str | None = None,
    mark: str | None = None,
) -> CriterionMade:
    """Add the words as a `judge` check of the score's case, which makes a version, or to the rubric (RV-63, RV-64).

    Scores that are there stay as they are (RV-D38). `case_revision` is the revision of the case that the person saw.
    A criterion of the rubric turns the judge on (RV-65) and takes `model` where the judge has none. `mark` is what they
    could read of the score when they saw it (RV-D15), None where no page showed it.

    Raises `NotFound`, `NotAllowed` without `datasets:edit` and where the answer is hidden from the actor, `Invalid` for
    the text, the scope, the model and where there are as many criteria as may be, `Conflict` `case_deleted`,
    `case_changed`, `answer_removed` and `mask_changed`, and what saving a case or settings refuses.
    """
    dataset = lock_for_change(actor, dataset_id)
    score = lock_score(dataset, score_id)
    require_mark(actor, score=score, mark=mark)
    refuse_to_make(actor, score)
    if scope not in Scope.values:
        raise Invalid.at("scope", _("Choose one of: %(known)s.") % {"known": ", ".join(Scope.values)})
    hidden = hide(plain_lines(criterion).strip())
    _require_words(hidden.text)
    if scope == Scope.CASE:
        version, added = _for_case(actor, dataset, score.case_id, hidden.text, case_revision)
        settings = settings_of(dataset)
    else:
        settings, added = _for_rubric(actor, dataset, hidden.text, model)
        version = None
    made = _linked(actor, score, Scope(scope), hidden.text, version)
    details = {"score": str(score.pk), "scope": scope, "added": added, "version": version}
    audit.record(actor, "review.criterion_made", dataset, **details, credentials_hidden=hidden.total)
    return CriterionMade(made, added, version, settings, hidden.total)


def _require_words(text: str) -> None:
    if not text:
        raise Invalid.at("criterion", _("Write what the judge is to look at."))
    problems = [said(problem.under("criterion")) for problem in text_problems(text, LIMITS.criterion_characters)]
    if problems:
        raise Invalid(problems)


def _for_case(actor: Actor, dataset: Dataset, case_id: UUID, text: str, case_revision: int | None) -> tuple[int, bool]:
    """The dataset's newest version afterwards, and whether a check was added."""
    revision = CaseRevision.objects.of_case_at(dataset, dataset.newest_version, case_id).first()
    if revision is None:
        raise Conflict("case_deleted", _("The case was deleted, so only a criterion for every case can be made."))
    checks = content_of(revision).checks
    if any(check["type"] == "judge" and same_words(check["criterion"], text) for check in checks):
        return dataset.newest_version, False
    if len(checks) >= LIMITS.checks:
        message = ngettext(
            "A case has at most %(limit)d check, and this one has them all.",
            "A case has at most %(limit)d checks, and this one has them all.",
            LIMITS.checks,
        )
        raise Invalid.at("criterion", message % {"limit": LIMITS.checks})
    changes = {"checks": (*checks, {"type": "judge", "criterion": text})}
    saved = edit_case(actor, dataset_id=dataset.pk, case_id=case_id, changes=changes, base_revision=case_revision)
    return saved.version, True


def _for_rubric(actor: Actor, dataset: Dataset, text: str, model: str | None) -> tuple[DatasetSettings, bool]:
    """The settings afterwards, and whether a criterion was added."""
    before = settings_of(dataset)
    judge, criteria = before.stored["judge"], list(before.stored["judge"]["criteria"])
    added = not any(same_words(one["criterion"], text) for one in criteria)
    if added and len(criteria) >= LIMITS.criteria:
        message = ngettext(
            "The judge has at most %(limit)d criterion, and this dataset has them all.",
            "The judge has at most %(limit)d criteria, and this dataset has them all.",
            LIMITS.criteria,
        )
        raise Invalid.at("criterion", message % {"limit": LIMITS.criteria})
    if added:
        taken = [*RESERVED_NAMES, *(one["name"] for one in criteria)]
        name = criterion_name(text, taken, LIMITS.criterion_name_characters)
        criteria.append({"name": name, "criterion": text, "required": True})
    wanted = {"enabled": True, "criteria": criteria}
    if model and not judge["model"] and not judge["agent"]:
        wanted["model"] = model
    try:
        after = change_scoring(actor, dataset_id=dataset.pk, changes={"judge": wanted}, revision=before.revision)
    except Invalid as refusal:
        raise Invalid([Problem(_field(one.field), one.message) for one in refusal.problems]) from refusal
    return after, added


def _field(path: str) -> str:
    """The field of the request that a path into the settings means."""
    return "model" if path == "judge.model" else "criterion"


def _linked(actor: Actor, score: Score, scope: Scope, text: str, version: int | None) -> MadeCriterion:
    """The link from the score to the criterion, one for the same words."""
    known = MadeCriterion.objects.filter(score=score, scope=scope)
    there = next((one for one in known if same_words(one.criterion, text)), None)
    return there or MadeCriterion.objects.create(
        score=score, scope=scope, criterion=text, version=version, by=actor.member
    )

"""What the page of agreement with the judge shows: one configuration, its figures, a page of disagreements."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.limits import LIMITS
from datasets.models import Dataset
from datasets.views.addresses import page_address
from review.forms.agreement import AgreementState
from review.logic.agreement import Agreement, Kind
from review.logic.calibration import ENOUGH, KAPPA_AT_LEAST, calibration
from review.logic.judge_agreement import DecidedAnswer, JudgeAgreement, disagreements, judge_agreement
from review.logic.judged import PartKey
from review.queries.agreement import (
    SHORT,
    JudgeConfiguration,
    configurations_of,
    decided_answers,
)
from review.queries.disagreements import disagreement_rows, readable_of
from scoring.logic.findings import Origin
from scoring.queries.judge_named import NamedJudge, judge_named
from scoring.views.addresses import review_address

# The parts that are not named by somebody.
PARTS: dict[Origin, str | Promise] = {
    Origin.CRITERION: _("A criterion whose name was removed"),
    Origin.CASE_CRITERION: _("Criteria of the cases"),
    Origin.REFERENCE_ANSWER: _("Reference answer"),
    Origin.COUNTER_EXAMPLE: _("Counter-example"),
}


@dataclass(frozen=True)
class PartRow:
    """One row of the table: a part, or the outcome with `key` None; the addresses list its disagreements."""

    key: PartKey | None
    label: str
    agreement: Agreement
    is_optional: bool
    is_current: bool
    href: str
    strict_href: str
    lenient_href: str


def agreement_context(request: Any, dataset: Dataset, state: AgreementState) -> dict[str, Any]:
    """For `review/agreement.html`; without a configuration it says how there comes to be one."""
    today = judge_named(request.actor, dataset)
    known = _with_todays(configurations_of(dataset.pk), today)
    chosen = _chosen(known, state)
    context = {
        "dataset": dataset,
        "configurations": known,
        "chosen": chosen,
        "todays_hash": today.pin_hash,
        "review_href": review_address(dataset.pk),
        "grading_href": page_address(dataset.pk, tab="settings", part="grading"),
    }
    if chosen is None:
        return context
    return context | _figures(request, dataset, replace(state, judge=chosen.short), chosen)


def _with_todays(found: list[JudgeConfiguration], today: NamedJudge) -> list[JudgeConfiguration]:
    """The judge as it is set today comes along where nobody has decided on an answer of it yet."""
    if today.pin is None or today.pin_hash in {one.pin_hash for one in found}:
        return found
    return [*found, JudgeConfiguration(today.pin_hash, today.pin, 0)]


def _chosen(known: list[JudgeConfiguration], state: AgreementState) -> JudgeConfiguration | None:
    """The one that the address names, else the one that graded last."""
    named = (one for one in known if state.judge and one.pin_hash.startswith(state.judge[:SHORT]))
    return next(named, known[0] if known else None)


def _figures(request: Any, dataset: Dataset, state: AgreementState, chosen: JudgeConfiguration) -> dict[str, Any]:
    answers = decided_answers(dataset.pk, chosen.pin_hash)
    found = judge_agreement(answers)
    rows = list(_rows(dataset, state, found))
    state = state if any(row.is_current for row in rows) else replace(state, part=None)
    is_calibrated, why = calibration(found.outcome)
    return {
        "state": state,
        "found": found,
        "rows": rows,
        "current": next(row for row in rows if row.key == state.part),
        "is_calibrated": is_calibrated,
        "why": why,
        "enough": ENOUGH,
        "kappa_at_least": KAPPA_AT_LEAST,
        "has_older": len(answers) < chosen.decisions,
        "read": len(answers),
        "undecided_href": review_address(dataset.pk, outcome="pass" if found.only_failed else "fail"),
        **_disagreements(request, dataset, state, answers),
    }


def _disagreements(
    request: Any, dataset: Dataset, state: AgreementState, answers: list[DecidedAnswer]
) -> dict[str, Any]:
    """A page of them; of a criterion those alone whose findings the reader may know."""
    listed = disagreements(answers, state.part, state.kind)
    readable = listed if state.part is None else readable_of(request.actor, listed)
    page = Paginator(readable, LIMITS.page_size).get_page(state.page)
    return {
        "page": page,
        "hidden": len(listed) - len(readable),
        "disagreements": disagreement_rows(request.actor, dataset, list(page.object_list), state.part),
        "strict": Kind.TOO_STRICT,
        "lenient": Kind.TOO_LENIENT,
    }


def _rows(dataset: Dataset, state: AgreementState, found: JudgeAgreement) -> Iterator[PartRow]:
    yield _row(dataset, state, None, _("Outcome of the answer"), found.outcome)
    for part in found.parts:
        label = part.name or PARTS[part.key.origin]
        yield _row(dataset, state, part.key, label, part.agreement, is_optional=part.is_optional)


def _row(
    dataset: Dataset,
    state: AgreementState,
    key: PartKey | None,
    label: str | Promise,
    agreement: Agreement,
    *,
    is_optional: bool = False,
) -> PartRow:
    there, strict, lenient = (
        _address(dataset, replace(state, part=key, kind=kind)) for kind in (None, Kind.TOO_STRICT, Kind.TOO_LENIENT)
    )
    return PartRow(key, str(label), agreement, is_optional, state.part == key, there, strict, lenient)


def _address(dataset: Dataset, state: AgreementState) -> str:
    told = {"judge": state.judge, "part": state.part.text if state.part else "", "kind": state.kind or ""}
    query = urlencode({name: value for name, value in told.items() if value})
    return f"{reverse('agreement', args=[dataset.pk])}?{query}#disagreements"

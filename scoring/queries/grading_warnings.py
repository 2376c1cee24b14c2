"""What is worth a warning about grading settings that may well be saved (SC-25, SC-D8, SC-D11, SC-D22)."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from datasets.models import Dataset
from scoring.logic.findings import Evaluator
from scoring.logic.settings import Settings
from scoring.queries.checkable_cases import CheckableCases, checkable_cases


@dataclass(frozen=True)
class GradingWarning:
    """One warning; `code` is its stable name, `field` the setting it is about."""

    code: str
    field: str
    message: str


def warnings_of(dataset: Dataset, settings: Settings) -> list[GradingWarning]:
    """The warnings of settings, saved or not."""
    return warnings_for(settings, checkable_cases(dataset, settings))


def warnings_for(settings: Settings, cases: CheckableCases) -> list[GradingWarning]:
    """The same where the cases are counted already."""
    found = [_no_model(settings), _nothing_decides(settings), _waiting(settings, cases), _unchecked(cases)]
    return [warning for warning in found if warning]


def lacks_model(settings: Settings) -> bool:
    """Whether the judge would be asked and has no model; a judge agent brings its own (SC-D22)."""
    return settings.asks_judge and not settings.judge_agent and not settings.judge_model


def _no_model(settings: Settings) -> GradingWarning | None:
    if not lacks_model(settings):
        return None
    message = _("No model is chosen for the judge: until there is one, what the judge grades stays unscored.")
    return GradingWarning("no_model", "judge.model", message)


def _nothing_decides(settings: Settings) -> GradingWarning | None:
    if settings.on & settings.must_pass:
        return None
    message = _("No evaluator that is on is marked “Must pass”, so nothing decides about a case: it stays unscored.")
    return GradingWarning("nothing_must_pass", "", message)


def _waiting(settings: Settings, cases: CheckableCases) -> GradingWarning | None:
    if settings.asks_judge or Evaluator.CHECKS not in settings.on or not cases.judge_checks:
        return None
    message = ngettext(
        "%(count)d case has a criterion of its own for the judge, and the judge is off: its checks reach no verdict.",
        "%(count)d cases have a criterion of their own for the judge, and the judge is off: their checks reach no "
        "verdict.",
        cases.judge_checks,
    )
    return GradingWarning("judge_off", "judge.enabled", message % {"count": cases.judge_checks})


def _unchecked(cases: CheckableCases) -> GradingWarning | None:
    if not cases.unchecked:
        return None
    message = ngettext(
        "%(count)d case has nothing that these settings check, so its answers cannot be scored.",
        "%(count)d cases have nothing that these settings check, so their answers cannot be scored.",
        cases.unchecked,
    )
    return GradingWarning("unchecked_cases", "", message % {"count": cases.unchecked})

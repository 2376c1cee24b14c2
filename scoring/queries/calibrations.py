"""Whether a judge is calibrated, in words, and of the judge that grades a dataset today (RV-D34)."""

from django.utils.translation import gettext as _

from accounts.actor import Actor
from datasets.models import Dataset
from scoring.places import Calibration, calibration_of
from scoring.queries.judge_named import judge_named
from scoring.queries.reason_words import in_words


def calibration_in_words(calibration: Calibration) -> str:
    """One sentence without its full stop, in the language of the reader."""
    why = in_words(calibration.why)
    if calibration.is_calibrated:
        return _("Judge calibrated: %(why)s") % {"why": why}
    return _("Judge not calibrated: %(why)s") % {"why": why}


def calibration_of_todays_judge(actor: Actor, dataset: Dataset) -> Calibration | None:
    """Of the judge as the settings that are saved choose it; None where they ask none."""
    return calibration_of(dataset.pk, judge_named(actor, dataset).pin_hash)

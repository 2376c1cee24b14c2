"""What the API takes and gives for the gate and for exports (EV-D57, EV-D61, EV-D62)."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from core.api.serializers import Choice, StrictSerializer
from evals.api.figure_shapes import TallyOut
from evals.logic.gate import ExitCode
from evals.models import EvalState
from evals.operations.exporting import FORMATS
from scoring.queries.calibrations import calibration_in_words
from scoring.queries.reason_words import in_words

RATE = r"^(?:0(?:\.[0-9]{1,20})?|1(?:\.0{1,20})?)$"
COUNT = r"^[0-9]{1,9}$"
REGRESSIONS = "Confirmed ones, or all where confirming was off; 0 without it."


class GateQuery(StrictSerializer):
    """The limits that the run has to keep; a rate equal to the limit passes."""

    min_pass_rate = serializers.RegexField(
        RATE, required=False, trim_whitespace=False, help_text="A share from 0 to 1, such as 0.9."
    )
    max_regressions = serializers.RegexField(COUNT, required=False, trim_whitespace=False, help_text=REGRESSIONS)
    max_unscored = serializers.RegexField(COUNT, required=False, trim_whitespace=False, help_text="0 without it.")


class EvalExportQuery(StrictSerializer):
    """Which file."""

    format = Choice([(name, name) for name in FORMATS])


class JudgeCalibrationOut(serializers.Serializer[Any]):
    """How far decisions of people bear out the judge whose grades the gate believes.

    `decisions` are those that can be compared with it and `agreeing` of them agree. `kappa` is Cohen's, with its 95%
    `interval`; both are null under 10 decisions, and where all verdicts and decisions are the same.
    """

    calibrated = serializers.BooleanField(source="is_calibrated")
    decisions = serializers.IntegerField()
    agreeing = serializers.IntegerField()
    kappa = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    words = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField(help_text="The page that shows where they disagree.")

    def get_words(self, calibration: Any) -> str:
        return calibration_in_words(calibration)

    def get_url(self, calibration: Any) -> str:
        return settings.BASE_URL + calibration.href


class GateOut(serializers.Serializer[Any]):
    """Whether a pipeline may go on, and every limit that was not kept.

    `exit_code` is what the command line ends with: 0, 1, or 3 where the run did not complete or only has too many
    unscored cases. `regressions` are those that count against the limit. `compared` is how many cases were compared
    with the baseline, null without one; `note` says so where none was: then a pass says nothing of regressions.
    `judge` is null where rules alone graded.
    """

    passed = serializers.BooleanField(source="verdict.passed")
    reasons = serializers.SerializerMethodField()
    exit_code = serializers.ChoiceField(
        [code.value for code in (ExitCode.PASSED, ExitCode.FAILED, ExitCode.NO_RESULT)],
        source="verdict.exit_code.value",
    )
    status = serializers.ChoiceField(EvalState.choices, source="figures.state")
    cases = TallyOut(source="figures.cases")
    regressions = serializers.IntegerField(source="figures.regressions")
    judge = JudgeCalibrationOut(source="calibration", allow_null=True)
    compared = serializers.SerializerMethodField()
    note = serializers.SerializerMethodField()

    def get_reasons(self, shown: Any) -> list[str]:
        return [in_words(reason) for reason in shown.verdict.reasons]

    def get_compared(self, shown: Any) -> int | None:
        return shown.figures.compared if shown.figures.has_baseline else None

    def get_note(self, shown: Any) -> str | None:
        return in_words(shown.figures.note) or None

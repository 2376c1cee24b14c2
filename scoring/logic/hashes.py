"""The hashes that tell whether two grades were reached in the same way (SC-D3)."""

import hashlib
import unicodedata
from typing import Any

from core.json_values import compact, in_order
from scoring.logic.criteria import COUNTER_EXAMPLE_TEXT, REFERENCE_ANSWER_TEXT
from scoring.logic.findings import Evaluator
from scoring.logic.prompt import INSTRUCTIONS_LINE, SCHEMA_LINE, TASK_TEXT, verdict_schema
from scoring.logic.settings import Settings
from scoring.logic.words import FUNCTION_WORDS, VERDICT_WORDS


def sha256_of(text: str) -> str:
    """SHA-256 of the text in UTF-8, lower-case hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def sha256_of_json(value: Any) -> str:
    """The same of canonical JSON: sorted keys, no spaces."""
    return sha256_of(compact(in_order(value)))


def criteria_hash(settings: Settings) -> str:
    """What every answer is graded by: the rubric in order, scale, pass mark, and whether Reference answer is on.

    `judge` checks of single cases are left out, so that it is equal across the cases of one test run. A rubric that is
    switched off is none.
    """
    rubric = settings.criteria if Evaluator.JUDGE in settings.on else ()
    return sha256_of_json(
        {
            "criteria": [criterion.as_json() for criterion in rubric],
            "scale": settings.scale,
            "pass_at": settings.pass_at,
            "reference_answer": Evaluator.REFERENCE_ANSWER in settings.on,
        }
    )


def instructions_hash(instructions: str) -> str:
    """Of the instructions in NFC with `\\n` line ends; of the empty text where there are none."""
    lines = instructions.replace("\r\n", "\n").replace("\r", "\n")
    return sha256_of(unicodedata.normalize("NFC", lines))


def task_hash() -> str:
    """Of all that a task version fixes in words: texts, schema and word lists (SC-D2, SC-D46)."""
    texts = [TASK_TEXT, SCHEMA_LINE, INSTRUCTIONS_LINE, REFERENCE_ANSWER_TEXT, COUNTER_EXAMPLE_TEXT]
    return sha256_of_json([texts, verdict_schema(5), sorted(FUNCTION_WORDS), sorted(VERDICT_WORDS)])

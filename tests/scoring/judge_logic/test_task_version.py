"""A change of what a judge is told, or of how its reply is read, is a new task version (SC-D2)."""

import hashlib
import json

import pytest

from scoring.logic.hashes import task_hash
from scoring.logic.prompt import JUDGE_TASK_VERSION, TASK_TEXT
from scoring.logic.replies import read_reply
from tests.scoring.judge_logic.makers import KETTLE, found, make_case, make_settings, reply, verdict

# What each version said, and what its rules made of `SAMPLES`. When one of these tests fails, raise the version and
# write the new line below the old ones: scores keep the number they were graded with.
TASKS = {1: "116f8d97dfdb70a3be258b4beeab270b01ec13350c48f9e076f0c06fa86b1527"}
READINGS = {1: "89794a216b72ef8c45dcdcb69eb27c156b10a5894c568078830f9a431e16d1b3"}

SAMPLES = [
    reply(verdict()),
    f"```json\n{reply(verdict(grade='4'))}\n```",
    f"<think>It is {{fine}}.</think>{reply(verdict(grade=4.0))}",
    f"Here you are: {reply(verdict(grade=4.5), verdict(grade=2))} Done.",
    f"{reply(verdict())} {reply(verdict())}",
    "[" + json.dumps(verdict(quotes="one", rule=1, reason=None)) + "]",
    '{"verdicts": [{"criterion": "a", "grade": 1, "reason": "a\nb, ]",},]}',
    '{"verdicts": [{"criterion": "a", "grade": true}, {"criterion": " ", "grade": 1}, 7]}',
    '{"verdicts": [], "verdicts": []}',
    "[" * 5_000,
]
ANSWER = "Yes, you can return a used kettle, but only within 30 days."
GRADES = [
    [verdict("c-7f2a", 4, quotes=["within 30 days"]), verdict("counter-example", 5, quotes=["but only"])],
    [verdict("c-7f2a", 5), verdict("counter-example", 5)],
    [verdict("c-7f2a", 2, reason="It names the deadline."), verdict("counter-example", 5, quotes=["a used kettle"])],
    [verdict("c-7f2a", 6), verdict("c-7f2a", 5), verdict("unknown", 5)],
]


def digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()


@pytest.mark.spec("SC-D2", "SC-D46")
def test_the_task_is_the_one_that_its_version_names() -> None:
    assert TASKS[JUDGE_TASK_VERSION] == task_hash()


@pytest.mark.spec("SC-D2")
def test_replies_are_read_by_the_rules_that_the_version_names() -> None:
    case, settings = make_case(counter_example=KETTLE), make_settings()
    read = [str(read_reply(sample, "stop")) for sample in SAMPLES]
    graded = [found(*grades, answer=ANSWER, case=case, settings=settings) for grades in GRADES]
    results = [[finding.as_json() for finding in one.values()] for one in graded]
    assert READINGS[JUDGE_TASK_VERSION] == digest([read, results])


@pytest.mark.spec("SC-D2")
def test_the_version_has_a_line_for_every_number_so_far() -> None:
    assert sorted(TASKS) == sorted(READINGS) == list(range(1, JUDGE_TASK_VERSION + 1))


@pytest.mark.spec("SC-D36")
def test_the_task_text_begins_and_ends_as_agreed() -> None:
    paragraphs = TASK_TEXT.split("\n")
    assert len(paragraphs) == 6
    assert paragraphs[0].startswith("You grade one answer that an AI agent gave. The user message is one JSON object.")
    assert paragraphs[-1] == "Reply with the JSON object only."

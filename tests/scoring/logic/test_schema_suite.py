"""The required tests of the official JSON Schema suite for draft 2020-12, through the rule that grades by them."""

import json
from collections import Counter
from typing import Any

import pytest

from scoring.logic.answers import GradedAnswer
from scoring.logic.checks import CheckRunner, grade_checks_of_many
from scoring.logic.findings import Finding, Origin, Verdict
from tests.corpora.schema_suite import schema_suite

# Keywords that Casebook refuses, since their patterns cannot be stopped in time (SC-81).
PATTERNS = ("pattern", "patternProperties")
# Schemas that point to others, which would have to be fetched (SC-82).
ELSEWHERE = {
    "dynamicRef": {
        "strict-tree schema, guards against misspelled properties",
        "tests for implementation dynamic anchor and reference link",
        "$ref and $dynamicAnchor are independent of order - $defs first",
        "$ref and $dynamicAnchor are independent of order - $ref first",
        "$ref to $dynamicRef finds detached $dynamicAnchor",
    },
    "vocabulary": {
        "schema that uses custom metaschema with with no validation vocabulary",
        "ignore unrecognized optional vocabulary",
    },
}
ELSEWHERE_ALL = {"refRemote"}
FEWEST = 1_100


def uses_patterns(schema: Any) -> bool:
    """Whether a pattern is a keyword anywhere; `properties` may name one so."""
    if isinstance(schema, list):
        return any(map(uses_patterns, schema))
    if not isinstance(schema, dict):
        return False
    inside = [value for key, value in schema.items() if key not in ("properties", "$defs", "dependentSchemas")]
    named = [inner for key in ("properties", "$defs", "dependentSchemas") for inner in schema.get(key, {}).values()]
    return any(key in schema for key in PATTERNS) or any(map(uses_patterns, [*inside, *named]))


def left_out(file: str, group: dict[str, Any]) -> str:
    """Why, or nothing where it runs."""
    if file in ELSEWHERE_ALL or group["description"] in ELSEWHERE.get(file, ()):
        return "elsewhere"
    return "patterns" if uses_patterns(group["schema"]) else ""


@pytest.mark.spec("SC-65", "SC-81", "SC-82", "SC-D29", "BC-32")
def test_every_required_test_of_the_official_suite_comes_out_as_it_says() -> None:
    groups = [(file, group) for file, found in schema_suite().items() for group in found]
    run = [(group, test) for file, group in groups if not left_out(file, group) for test in group["tests"]]
    wrong = [
        f"{group['description']}: {test['description']}: {finding.verdict} {finding.why}"
        for (group, test), finding in zip(run, findings_of(run), strict=True)
        if finding.verdict is not (Verdict.PASS if test["valid"] else Verdict.FAIL)
    ]
    assert wrong == []
    assert len(run) > FEWEST


@pytest.mark.spec("SC-81", "SC-82")
def test_what_is_left_out_is_refused_where_it_is_used_all_the_same() -> None:
    groups = [(file, group) for file, found in schema_suite().items() for group in found if left_out(file, group)]
    reasons = Counter(left_out(file, group) for file, group in groups)
    assert set(reasons) == {"elsewhere", "patterns"}
    findings = findings_of([(group, group["tests"][0]) for _file, group in groups])
    assert {finding.verdict for finding in findings} == {Verdict.ERROR}
    assert {finding.why.text for finding in findings if finding.why} == {"The schema is not valid: %(why)s"}


def findings_of(tests: list[tuple[dict[str, Any], dict[str, Any]]]) -> list[Finding]:
    items = []
    for group, test in tests:
        check = {"type": "json_schema", "schema": group["schema"]}
        items.append((GradedAnswer(json.dumps(test["data"])), [("check-1", Origin.CASE_CHECK, check)]))
    with CheckRunner() as runner:
        return [findings[0] for findings in grade_checks_of_many(runner, items)]

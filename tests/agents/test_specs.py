"""Reading the draft of an agent: what is right, what is refused and where, what a version still needs (PL-21)."""

from collections.abc import Iterator
from typing import Any

import pytest

from agents.logic.specs import EndpointSpec, ExternalSpec, ModelSpec, SkillSpec, ToolSpec, spec_of, stored
from agents.logic.specs_difference import Change, difference
from agents.logic.specs_reading import missing, read_spec
from agents.logic.specs_surroundings import Surroundings
from core.limits import LIMITS
from core.reading_child import ReadingChild

SCHEMA = {"type": "object", "properties": {"id": {"type": "string", "pattern": "^[0-9]+$"}}, "required": ["id"]}
TOOL = {"name": "find_order", "description": "Finds an order.", "parameters": SCHEMA, "read_only": True}
CALLED = TOOL | {"endpoint": "https://shop.example.com/orders", "secret": "SHOP", "stub": None}
MODEL = "0199d1a2-3b4c-7def-8123-456789abcdef"


@pytest.fixture(scope="module")
def around() -> Iterator[Surroundings]:
    with ReadingChild() as child:
        yield Surroundings(child, ("tools.internal", "127.0.0.1"))


def problems_of(kind: str, raw: Any, around: Surroundings) -> dict[str, str]:
    return {problem.field: problem.text % problem.values for problem in read_spec(kind, raw, around)[1]}


@pytest.mark.spec("PL-21")
@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        (
            "model",
            {
                "instructions": "Be kind.",
                "model": MODEL,
                "temperature": 0.2,
                "max_steps": 5,
                "seconds": 60,
                "tools": [CALLED],
                "skills": [{"id": MODEL}],
                "knowledge": [MODEL],
            },
        ),
        (
            "endpoint",
            {
                "protocol": "json",
                "url": "https://agent.example.com/ask",
                "model": "",
                "secret": "KEY",
                "seconds": 30,
                "tools": [TOOL],
            },
        ),
        ("external", {"tools": [TOOL | {"parameters": {}}]}),
    ],
)
def test_a_draft_comes_back_as_it_was_written(kind: str, raw: dict[str, Any], around: Surroundings) -> None:
    spec, problems = read_spec(kind, raw, around)
    assert problems == []
    assert stored(spec) == raw
    assert spec_of(kind, stored(spec)) == spec


def test_what_is_left_out_takes_its_default(around: Surroundings) -> None:
    assert read_spec("model", {}, around) == (ModelSpec(), [])
    assert read_spec("endpoint", {"protocol": None}, around) == (EndpointSpec(), [])
    assert read_spec("external", {"tools": None}, around) == (ExternalSpec(), [])


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ([], ""),
        ({"instruction": "Be kind."}, "instruction"),
        ({"instructions": 7}, "instructions"),
        ({"instructions": "a\x00b"}, "instructions"),
        ({"instructions": "x" * (LIMITS.instructions_characters + 1)}, "instructions"),
        ({"model": "gpt"}, "model"),
        ({"temperature": True}, "temperature"),
        ({"temperature": 2.1}, "temperature"),
        ({"temperature": float("nan")}, "temperature"),
        ({"max_steps": 0}, "max_steps"),
        ({"max_steps": LIMITS.agent_steps + 1}, "max_steps"),
        ({"max_steps": 1.5}, "max_steps"),
        ({"seconds": "60"}, "seconds"),
        ({"tools": {}}, "tools"),
        ({"tools": ["find"]}, "tools.0"),
        ({"tools": [CALLED | {"url": ""}]}, "tools.0.url"),
        ({"tools": [CALLED | {"name": "find order"}]}, "tools.0.name"),
        ({"tools": [CALLED | {"name": "żółw"}]}, "tools.0.name"),
        ({"tools": [CALLED | {"name": "x" * 65}]}, "tools.0.name"),
        ({"tools": [CALLED | {"name": "search_knowledge"}]}, "tools.0.name"),
        ({"tools": [CALLED, CALLED]}, "tools.1.name"),
        ({"tools": [CALLED | {"read_only": "yes"}]}, "tools.0.read_only"),
        ({"tools": [CALLED | {"description": "x" * 1_025}]}, "tools.0.description"),
        ({"tools": [CALLED | {"stub": {}}]}, "tools.0.stub"),
        ({"tools": [CALLED | {"secret": "two words"}]}, "tools.0.secret"),
        ({"tools": [CALLED | {"parameters": True}]}, "tools.0.parameters"),
        ({"tools": [CALLED, CALLED | {"name": "b", "parameters": {"type": "string"}}]}, "tools.1.parameters.type"),
        ({"tools": [CALLED | {"parameters": {"type": "objekt"}}]}, "tools.0.parameters.type"),
        (
            {"tools": [CALLED | {"parameters": {"type": "object", "properties": {"a": {"type": "str"}}}}]},
            "tools.0.parameters.properties.a.type",
        ),
        (
            {"tools": [CALLED | {"parameters": {"type": "object", "$ref": "https://example.com/a"}}]},
            "tools.0.parameters.$ref",
        ),
        ({"skills": [MODEL]}, "skills.0"),
        ({"skills": [{"id": "x"}]}, "skills.0.id"),
        ({"skills": [{"id": MODEL, "text": "mine"}]}, "skills.0.text"),
        ({"knowledge": ["x"]}, "knowledge.0"),
        ({"knowledge": [MODEL] * (LIMITS.agent_knowledge_bases + 1)}, "knowledge"),
    ],
)
def test_what_is_wrong_is_named_by_its_path(raw: Any, field: str, around: Surroundings) -> None:
    assert field in problems_of("model", raw, around)


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize(
    "address",
    [
        "shop.example.com",
        "ftp://shop.example.com",
        "http://shop.example.com",
        "https://me:secret@shop.example.com",
        "https://shop.example.com/#there",
        "https://shop.example.com:99999",
        "https://shop example.com",
        "https://[::1",
        "https://localhost/tools",
        "https://tools.localhost",
        "https://10.0.0.7/tools",
        "https://169.254.169.254/latest",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://0x7f000001/",
        "https://2130706433/",
        "https://" + "x" * LIMITS.url_characters,
    ],
)
def test_addresses_that_are_not_called(address: str, around: Surroundings) -> None:
    assert list(problems_of("endpoint", {"url": address}, around)) == ["url"]
    assert list(problems_of("model", {"tools": [CALLED | {"endpoint": address}]}, around)) == ["tools.0.endpoint"]


@pytest.mark.spec("PL-26")
@pytest.mark.parametrize(
    "address",
    [
        "https://shop.example.com/orders?version=2",
        "https://93.184.216.34:8443/",
        "http://tools.internal:8080/orders",
        "http://127.0.0.1:9000/",
    ],
)
def test_addresses_that_may_be_called(address: str, around: Surroundings) -> None:
    assert problems_of("endpoint", {"url": address}, around) == {}


def test_declared_tools_have_no_endpoint(around: Surroundings) -> None:
    assert "tools.0.endpoint" in problems_of("external", {"tools": [CALLED]}, around)


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        (ModelSpec(), ["model", "instructions"]),
        (
            ModelSpec("Be kind.", MODEL, tools=(ToolSpec("find"),)),
            ["tools.0.description", "tools.0.endpoint"],
        ),
        (ModelSpec("Be kind.", MODEL), []),
        (EndpointSpec(), ["url"]),
        (EndpointSpec("json", "https://agent.example.com"), []),
        (ExternalSpec(), []),
    ],
)
def test_what_a_version_still_needs(spec: Any, fields: list[str]) -> None:
    assert [problem.field for problem in missing(spec)] == fields


def test_repeats_of_skills_and_knowledge_are_dropped(around: Surroundings) -> None:
    spec, _problems = read_spec(
        "model", {"skills": [{"id": MODEL}, {"id": MODEL.upper()}], "knowledge": [MODEL] * 2}, around
    )
    assert spec == ModelSpec(skills=(SkillSpec(MODEL),), knowledge=(MODEL,))


def test_the_difference_names_each_field_that_changed() -> None:
    find, stop = ToolSpec("find", "Finds."), ToolSpec("stop", "Stops.")
    before = ModelSpec("Be kind.", temperature=None, tools=(find, stop), skills=(SkillSpec("s", "Tone", "Be short."),))
    after = ModelSpec(
        "Be brief.",
        temperature=0.5,
        tools=(ToolSpec("buy", "Buys."), ToolSpec("find", "Finds an order.", read_only=True)),
        skills=(SkillSpec("s", "Tone", "Be long."),),
        knowledge=("k",),
    )
    assert difference(before, after) == [
        Change("instructions", "Be kind.", "Be brief."),
        Change("temperature", "", "0.5"),
        Change("tools.find.description", "Finds.", "Finds an order."),
        Change("tools.find.read_only", "false", "true"),
        Change("tools.stop", "description: Stops.\nread_only: false", None),
        Change("tools.buy", None, "description: Buys.\nread_only: false"),
        Change("skills.s", "Tone\n\nBe short.", "Tone\n\nBe long."),
        Change("knowledge.k", None, ""),
    ]
    assert difference(after, after) == []


def test_the_difference_tells_another_order_of_tools() -> None:
    find, stop = ToolSpec("find"), ToolSpec("stop")
    assert difference(ExternalSpec((find, stop)), ExternalSpec((stop, find))) == [
        Change("tools", "find\nstop", "stop\nfind")
    ]

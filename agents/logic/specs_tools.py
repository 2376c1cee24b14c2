"""Reading the tools of a draft: names, schemas of their parameters, endpoints (PL-22)."""

import re
from typing import Any

from agents.logic.specs import DECLARED_FIELDS, SEARCH_KNOWLEDGE, TOOL_FIELDS, ToolSpec
from agents.logic.specs_surroundings import Surroundings
from agents.logic.specs_values import read_address, read_flag, read_secret_name, read_words
from core.json_schemas import schema_problems
from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.texts import Found, read_list, unknown_keys, wrong_type

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")  # what the OpenAI API takes
# What a tool without parameters takes.
NO_PARAMETERS: dict[str, Any] = {"type": "object", "properties": {}}


def read_tools(value: Any, around: Surroundings, *, called: bool) -> Found:
    """The tools in order; `called` ones have an endpoint, the others are declared only."""
    tools, problems = read_list(value, LIMITS.agent_tools, lambda tool: _tool(tool, around, called))
    return tools, [*problems, *_taken_names(tools)]


def _tool(value: Any, around: Surroundings, called: bool) -> Found:
    if not isinstance(value, dict):
        return ToolSpec(""), [wrong_type(gettext_noop("A tool is an object, not %(type)s."), value)]
    problems = list(unknown_keys(value, TOOL_FIELDS if called else DECLARED_FIELDS))
    readers = {
        "name": _name,
        "description": lambda words: read_words(words, LIMITS.tool_description_characters),
        "parameters": lambda schema: _parameters(schema, around),
        "read_only": read_flag,
        "endpoint": lambda address: read_address(address, around.allowed_hosts),
        "secret": read_secret_name,
        "stub": _stub,
    }
    found = {}
    for field in TOOL_FIELDS if called else DECLARED_FIELDS:
        found[field], wrong = readers[field](value.get(field))
        problems += [problem.under(field) for problem in wrong]
    return ToolSpec(**found), problems


def _name(value: Any) -> Found:
    if isinstance(value, str) and NAME.fullmatch(value.strip()):
        name = value.strip()
        if name != SEARCH_KNOWLEDGE:
            return name, []
        words = gettext_noop("%(name)s is the tool by which an agent reads its knowledge bases. Choose another name.")
        return name, [Problem("", words, {"name": name})]
    words = gettext_noop("The name of a tool has 1 to 64 letters from a to z, digits, hyphens and underscores.")
    return "", [Problem("", words)]


def _parameters(value: Any, around: Surroundings) -> Found:
    if value is None or value == {}:
        return {}, []
    if not isinstance(value, dict):
        return {}, [wrong_type(gettext_noop("The parameters are a JSON schema: an object, not %(type)s."), value)]
    # Patterns are let through: they tell the model what to write, and Casebook runs them on nothing.
    problems = schema_problems(value, patterns=True)
    if not problems and value.get("type") != "object":
        problems = [Problem("type", gettext_noop('Arguments are an object: write "type": "object" here.'))]
    if not problems:
        fault = around.child.read_schema(value)
        problems = [fault] if fault else []
    return value, problems


def _stub(value: Any) -> Found:
    if value is None:
        return None, []
    return read_words(value, LIMITS.tool_result_characters)


def _taken_names(tools: tuple[ToolSpec, ...]) -> list[Problem]:
    first: dict[str, int] = {}
    problems = []
    for place, tool in enumerate(tools):
        if tool.name and first.setdefault(tool.name, place) != place:
            words = gettext_noop("Tool %(number)d has this name already.")
            problems.append(Problem(f"{place}.name", words, {"number": first[tool.name] + 1}))
    return problems

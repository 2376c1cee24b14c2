"""The earlier turns of a case, and the tool calls it expects (DS-32, DS-36, DS-D20, DS-D23, DS-D25)."""

from typing import Any

from core.json_values import in_order, json_problems
from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.texts import Found, read_list, text_problems, unknown_keys, wrong_type
from datasets.logic.texts import read_text

ROLES = ("user", "assistant")


def read_history(value: Any) -> Found:
    """The turns, oldest first."""
    return read_list(value, LIMITS.history_turns, _turn)


def read_tool_calls(value: Any) -> Found:
    """The expected calls; `args` left out means none are compared."""
    return read_list(value, LIMITS.tool_calls, _call)


def _turn(value: Any) -> Found:
    if not isinstance(value, dict):
        return {}, [wrong_type(gettext_noop("A turn is an object with role and content, not %(type)s."), value)]
    problems = list(unknown_keys(value, ("role", "content")))
    role = value.get("role")
    if role not in ROLES:
        problems.append(Problem("role", gettext_noop("The role is user or assistant.")))
    content, wrong = read_text(value.get("content"), LIMITS.text_characters)
    if content is None and not wrong:
        wrong = [Problem("", gettext_noop("A turn needs content."))]
    problems += [problem.under("content") for problem in wrong]
    return {"role": role, "content": content}, problems


def _call(value: Any) -> Found:
    if not isinstance(value, dict):
        return {}, [wrong_type(gettext_noop("A call is an object with tool and args, not %(type)s."), value)]
    problems = list(unknown_keys(value, ("tool", "args")))
    tool, args = value.get("tool"), value.get("args")
    problems += [problem.under("tool") for problem in _tool_problems(tool)]
    args = {} if args is None else args
    problems += [problem.under("args") for problem in _args_problems(args)]
    return ({}, problems) if problems else ({"tool": tool, "args": in_order(args)}, [])


def _tool_problems(tool: Any) -> list[Problem]:
    if not isinstance(tool, str) or not tool.strip():
        return [Problem("", gettext_noop("A call needs the name of a tool."))]
    return text_problems(tool, LIMITS.tool_name_characters)


def _args_problems(args: Any) -> list[Problem]:
    if not isinstance(args, dict):
        return [wrong_type(gettext_noop("The arguments are an object of names and values, not %(type)s."), args)]
    return json_problems(args, LIMITS.tool_args_characters)

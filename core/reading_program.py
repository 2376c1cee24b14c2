"""The program of ReadingChild: a line of JSON in, a line of JSON out, until its input ends. Started by its path."""

import json
import resource
import sys
from typing import Any

import regex


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Whether the pattern compiles, or the schema is one by the meta-schema of its draft."""
    if "load" in question:
        return load_schemas()
    if "pattern" in question:
        return read_pattern(question["pattern"], regex.IGNORECASE if question["ignore_case"] else 0)
    return read_schema(question["schema"])


def read_pattern(pattern: str, flags: int) -> dict[str, Any]:
    try:
        regex.compile(pattern, flags)
    except (regex.error, ValueError, TypeError, RecursionError, IndexError, KeyError, AttributeError) as error:
        return {"ok": False, "place": "", "why": str(error) or type(error).__name__}
    return {"ok": True}


def load_schemas() -> dict[str, Any]:
    """Load what reading schemas needs, asked before the first schema, so that its second is not spent on loading."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to load, and most cases have no schema

    return {"ok": Draft202012Validator({}).is_valid({})}


def read_schema(schema: Any) -> dict[str, Any]:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to load, and most cases have no schema

    faults = Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema)
    fault = next(iter(faults), None)
    if fault is None:
        return {"ok": True}
    return {"ok": False, "place": ".".join(map(str, fault.absolute_path)), "why": fault.message[:200]}


def main() -> None:
    most = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    say("ready")
    for line in sys.stdin:
        say(json.dumps(answer(json.loads(line))))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

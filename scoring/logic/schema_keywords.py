"""The keywords of JSON Schema as tests of values (draft 2020-12, chapters 10 and 11, and Validation, chapter 6)."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from scoring.logic.schema_evaluated import Evaluated
from scoring.logic.schema_nodes import TYPES, Broken, Nodes, Scope, Test
from scoring.logic.schema_places import Part, SchemaFault

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NUMBERS = (int, float)
REFUSED = ("pattern", "patternProperties")
TYPE_NAMES = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": NUMBERS,
    "integer": NUMBERS,
    "boolean": (bool,),
    "null": (type(None),),
}

Maker = Callable[[Any, Part, Nodes], Test | None]


def tests_of(part: Part, nodes: Nodes) -> dict[type, tuple[Test, ...]]:
    """For each type of value the tests of this part. Raises `SchemaFault`."""
    schema = part.schema
    if schema is True:
        return {}
    if schema is False:
        return dict.fromkeys(TYPES, (_never("schema", False),))
    if not isinstance(schema, dict):
        raise SchemaFault("a schema is an object or true or false")
    if schema.get("$schema", DIALECT) not in (DIALECT, DIALECT + "#"):
        raise SchemaFault("only draft 2020-12 is known")
    for keyword in REFUSED:
        if keyword in schema:
            raise SchemaFault(f"{keyword} is not used here")
    found: dict[type, list[Test]] = _type_tests(schema)
    for keyword, (types, make) in KEYWORDS.items():
        if keyword in schema and (test := make(schema[keyword], part, nodes)) is not None:
            for one in types:
                found[one].append(test)
    return {one: tuple(tests) for one, tests in found.items()}


# --- Any value


def _never(keyword: str, asked: Any) -> Test:
    return lambda _value, _scope: Broken(keyword, asked)


def _type_tests(schema: dict[str, Any]) -> dict[type, list[Test]]:
    """Nothing to test for types that are allowed, nothing to pass for those that are not."""
    if "type" not in schema:
        return {one: [] for one in TYPES}
    asked = schema["type"]
    names = asked if isinstance(asked, list) else [asked]
    if not all(isinstance(name, str) and name in TYPE_NAMES for name in names):
        raise SchemaFault(f"there is no type {asked}")
    allowed = {one for name in names for one in TYPE_NAMES[name]}
    found: dict[type, list[Test]] = {one: [] if one in allowed else [_never("type", asked)] for one in TYPES}
    if "integer" in names and "number" not in names:
        found[float] = [lambda value, _scope: None if value.is_integer() else Broken("type", asked)]
    return found


def key_of(value: Any) -> Any:
    """What two values have in common when they are equal JSON: true is not 1, 1.0 is 1, the order of keys is none."""
    kind = type(value)
    if kind is bool:
        return ("b", value)
    if kind is list:
        return ("l", tuple(map(key_of, value)))
    if kind is dict:
        return ("o", frozenset((name, key_of(inner)) for name, inner in value.items()))
    return value


def _enum(asked: Any, _part: Part, _nodes: Nodes) -> Test:
    keys = {key_of(value) for value in asked}
    return lambda value, _scope: None if key_of(value) in keys else Broken("enum", asked)


def _const(asked: Any, _part: Part, _nodes: Nodes) -> Test:
    key = key_of(asked)
    return lambda value, _scope: None if key_of(value) == key else Broken("const", asked)


# --- Numbers


def _number(keyword: str, holds: Callable[[Any, Any], bool]) -> tuple[tuple[type, ...], Maker]:
    def make(asked: Any, _part: Part, _nodes: Nodes) -> Test:
        return lambda value, _scope: None if holds(value, asked) else Broken(keyword, asked)

    return NUMBERS, make


def _is_multiple(value: Any, of: Any) -> bool:
    if type(value) is int and type(of) is int:
        return value % of == 0
    # By their digits: 0.0075 is a multiple of 0.0001, which binary fractions do not see.
    return Fraction(str(value)) % Fraction(str(of)) == 0


# --- Sizes


def _size(keyword: str, kind: type, holds: Callable[[int, Any], bool]) -> tuple[tuple[type, ...], Maker]:
    def make(asked: Any, _part: Part, _nodes: Nodes) -> Test:
        return lambda value, _scope: None if holds(len(value), asked) else Broken(keyword, asked)

    return (kind,), make


def _at_most(value: Any, asked: Any) -> bool:
    return bool(value <= asked)


def _at_least(value: Any, asked: Any) -> bool:
    return bool(value >= asked)


# --- Lists


def _prefix_items(asked: Any, part: Part, nodes: Nodes) -> Test:
    each = [nodes.inside(schema, part.base) for schema in asked]

    def test(value: Any, scope: Scope) -> Broken | None:
        for place, (node, item) in enumerate(zip(each, value, strict=False)):
            if (broken := node.fault(item, scope)) is not None:
                return broken.under(place)
        return None

    return test


def _items(asked: Any, part: Part, nodes: Nodes) -> Test:
    node = nodes.inside(asked, part.base)
    start = len(part.schema.get("prefixItems", ()))

    def test(value: Any, scope: Scope) -> Broken | None:
        for place, item in enumerate(value[start:] if start else value, start):
            if (broken := node.fault(item, scope)) is not None:
                return broken.under(place)
        return None

    return test


def _contains(asked: Any, part: Part, nodes: Nodes) -> Test:
    node = nodes.inside(asked, part.base)
    least, most = part.schema.get("minContains", 1), part.schema.get("maxContains")

    def test(value: Any, scope: Scope) -> Broken | None:
        count = sum(node.fault(item, scope) is None for item in value)
        if count < least:
            return Broken("minContains", least) if "minContains" in part.schema else Broken("contains", asked)
        return Broken("maxContains", most) if most is not None and count > most else None

    return test


def _unique_items(asked: Any, _part: Part, _nodes: Nodes) -> Test | None:
    if asked is not True:
        return None
    return lambda value, _scope: (
        None if len({key_of(item) for item in value}) == len(value) else Broken("uniqueItems", asked)
    )


def _unevaluated_items(asked: Any, part: Part, nodes: Nodes) -> Test:
    node, evaluated = nodes.inside(asked, part.base), Evaluated(nodes)

    def test(value: Any, scope: Scope) -> Broken | None:
        done = evaluated.items(part, value, scope, is_outermost=True)
        for place, item in enumerate(value):
            if place not in done and (broken := node.fault(item, scope)) is not None:
                return _named(broken, "unevaluatedItems", asked).under(place)
        return None

    return test


# --- Objects


def _properties(asked: Any, part: Part, nodes: Nodes) -> Test:
    each = [(name, nodes.inside(schema, part.base)) for name, schema in asked.items()]

    def test(value: Any, scope: Scope) -> Broken | None:
        for name, node in each:
            if name in value and (broken := node.fault(value[name], scope)) is not None:
                return broken.under(name)
        return None

    return test


def _additional_properties(asked: Any, part: Part, nodes: Nodes) -> Test:
    node, known = nodes.inside(asked, part.base), part.schema.get("properties", {})

    def test(value: Any, scope: Scope) -> Broken | None:
        for name, inner in value.items():
            if name not in known and (broken := node.fault(inner, scope)) is not None:
                return _named(broken, "additionalProperties", asked).under(name)
        return None

    return test


def _property_names(asked: Any, part: Part, nodes: Nodes) -> Test:
    node = nodes.inside(asked, part.base)

    def test(value: Any, scope: Scope) -> Broken | None:
        for name in value:
            if node.fault(name, scope) is not None:
                return Broken("propertyNames", asked).under(name)
        return None

    return test


def _required(asked: Any, _part: Part, _nodes: Nodes) -> Test:
    def test(value: Any, _scope: Scope) -> Broken | None:
        for name in asked:
            if name not in value:
                return Broken("required", [name])
        return None

    return test


def _dependent_required(asked: Any, _part: Part, _nodes: Nodes) -> Test:
    def test(value: Any, _scope: Scope) -> Broken | None:
        for name, needed in asked.items():
            if name in value and not all(other in value for other in needed):
                return Broken("dependentRequired", {name: needed})
        return None

    return test


def _dependent_schemas(asked: Any, part: Part, nodes: Nodes) -> Test:
    each = [(name, nodes.inside(schema, part.base)) for name, schema in asked.items()]

    def test(value: Any, scope: Scope) -> Broken | None:
        for name, node in each:
            if name in value and (broken := node.fault(value, scope)) is not None:
                return broken
        return None

    return test


def _unevaluated_properties(asked: Any, part: Part, nodes: Nodes) -> Test:
    node, evaluated = nodes.inside(asked, part.base), Evaluated(nodes)

    def test(value: Any, scope: Scope) -> Broken | None:
        done = evaluated.names(part, value, scope, is_outermost=True)
        for name, inner in value.items():
            if name not in done and (broken := node.fault(inner, scope)) is not None:
                return _named(broken, "unevaluatedProperties", asked).under(name)
        return None

    return test


def _named(broken: Broken, keyword: str, asked: Any) -> Broken:
    """What is not allowed at all is best said by the keyword that does not allow it."""
    return Broken(keyword, asked) if asked is False else broken


# --- Schemas side by side


def _all_of(asked: Any, part: Part, nodes: Nodes) -> Test:
    each = [nodes.inside(schema, part.base) for schema in asked]

    def test(value: Any, scope: Scope) -> Broken | None:
        for node in each:
            if (broken := node.fault(value, scope)) is not None:
                return broken
        return None

    return test


def _any_of(asked: Any, part: Part, nodes: Nodes) -> Test:
    each = [nodes.inside(schema, part.base) for schema in asked]
    return lambda value, scope: (
        None if any(node.fault(value, scope) is None for node in each) else Broken("anyOf", asked)
    )


def _one_of(asked: Any, part: Part, nodes: Nodes) -> Test:
    each = [nodes.inside(schema, part.base) for schema in asked]
    return lambda value, scope: (
        None if sum(node.fault(value, scope) is None for node in each) == 1 else Broken("oneOf", asked)
    )


def _not(asked: Any, part: Part, nodes: Nodes) -> Test:
    node = nodes.inside(asked, part.base)
    return lambda value, scope: Broken("not", asked) if node.fault(value, scope) is None else None


def _if(asked: Any, part: Part, nodes: Nodes) -> Test:
    node = nodes.inside(asked, part.base)
    then = nodes.inside(part.schema.get("then", True), part.base)
    otherwise = nodes.inside(part.schema.get("else", True), part.base)
    return lambda value, scope: (then if node.fault(value, scope) is None else otherwise).fault(value, scope)


def _ref(asked: Any, part: Part, nodes: Nodes) -> Test:
    node = nodes.of(nodes.places.target(asked, part.base))
    return lambda value, scope: node.fault(value, scope)


def _dynamic_ref(asked: Any, part: Part, nodes: Nodes) -> Test:
    target = nodes.places.target(asked, part.base)
    name = nodes.places.dynamic_name(asked, part.base)
    if name is None:
        return _ref(asked, part, nodes)

    def test(value: Any, scope: Scope) -> Broken | None:
        return nodes.of(nodes.places.dynamic_target(name, scope) or target).fault(value, scope)

    return test


# In the order in which they are tried: the quick ones first, and last what asks which parts others have seen.
KEYWORDS: dict[str, tuple[tuple[type, ...], Maker]] = {
    "const": (TYPES, _const),
    "enum": (TYPES, _enum),
    "multipleOf": _number("multipleOf", _is_multiple),
    "maximum": _number("maximum", _at_most),
    "exclusiveMaximum": _number("exclusiveMaximum", lambda value, asked: bool(value < asked)),
    "minimum": _number("minimum", _at_least),
    "exclusiveMinimum": _number("exclusiveMinimum", lambda value, asked: bool(value > asked)),
    "maxLength": _size("maxLength", str, _at_most),
    "minLength": _size("minLength", str, _at_least),
    "maxItems": _size("maxItems", list, _at_most),
    "minItems": _size("minItems", list, _at_least),
    "maxProperties": _size("maxProperties", dict, _at_most),
    "minProperties": _size("minProperties", dict, _at_least),
    "required": ((dict,), _required),
    "dependentRequired": ((dict,), _dependent_required),
    "properties": ((dict,), _properties),
    "additionalProperties": ((dict,), _additional_properties),
    "propertyNames": ((dict,), _property_names),
    "prefixItems": ((list,), _prefix_items),
    "items": ((list,), _items),
    "contains": ((list,), _contains),
    "uniqueItems": ((list,), _unique_items),
    "$ref": (TYPES, _ref),
    "$dynamicRef": (TYPES, _dynamic_ref),
    "allOf": (TYPES, _all_of),
    "anyOf": (TYPES, _any_of),
    "oneOf": (TYPES, _one_of),
    "not": (TYPES, _not),
    "if": (TYPES, _if),
    "dependentSchemas": ((dict,), _dependent_schemas),
    "unevaluatedItems": ((list,), _unevaluated_items),
    "unevaluatedProperties": ((dict,), _unevaluated_properties),
}

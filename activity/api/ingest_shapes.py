"""What the API takes and gives where runs and ratings are sent. The bodies are described here and read by `logic`.

Reading hundreds of runs field by field through serializers takes longer than storing them, so these shapes only
describe what `activity.logic.sent_runs` reads; a test holds the two together.
"""

from typing import Any

from rest_framework import serializers

from activity.logic.openai_messages import OUTCOMES, ROLES, TOLERATED
from activity.logic.sent_runs import KINDS, STATUSES
from core.limits import LIMITS

TOKENS = {"type": "integer", "minimum": 0, "nullable": True}
NUMBER = {"type": "number", "minimum": 0, "nullable": True}
MOMENT = {"type": "string", "format": "date-time", "nullable": True, "description": "With its time zone."}
ID = {"type": "string", "format": "uuid"}


def text(most: int, description: str = "", **more: Any) -> dict[str, Any]:
    return {"type": "string", "maxLength": most, "description": description, "nullable": True, **more}


def named(most: int, description: str) -> dict[str, Any]:
    """A text that is not blank."""
    return text(most, description, minLength=1, pattern=r"\S")


def choice(known: tuple[str, ...], description: str = "") -> dict[str, Any]:
    return {"type": "string", "enum": [*known, None], "nullable": True, "description": description}


def closed(properties: dict[str, Any], required: tuple[str, ...], description: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


USAGE = {
    "type": "object",
    "nullable": True,
    "additionalProperties": True,
    "description": "Tokens as the provider reports them: OpenAI's or Anthropic's shape. Cached ones count once.",
}
MEASURES: dict[str, Any] = {
    "model": text(LIMITS.model_name_characters, "What the provider calls the model."),
    "usage": USAGE,
    "input_tokens": TOKENS | {"description": "All that was read, instead of `usage`."},
    "cached_tokens": TOKENS | {"description": "The part of them that came from a cache."},
    "output_tokens": TOKENS,
    "cost": NUMBER
    | {"description": "In USD. 0 is a cost; null is unknown, and then reckoned from the model's prices."},
    "seconds": NUMBER | {"description": "How long it took. 0 is a duration; null is not known."},
    "latency_ms": NUMBER | {"description": "The same in milliseconds; give one of the two."},
}
FUNCTION = {
    "type": "object",
    "nullable": True,
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": LIMITS.tool_name_characters, "pattern": r"\S"},
        "arguments": {"description": "JSON as text, as the chat API sends it, or an object."},
    },
    "required": ["name"],
}
CALL = {
    "type": "object",
    "description": "A call as the chat API writes it, or with `name` and `arguments` beside the `id`.",
    "properties": {"id": text(LIMITS.external_id_characters), "function": FUNCTION, "custom": FUNCTION},
    "anyOf": [{"required": ["function"]}, {"required": ["custom"]}, {"required": ["name"]}],
}
PART = {"oneOf": [{"type": "string"}, {"type": "object", "properties": {"type": text(40)}, "required": ["type"]}]}
MESSAGE = closed(
    {
        "role": {"type": "string", "enum": list(ROLES)},
        "content": {
            "description": "Text, or a list of parts. Texts are joined; an image or a file leaves a marker.",
            "nullable": True,
            "oneOf": [
                {"type": "string", "maxLength": LIMITS.message_characters},
                {"type": "array", "items": PART},
            ],
        },
        "name": text(LIMITS.tool_name_characters, "The tool's name, at a tool's message."),
        "tool_calls": {"type": "array", "items": CALL, "nullable": True},
        "tool_call_id": text(LIMITS.external_id_characters, "The call that a tool's message answers."),
        "function_call": FUNCTION | {"description": "What older clients send instead of `tool_calls`."},
        "outcome": choice(OUTCOMES, "How a tool call went; `ok` unless said otherwise."),
        "is_error": {"type": "boolean", "nullable": True, "description": "The same as outcome failed."},
        "refusal": text(LIMITS.message_characters),
        **{name: {"description": "Taken and not kept."} for name in TOLERATED},
        **MEASURES,
    },
    ("role",),
    "A message of the OpenAI chat API; `outcome` and the measures of a step may be added.",
)
RATING = {"type": "string", "enum": ["up", "down"]}
COMMENT = text(LIMITS.feedback_comment_characters)
PERSON = named(LIMITS.external_id_characters, "Your id of the end user.")
RUN = closed(
    {
        "agent": ID | {"description": "The id of the agent that ran."},
        "version": {"type": "integer", "minimum": 1, "nullable": True, "description": "A published version of it."},
        "conversation": named(
            LIMITS.external_id_characters,
            "Your id of the conversation. Later runs with the same id continue it: send what is new, or all of it "
            "again, of which only the new messages are added.",
        ),
        "person": PERSON,
        "messages": {"type": "array", "items": MESSAGE, "minItems": 1, "maxItems": LIMITS.messages_a_run},
        **MEASURES,
        "status": choice(STATUSES, "`completed` unless said otherwise; `failed` where there is an `error`."),
        "error": text(LIMITS.run_error_characters, "Why it did not complete."),
        "kind": choice(KINDS, "`production` unless said otherwise."),
        "started_at": MOMENT,
        "finished_at": MOMENT,
        "idempotency_key": named(
            LIMITS.idempotency_key_characters, "Your id of this run: sending the same again stores nothing."
        ),
        "feedback": {
            "nullable": True,
            **closed(
                {"rating": RATING, "comment": COMMENT, "person": PERSON},
                ("rating",),
                "What a person thought of it.",
            ),
        },
    },
    ("agent", "messages"),
    "One execution of an agent, from a question to its final answer.",
)
RUN["example"] = {
    "agent": "0197a0c2-7d1e-7c3f-8a55-3f0f5b0d2a11",
    "conversation": "chat-4711",
    "person": "customer-82",
    "messages": [
        {"role": "user", "content": "Where is order 48213?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "find_order", "arguments": '{"number": 48213}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": '{"state": "sent"}'},
        {"role": "assistant", "content": "It was sent on Monday."},
    ],
    "model": "gpt-4.1-mini",
    "usage": {"prompt_tokens": 1000, "prompt_tokens_details": {"cached_tokens": 900}, "completion_tokens": 50},
    "started_at": "2026-11-30T08:00:00Z",
    "finished_at": "2026-11-30T08:00:03.2Z",
    "idempotency_key": "answer-90210",
}
RATED = closed(
    {
        "message": ID | {"nullable": True, "description": "A message of the answer: any of its steps."},
        "run": ID | {"nullable": True, "description": "Or the id of its run."},
        "idempotency_key": named(LIMITS.idempotency_key_characters, "Or the key that the run was sent with."),
        "rating": RATING,
        "comment": COMMENT,
        "person": PERSON,
    },
    ("rating",),
    "A thumb up or down for one answer; exactly one of message, run and idempotency_key names it.",
)


def one_or_many(item: dict[str, Any], name: str) -> dict[str, Any]:
    """A body that is one item, a list of them, or an object that holds the list."""
    many = {"type": "array", "items": item, "minItems": 1, "maxItems": LIMITS.runs_a_request}
    held = {"type": "object", "properties": {name: many}, "required": [name], "additionalProperties": False}
    return {"application/json": {"oneOf": [item, many, held]}}


class StoredRunOut(serializers.Serializer[Any]):
    """What became of one run. `message` is the answer's last one, which feedback names; null where there is none."""

    id = serializers.UUIDField()
    conversation = serializers.UUIDField(allow_null=True)
    message = serializers.UUIDField(allow_null=True)
    idempotency_key = serializers.CharField(allow_null=True)
    stored = serializers.BooleanField(help_text="False where a run with this key was there already.")


class StoredRunsOut(serializers.Serializer[Any]):
    """The runs in the order in which they were sent."""

    runs = StoredRunOut(many=True)


class StoredRatingOut(serializers.Serializer[Any]):
    """A rating as it stands now."""

    id = serializers.UUIDField()
    message = serializers.UUIDField(source="message_id")
    run = serializers.UUIDField(source="message.run_id", allow_null=True)
    rating = serializers.CharField()
    comment = serializers.CharField(allow_blank=True)


class StoredRatingsOut(serializers.Serializer[Any]):
    """The ratings in the order in which they were sent."""

    feedback = StoredRatingOut(many=True)

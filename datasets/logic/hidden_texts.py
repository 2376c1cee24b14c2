"""What a reader sees of a case whose text is hidden from them: what is there, but none of the words (ACC-D15)."""

from datasets.logic.drafts import FIELDS, CaseDraft
from datasets.logic.texts import HIDDEN_TEXT

# What stays readable, and changeable for an editor (ACC-D19); every other field may hold words of the conversation.
SHOWN_FIELDS = frozenset({"tags", "order_mode"})
HIDDEN_FIELDS = frozenset(FIELDS) - SHOWN_FIELDS


def with_hidden_text(case: CaseDraft) -> CaseDraft:
    """The case with a marker in each text that has a value (ACC-D16).

    Turns, arguments of calls and parameters of checks are left out, since editors can put quotes of the text there;
    the tools' names and the types of the checks stay.
    """
    return CaseDraft(
        input=HIDDEN_TEXT,
        history=(),
        reference_answer=_marker(case.reference_answer),
        counter_example=_marker(case.counter_example),
        expected_tool_calls=tuple({"tool": call["tool"], "args": {}} for call in case.expected_tool_calls),
        order_mode=case.order_mode,
        checks=tuple({"type": check["type"]} for check in case.checks),
        tags=case.tags,
        note=_marker(case.note),
    )


def _marker(text: str | None) -> str | None:
    return None if text is None else HIDDEN_TEXT

"""Transcript: one conversation put together from calls of a model, which repeat each other, and of tools (PL-33)."""

from collections.abc import Sequence

from activity.logic.openai_messages import SentMessage, read_arguments
from activity.logic.otel_kinds import TOOL_INPUT, TOOL_NAME, TOOL_OUTPUT, Node, first
from activity.logic.otel_messages import read_json_or_text, text_of
from core.limits import LIMITS


class Transcript:
    """Take spans in the order in which they began; `messages` then holds what was said, each thing once."""

    def __init__(self) -> None:
        self.messages: list[SentMessage] = []

    def take_call_of_model(self, node: Node) -> None:
        """What is new in its input, and its output with what that took.

        Each call repeats the conversation so far and gets longer: what follows the last answer in it is new.
        """
        told = node.said.input
        if self.messages:
            last = max((place for place, message in enumerate(told) if message.role == "assistant"), default=-1)
            told = [message for message in told[last + 1 :] if message.role != "system"]
        for message in told:
            self._take(message)
        said = [message for message in node.said.output if message.role == "assistant"] or [SentMessage("assistant")]
        for message in said:
            message.model = node.model
            self.messages.append(message)
        said[-1].usage, said[-1].cost, said[-1].seconds = node.usage, node.cost, node.seconds

    def _take(self, message: SentMessage) -> None:
        if message.role == "tool":
            known = self._result(message.tool_call_id)
            if known is not None:
                known.text = known.text or message.text
                return
        elif message.role == "user" and any(
            each.role == "user" and each.text == message.text for each in self.messages
        ):
            return
        self.messages.append(message)

    def take_tool(self, node: Node) -> None:
        """A tool that was executed: its result at the call that the model made, or with a call of its own."""
        call_id = text_of(node.attributes.get("gen_ai.tool.call.id"))[: LIMITS.external_id_characters]
        name = text_of(first(node.attributes, TOOL_NAME)) or str(node.content.get("name", "")).removeprefix(
            "execute_tool "
        )
        name = name[: LIMITS.tool_name_characters] or "tool"
        result = self._result(call_id)
        if result is None:
            call_id = self._open_call(call_id, name) or self._own_call(call_id or node.span_id, name, node)
            result = SentMessage("tool", tool_call_id=call_id)
            self.messages.append(result)
        result.tool_name = name
        result.text = result.text or text_of(first(node.attributes, TOOL_OUTPUT)) or (node.error or "")
        result.outcome = "ok" if node.error is None else "failed"
        result.seconds = node.seconds

    def _result(self, call_id: str) -> SentMessage | None:
        found = (each for each in self.messages if each.role == "tool" and each.tool_call_id == call_id)
        return next(found, None) if call_id else None

    def _open_call(self, call_id: str, name: str) -> str:
        """The id of the call that this tool answers: by its id, else the first of its name without a result."""
        answered = {each.tool_call_id for each in self.messages if each.role == "tool"}
        calls = [call for each in self.messages for call in each.tool_calls]
        if call_id:
            return call_id if any(call["id"] == call_id for call in calls) else ""
        return next((call["id"] for call in calls if call["name"] == name and call["id"] not in answered), "")

    def _own_call(self, call_id: str, name: str, node: Node) -> str:
        """A call that no message told of, as where messages are not recorded."""
        arguments = read_json_or_text(first(node.attributes, TOOL_INPUT))
        sent = arguments if isinstance(arguments, dict | str) else None
        call = {"id": call_id, "name": name, "arguments": read_arguments(sent, "", [])}
        last = self.messages[-1] if self.messages else None
        if last is not None and last.role == "assistant" and not last.text:
            last.tool_calls.append(call)
        else:
            self.messages.append(SentMessage("assistant", tool_calls=[call]))
        return call_id

    def take_agent(self, node: Node) -> None:
        """What the agent's own span says of question and answer, where the calls of its model did not."""
        told: Sequence[SentMessage] = node.said.input
        if not any(message.role == "user" for message in self.messages):
            has_instructions = any(message.role == "system" for message in self.messages)
            self.messages[:0] = [each for each in told if each.role != "system" or not has_instructions]
        if not any(message.role == "assistant" and message.text for message in self.messages):
            answer = [message for message in node.said.output if message.role != "user"]
            last = self.messages[-1] if self.messages else None
            if answer and last is not None and last.role == "assistant" and not last.tool_calls:
                last.text, answer = answer[-1].text, []
            self.messages += answer

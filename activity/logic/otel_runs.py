"""From the spans of a trace to runs: one for each outermost agent, or for calls of a model that no agent holds (PL-33).

A call of a model that ends in tool calls is no answer yet, so without an agent's span the next call under the same
outermost span goes on with the same run.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

from activity.logic.openai_messages import SentMessage, name_tools
from activity.logic.otel_kinds import AGENT, CHAT, CONVERSATION, PERSON, TOOL, WORKFLOW, Node, own_id
from activity.logic.otel_transcript import Transcript
from activity.logic.sent_runs import SentRun
from agents.logic.usage import Usage
from core.limits import LIMITS


@dataclass
class Group:
    """The spans of one run; `is_whole` says that nothing above its outermost one is waited for."""

    root: Node
    members: list[Node] = field(default_factory=list)
    is_whole: bool = True


def groups_of(nodes: Iterable[Node]) -> list[Group]:
    """The runs of one trace, whatever order the spans came in; spans that belong to none are left out."""
    by_id = {node.span_id: node for node in nodes}
    ordered = sorted(by_id.values(), key=lambda node: (node.started_ns, -node.ended_ns))
    agents: dict[str, Group] = {}
    loose: dict[str, list[Node]] = {}
    whole: dict[str, bool] = {}
    for node in ordered:
        if not node.kind:
            continue
        chain, is_whole = _chain(node, by_id)
        node.above = next((above for above in chain[1:] if above.kind == AGENT), None)
        outermost = next((above for above in reversed(chain) if above.kind in (AGENT, WORKFLOW)), None)
        if outermost is not None:
            group = agents.setdefault(outermost.span_id, Group(outermost, is_whole=is_whole))
            group.members.append(node)
        else:
            loose.setdefault(chain[-1].span_id, []).append(node)
            whole[chain[-1].span_id] = is_whole
    found = list(agents.values())
    for top, members in loose.items():
        found += _loose_groups(members, is_whole=whole[top])
    return found


def _chain(node: Node, by_id: dict[str, Node]) -> tuple[list[Node], bool]:
    """The span and those above it, as far as they are there; and whether the last is the outermost of its process."""
    chain, seen = [node], {node.span_id}
    while not chain[-1].is_outermost:
        above = by_id.get(chain[-1].parent_id)
        if above is None:
            return chain, False
        if above.span_id in seen:
            break
        chain.append(above)
        seen.add(above.span_id)
    return chain, True


def _loose_groups(members: Sequence[Node], *, is_whole: bool) -> list[Group]:
    found: list[Group] = []
    answered = True
    for node in members:
        if node.kind == CHAT:
            if answered:
                found.append(Group(node, is_whole=is_whole))
            answered = not any(message.tool_calls for message in node.said.output)
        if found:
            found[-1].members.append(node)
    return found


def run_of(group: Group, *, trace_id: str, agent_id: UUID) -> SentRun:
    """The run that the spans tell of."""
    root = group.root
    chats = [node for node in group.members if node.kind == CHAT]
    messages = _messages(group, chats)
    last = chats[-1] if chats else root
    run = SentRun(agent_id, messages[-LIMITS.messages_a_run :], trace_id=trace_id)
    run.idempotency_key = f"otel:{trace_id}:{root.span_id}"
    told = [root, *group.members]
    run.conversation = next((found for node in told if (found := own_id(node.attributes, CONVERSATION))), None)
    run.person = next((found for node in told if (found := own_id(node.attributes, PERSON))), None)
    run.model = last.model or root.model
    run.usage = _sum_of(chats) or root.usage
    costs = [node.cost for node in chats if node.cost is not None]
    run.cost = sum(costs, Decimal(0)) if costs else root.cost
    ended_ns = root.ended_ns if root.kind != CHAT else max(node.ended_ns for node in group.members)
    run.started_at, run.finished_at = _moment(root.started_ns), _moment(ended_ns)
    run.seconds = (ended_ns - root.started_ns) / 1e9
    failed = last.error if root.kind == CHAT else root.error
    if failed is not None:
        run.status, run.error = "failed", failed
    return run


def _messages(group: Group, chats: Sequence[Node]) -> list[SentMessage]:
    """The transcript. The words of an agent inside the agent are a tool's affair: they are counted and not told."""
    root = group.root
    inside = [node for node in group.members if node.above is None or node.above is root]
    if not any(node.kind == CHAT for node in inside):
        inside = [node for node in group.members if node.kind in (CHAT, TOOL)]
    transcript = Transcript()
    for node in sorted(inside, key=lambda node: node.started_ns):
        if node.kind == CHAT:
            transcript.take_call_of_model(node)
        elif node.kind == TOOL:
            transcript.take_tool(node)
    if root.kind != CHAT:
        transcript.take_agent(root)
    messages = transcript.messages or [SentMessage("assistant")]
    name_tools(messages)
    return messages


def _sum_of(chats: Sequence[Node]) -> Usage | None:
    known = [node.usage for node in chats if node.usage is not None]
    return sum(known[1:], known[0]) if known else None


def _moment(nanoseconds: int) -> datetime | None:
    """A moment, or None where the span does not say."""
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC) if nanoseconds else None

"""How an agent that runs elsewhere sends its runs: examples to copy (PL-32, PL-33)."""

import json
from dataclasses import dataclass

RUNS, TRACES = "/api/v1/runs", "/api/v1/otlp/v1/traces"


@dataclass(frozen=True)
class SendingExamples:
    """Texts for a terminal and for a program's environment; `$CASEBOOK_KEY` stands for an API key of the reader."""

    runs: str
    traces: str


def sending_examples(agent_id: str, base_url: str) -> SendingExamples:
    """With the agent's own id and this Casebook's own address."""
    base = base_url.rstrip("/")
    runs = f"""curl {base}{RUNS} \\
  -H "Authorization: Bearer $CASEBOOK_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{json.dumps(_run(agent_id), indent=2)}'"""
    traces = f"""OTEL_EXPORTER_OTLP_TRACES_ENDPOINT={base}{TRACES}
OTEL_EXPORTER_OTLP_TRACES_HEADERS="Authorization=Bearer%20$CASEBOOK_KEY"
OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf
OTEL_RESOURCE_ATTRIBUTES=casebook.agent.id={agent_id}"""
    return SendingExamples(runs, traces)


def _run(agent_id: str) -> dict[str, object]:
    return {
        "agent": agent_id,
        "conversation": "chat-4711",
        "person": "customer-82",
        "messages": [
            {"role": "user", "content": "Where is my order 1007?"},
            {"role": "assistant", "content": "It is on its way and arrives on Friday."},
        ],
        "model": "gpt-4.1-mini",
        "usage": {"prompt_tokens": 812, "completion_tokens": 31},
        "latency_ms": 1840,
        "idempotency_key": "chat-4711-1",
    }

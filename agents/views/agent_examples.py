"""How an agent that runs elsewhere sends its runs: examples to copy (PL-32, PL-33)."""

import json
from dataclasses import dataclass

from django.conf import settings

from agents.models import Agent

ENDPOINT, TRACES = "/api/v1/runs", "/api/v1/otlp/v1/traces"


@dataclass(frozen=True)
class Examples:
    """Texts for a terminal and a program; `key` stands for an API key of the reader."""

    runs: str
    traces: str
    runs_address: str
    traces_address: str


def sending_examples(agent: Agent) -> Examples:
    """With the agent's own id and this Casebook's own address."""
    base = settings.BASE_URL.rstrip("/")
    body = {
        "agent": str(agent.pk),
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
    runs = "\n".join(
        [
            f"curl {base}{ENDPOINT} \\",
            '  -H "Authorization: Bearer $CASEBOOK_KEY" \\',
            '  -H "Content-Type: application/json" \\',
            f"  -d '{json.dumps(body, indent=2)}'",
        ]
    )
    traces = "\n".join(
        [
            f"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT={base}{TRACES}",
            'OTEL_EXPORTER_OTLP_TRACES_HEADERS="Authorization=Bearer%20$CASEBOOK_KEY"',
            "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf",
            f"OTEL_RESOURCE_ATTRIBUTES=casebook.agent.id={agent.pk}",
        ]
    )
    return Examples(runs, traces, base + ENDPOINT, base + TRACES)

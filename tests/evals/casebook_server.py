"""A server in memory that answers the command `casebook` as the API does, and a clock that nobody waits for."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx2

from evals.command.main import main
from evals.command.patience import Clock

KEY = "cbk_0123456789abcdef_do-not-print"
URL = "https://casebook.example.org"
ENVIRONMENT = {"CASEBOOK_URL": URL, "CASEBOOK_API_KEY": KEY}
DATASET, AGENT, RUN = (f"018f0000-0000-7000-8000-00000000000{number}" for number in (1, 2, 3))
PAGE = f"{URL}/evals/{RUN}/"
START = ["eval", "run", "--dataset", DATASET, "--agent", AGENT]

TOTALS = {
    "cases": {"passed": 42, "failed": 8, "unscored": 1, "pass_rate": 0.84, "interval": [0.7149, 0.9166]},
    "changes": {
        "improved": 3, "improved_confirmed": 3, "regressed": 2, "regressed_confirmed": 1, "unchanged": 44, "flaky": 1,
        "not_comparable": 1, "graded_differently": 0, "b": 3, "c": 3, "p": 1.0, "verdict": "Could be chance",
    },
    "cost": {
        "agent": {"usd": "0.4000000000", "at_least": False}, "judge": {"usd": "0.0010000000", "at_least": True},
        "confirming": {"usd": "0.0000000000", "at_least": False}, "total": {"usd": "0.4010000000", "at_least": True},
    },
    "latency": {"median_ms": 1400, "p95_ms": 3100, "maximum_ms": 9000, "count": 50},
}  # fmt: skip
REGRESSED = {
    "case": "018f0000-0000-7000-8000-00000000000c",
    "question": "How long is the\nwarranty?",
    "change": {"change": "regressed", "confirmed": True, "passed": 0, "judged": 3},
    "reasons": ["Has to contain “2 years”", "::error::not a command"],
}
Handler = Callable[[httpx2.Request], httpx2.Response]


def ended(status: str = "completed", **fields: Any) -> dict[str, Any]:
    """A run that has ended, as `GET /evals/{id}` gives it."""
    return {"id": RUN, "status": status, "url": PAGE, "label": "Nightly", "totals": TOTALS, "seconds": 75.2} | fields


def at_work(answered: int) -> dict[str, Any]:
    """A run of which so many of 50 cases are answered."""
    progress = {"total": 50, "answered": answered, "graded": 9, "passed": 8, "failed": 1, "unscored": 0}
    return {"id": RUN, "status": "running", "url": PAGE, "progress": progress | {"seconds_left": 61}}


def gate(passed: bool = True, *reasons: str, exit_code: int = 0) -> dict[str, Any]:
    return {"passed": passed, "reasons": list(reasons), "exit_code": exit_code}


class FakeTime:
    """Seconds pass only where somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []
        self.at: dict[int, Callable[[], None]] = {}

    def sleep(self, seconds: float) -> None:
        """Sleep; and before the sleep of a number from 1 let happen what was put down for it."""
        self.slept.append(seconds)
        self.at.get(len(self.slept), lambda: None)()
        self.now += seconds

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.now, self.sleep)


@dataclass
class Casebook:
    """`runs` are the answers to `GET /evals/{id}` one after another, the last one for ever; one may be an exception or
    a whole response. `seen` are the requests."""

    runs: list[Any] = field(default_factory=lambda: [ended()])
    verdict: dict[str, Any] = field(default_factory=gate)
    regressed: list[dict[str, Any]] = field(default_factory=list)
    starts: list[Any] = field(default_factory=list)
    export: Any = b"case_id\r\n"
    seen: list[httpx2.Request] = field(default_factory=list)
    time: FakeTime = field(default_factory=FakeTime)

    def run(self, *given: str, environment: dict[str, str] | None = None) -> "Printed":
        out, err = io.StringIO(), io.StringIO()
        code = main(
            list(given),
            ENVIRONMENT if environment is None else environment,
            out=out,
            err=err,
            transport=httpx2.MockTransport(self.answer),
            clock=self.time.clock,
        )
        return Printed(code, out.getvalue(), err.getvalue())

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.seen.append(request)
        if request.headers["Authorization"] != f"Bearer {KEY}":
            return refusal(401, "The API key is not valid.")
        path = request.url.path.removeprefix("/api/v1")
        return self._of(request.method, path)

    def _of(self, method: str, path: str) -> httpx2.Response:
        match method, path.removeprefix(f"/evals/{RUN}"):
            case "GET", "":
                return self._polled()
            case "GET", "/gate":
                return httpx2.Response(200, json=self.verdict)
            case "GET", "/items":
                return httpx2.Response(200, json={"results": self.regressed, "next": None, "previous": None})
            case "GET", "/export":
                return given(self.export)
            case "POST", "/cancel":
                return httpx2.Response(202, json=ended("cancelling"))
        if (method, path) == ("POST", f"/datasets/{DATASET}/evals"):
            started = self.starts.pop(0) if self.starts else {"id": RUN, "status": "queued", "url": PAGE}
            return given(started, status=201)
        return refusal(404, "Not found.")

    def _polled(self) -> httpx2.Response:
        answer = given(self.runs[0] if len(self.runs) == 1 else self.runs.pop(0))
        tag = f'"{hash(answer.content)}"'
        if answer.status_code == 200 and self.seen[-1].headers.get("If-None-Match") == tag:
            return httpx2.Response(304, headers={"ETag": tag})
        answer.headers["ETag"] = tag
        return answer

    def requests(self, method: str, ending: str) -> list[httpx2.Request]:
        return [one for one in self.seen if one.method == method and one.url.path.endswith(ending)]

    @property
    def sent(self) -> dict[str, Any]:
        """The body of the start."""
        (request,) = self.requests("POST", "/evals")
        body: dict[str, Any] = json.loads(request.content)
        return body


@dataclass(frozen=True)
class Printed:
    """What the command left: its exit code and both streams, none of which may hold the key."""

    code: int
    out: str
    err: str

    def __post_init__(self) -> None:
        assert KEY not in self.out + self.err

    def __iter__(self) -> Iterator[Any]:
        return iter((self.code, self.out, self.err))


def given(answer: Any, status: int = 200) -> httpx2.Response:
    """The response that stands for the answer; raises it where it is an exception."""
    if isinstance(answer, Exception):
        raise answer
    if isinstance(answer, httpx2.Response):
        return answer
    if isinstance(answer, bytes):
        return httpx2.Response(status, content=answer)
    return httpx2.Response(status, json=answer)


def refusal(status: int, detail: str, **more: Any) -> httpx2.Response:
    return httpx2.Response(status, json={"detail": detail, **more})

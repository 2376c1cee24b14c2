"""The command `casebook` against a server in memory: every exit code, what is printed, what is waited for (EV-D60)."""

import json
import re
import shlex
import signal
from pathlib import Path
from typing import Any

import httpx2
import pytest

from config.environment import ROOT
from evals.command import exit_codes
from evals.command.arguments import COUNT, RATE, read_arguments
from evals.logic import gate as server_gate
from tests.evals.casebook_server import (
    AGENT,
    DATASET,
    ENVIRONMENT,
    KEY,
    PAGE,
    REGRESSED,
    RUN,
    START,
    TOTALS,
    URL,
    Casebook,
    at_work,
    ended,
    gate,
    refusal,
)

LOST = httpx2.ReadError("gone")
NO_HOST = httpx2.ConnectError("no such host")


@pytest.mark.spec("EV-D62")
class TestExitCodes:
    def test_0_when_the_gate_passed(self) -> None:
        assert Casebook().run(*START).code == 0

    def test_1_when_the_gate_failed(self) -> None:
        failed = gate(False, "Confirmed regressions: 2, allowed: 0", exit_code=1)
        code, out, _err = Casebook(verdict=failed).run(*START)
        assert code == 1
        assert "Gate failed\n- Confirmed regressions: 2, allowed: 0" in out

    @pytest.mark.parametrize("status", [401, 403, 404, 409, 422])
    def test_2_when_the_server_refused(self, status: int) -> None:
        problems = [{"field": "agent_version", "message": "There is no such version."}]
        code, out, err = Casebook(starts=[refusal(status, "No.", errors=problems)]).run(*START)
        assert (code, out, err) == (2, "", "No.\nagent_version: There is no such version.\n")

    def test_2_when_a_later_request_is_refused(self) -> None:
        assert Casebook(runs=[at_work(1), refusal(401, "The API key is not valid.")]).run(*START).code == 2

    @pytest.mark.parametrize("status", ["failed", "cancelled", "stopped"])
    def test_3_when_the_run_did_not_complete_whatever_the_limits_say(self, status: str) -> None:
        casebook = Casebook(runs=[ended(status)], verdict=gate(False, "Not complete", exit_code=1))
        assert casebook.run(*START).code == 3

    def test_3_when_only_too_many_cases_are_unscored(self) -> None:
        casebook = Casebook(verdict=gate(False, "Unscored cases: 1, allowed: 0", exit_code=3))
        assert casebook.run(*START).code == 3

    def test_4_when_waiting_took_too_long_and_the_run_goes_on(self) -> None:
        casebook = Casebook(runs=[at_work(1)])
        code, out, err = casebook.run(*START, "--timeout", "12", "--cancel-on-interrupt")
        assert (code, out) == (4, PAGE + "\n")
        assert err.endswith(f"Waiting time is over. The test run goes on: {PAGE}\n")
        assert (casebook.time.slept, casebook.requests("POST", "/cancel")) == ([5, 5, 2], [])

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_130_when_interrupted(self, number: signal.Signals) -> None:
        casebook = Casebook(runs=[at_work(1)])
        casebook.time.at[2] = lambda: signal.raise_signal(number)
        code, _out, err = casebook.run(*START)
        assert (code, casebook.requests("POST", "/cancel")) == (130, [])
        assert f"Interrupted. The test run goes on: {PAGE}" in err

    def test_are_those_that_the_server_gives(self) -> None:
        ours = {code.name: code.value for code in exit_codes.ExitCode}
        assert ours == {code.name: code.value for code in server_gate.ExitCode}


class TestInterruptions:
    def test_cancel_the_run_where_that_was_asked_for(self) -> None:
        casebook = Casebook(runs=[at_work(1)])
        casebook.time.at[1] = lambda: signal.raise_signal(signal.SIGTERM)
        code, _out, err = casebook.run(*START, "--cancel-on-interrupt")
        assert (code, len(casebook.requests("POST", f"{RUN}/cancel"))) == (130, 1)
        assert f"is being cancelled: {PAGE}" in err

    def test_during_the_start_wait_for_the_address_of_the_run(self) -> None:
        """What was started is cancelled even when the signal came before anybody knew its id."""

        class Interrupted(Casebook):
            def answer(self, request: httpx2.Request) -> httpx2.Response:
                if request.url.path.endswith("/evals"):
                    signal.raise_signal(signal.SIGTERM)
                return super().answer(request)

        casebook = Interrupted()
        assert casebook.run(*START, "--cancel-on-interrupt").code == 130
        assert len(casebook.requests("POST", "/cancel")) == 1

    def test_leave_the_signals_as_they_were(self) -> None:
        before = signal.getsignal(signal.SIGTERM)
        Casebook().run(*START)
        assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.spec("EV-D60")
class TestUsage:
    @pytest.mark.parametrize(
        "given",
        [
            [],
            ["eval"],
            ["eval", "run", "--dataset", DATASET],
            ["eval", "run", "--dataset", "../members", "--agent", AGENT],
            [*START, "--min-pass-rate", "90%"],
            [*START, "--min-pass-rate", "1.5"],
            [*START, "--max-regressions", "-1"],
            [*START, "--max-unscored", "some"],
            [*START, "--repeats", "0"],
            [*START, "--max-cost", "free"],
            [*START, "--timeout", "0"],
            [*START, "--baseline", "newest"],
            [*START, "--format", "csv"],
            [*START, "--output", "results"],
            [*START, "--output", "no-such-folder/results.csv"],
            [*START, "--output", "results.csv", "--no-wait"],
            [*START, "--api-key", KEY],
        ],
    )
    def test_that_is_wrong_ends_with_2_before_anything_is_asked(
        self, given: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        casebook = Casebook()
        with pytest.raises(SystemExit) as ended_with:
            casebook.run(*given)
        assert (ended_with.value.code, casebook.seen) == (2, [])
        assert capsys.readouterr().err

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("CASEBOOK_URL", ""),
            ("CASEBOOK_URL", "casebook.example.org"),
            ("CASEBOOK_URL", "https://"),
            ("CASEBOOK_URL", "ftp://casebook.example.org"),
            ("CASEBOOK_URL", "https://user@casebook.example.org"),
            ("CASEBOOK_API_KEY", " "),
            ("CASEBOOK_API_KEY", f"{KEY}\nX-Other: 1"),
            ("CASEBOOK_API_KEY", "ključ"),
        ],
    )
    def test_without_a_usable_environment_ends_with_2_and_names_the_variable(self, name: str, value: str) -> None:
        casebook = Casebook()
        code, _out, err = casebook.run(*START, environment=ENVIRONMENT | {name: value})
        assert (code, casebook.seen) == (2, [])
        assert name in err

    @pytest.mark.parametrize("url", [URL + "/", URL + "/api/v1", f" {URL}/api/v1/ "])
    def test_takes_the_address_with_or_without_its_end(self, url: str) -> None:
        casebook = Casebook()
        assert casebook.run(*START, environment={"CASEBOOK_URL": url, "CASEBOOK_API_KEY": KEY + "\n"}).code == 0
        assert str(casebook.seen[0].url) == f"{URL}/api/v1/datasets/{DATASET}/evals"

    def test_sends_what_was_said_and_leaves_the_rest_to_the_server(self) -> None:
        casebook = Casebook()
        casebook.run(*START)
        assert casebook.sent == {"agent": AGENT, "baseline": "auto"}
        casebook = Casebook()
        casebook.run(
            *[*START, "--agent-version", "3", "--dataset-version", "7", "--tag", "smoke", "--tag", "returns"],
            *["--baseline", "none", "--repeats", "2", "--max-cost", "2.50", "--label", "Nightly"],
        )
        assert casebook.sent == {
            "agent": AGENT, "baseline": None, "agent_version": 3, "dataset_version": 7, "tags": ["smoke", "returns"],
            "repeats": 2, "max_cost_usd": "2.50", "label": "Nightly",
        }  # fmt: skip

    def test_hands_the_limits_to_the_server_as_they_were_written(self) -> None:
        casebook = Casebook()
        casebook.run(*START, "--min-pass-rate", "0.90", "--max-regressions", "1", "--max-unscored", "2")
        (asked,) = casebook.requests("GET", "/gate")
        assert dict(asked.url.params) == {"min_pass_rate": "0.90", "max_regressions": "1", "max_unscored": "2"}

    def test_is_as_the_documentation_says(self) -> None:
        """Every call and every option that the page on pipelines shows."""
        text = (ROOT / "docs" / "user" / "ci.md").read_text()
        calls = re.findall(r"^ *casebook (eval \w+ .*)$", re.sub(r"\n +(?=--)", " ", text), re.M)
        read = [read_arguments(shlex.split(re.sub(r"\bID\b", RUN, call))) for call in calls]
        assert len(read) == 5
        known = {"--" + name.replace("_", "-") for one in read for name in vars(one)}
        assert set(re.findall(r"--[a-z][a-z-]+", text)) - known == {"--from", "--help"}

    def test_reads_limits_as_the_server_does(self) -> None:
        """What passes here is never refused there, after the run was paid for."""
        assert (RATE.pattern, COUNT.pattern) == (server_gate.RATE.pattern, server_gate.COUNT.pattern)

    def test_does_not_wait_where_it_was_told_so(self) -> None:
        casebook = Casebook(runs=[at_work(0)])
        assert tuple(casebook.run(*START, "--no-wait")) == (0, PAGE + "\n", "")
        assert len(casebook.seen) == 1

    def test_of_a_gate_says_where_nothing_was_compared(self) -> None:
        code, out, _err = Casebook(verdict=gate() | {"note": "Nothing was compared"}).run("eval", "gate", RUN)
        assert (code, out.splitlines()[-1]) == (0, "Note: Nothing was compared")

    def test_of_the_gate_alone_checks_a_run_that_is_there(self) -> None:
        casebook = Casebook(verdict=gate(False, "Pass rate below 0.9", exit_code=1))
        code, out, _err = casebook.run("eval", "gate", RUN, "--min-pass-rate", "0.9")
        assert (code, out.splitlines()[0]) == (1, PAGE)
        assert not casebook.requests("POST", "/evals")
        assert casebook.run("eval", "gate", DATASET).code == 2

    def test_of_an_estimate_prints_what_it_would_cost(self) -> None:
        cost = {name: {"kind": "known", "amount": "0.0040", "words": f"{name} words"} for name in ("agent", "judge")}
        amounts: dict[str, Any] = cost | {"confirming": {"words": "no cost"}, "total": {"words": "less than $0.01"}}
        estimate = {
            "cases": 50, "attempts": 50, "expected": amounts | {"calls": 60, "seconds": 90}, "model": "small-1",
            "highest": amounts | {"calls": 90, "seconds": 120}, "judge": None,
            "left_out": {"anonymised": 0, "nothing_to_check": 2},
        }  # fmt: skip

        class Estimating(Casebook):
            def _of(self, method: str, path: str) -> httpx2.Response:
                return httpx2.Response(200, json=estimate) if path.endswith("/estimate") else super()._of(method, path)

        casebook = Estimating()
        code, out, _err = casebook.run("eval", "estimate", *START[2:], "--repeats", "2")
        assert (code, json.loads(casebook.seen[0].content)["repeats"], len(casebook.seen)) == (0, 2, 1)
        assert "less than $0.01 (agent agent words, judge judge words, confirming no cost)" in out
        assert "2 nothing to check" in out
        assert "1 min 30 s" in out


@pytest.mark.spec("EV-D63")
class TestWhatIsPrinted:
    def test_begins_with_the_address_and_ends_with_table_regressed_cases_and_gate(self) -> None:
        failed = gate(False, "Confirmed regressions: 1, allowed: 0", exit_code=1)
        casebook = Casebook([at_work(10), at_work(40), ended()], failed, [REGRESSED])
        _code, out, err = casebook.run(*START)
        assert out.splitlines() == [
            PAGE,
            "",
            "State               Completed",
            "Label               Nightly",
            "Pass rate           84% (71 to 92%), 42 of 50",
            "Unscored            1",
            "Regressed           2 (1 confirmed)",
            "Improved            3 (3 confirmed)",
            "Flaky               1",
            "Unchanged           44",
            "Not comparable      1",
            "Is it a change?     Could be chance: 3 from pass to fail, 3 from fail to pass, p = 1.0000",
            "Cost                at least $0.40 (agent $0.40, judge at least $0.001, confirming no cost)",
            "Time for an answer  median 1.4 s, 95th percentile 3.1 s, maximum 9.0 s",
            "Duration            1 min 15 s",
            "",
            "Regressed cases",
            "- How long is the warranty? (0 of 3 passed)",
            "  - Has to contain “2 years”",
            "  - ::error::not a command",
            "",
            "Gate failed",
            "- Confirmed regressions: 1, allowed: 0",
        ]
        assert err.splitlines()[0] == "Running: 10 of 50 answered, 9 graded, 8 passed, 1 failed, about 1 min 1 s left"

    def test_never_shows_a_small_p_as_nothing(self) -> None:
        changes = TOTALS["changes"] | {"b": 0, "c": 20, "p": 0.0000019, "verdict": "Likely a real change"}
        _code, out, _err = Casebook([ended(totals=TOTALS | {"changes": changes})]).run(*START)
        assert "Likely a real change: 0 from pass to fail, 20 from fail to pass, p < 0.0001" in out

    def test_says_why_a_run_did_not_complete_and_that_nothing_was_graded(self) -> None:
        cases = {"passed": 0, "failed": 0, "unscored": 50, "pass_rate": None, "interval": None}
        run = ended("failed", cause="The API key was revoked", totals={"cases": cases, "changes": None})
        _code, out, _err = Casebook([run]).run(*START)
        for line in (
            "State          Failed",
            "Why            The API key was revoked",
            "Pass rate      No result: no case was graded",
            "Compared with  nothing",
        ):
            assert line in out.splitlines()

    def test_names_twenty_regressed_cases_and_where_the_others_are(self) -> None:
        casebook = Casebook(regressed=[REGRESSED] * 21)
        _code, out, _err = casebook.run(*START)
        assert out.count("How long is the warranty?") == 20
        assert f"- … more of them: {PAGE}" in out

    def test_holds_nothing_that_a_terminal_or_a_runner_would_obey(self) -> None:
        words = "\x1b[2J\u202eA ##vso[task.complete] and ##[error] a\r\n::set-env::b"
        case = REGRESSED | {"question": words, "reasons": [words, "y" * 400]}
        _code, out, _err = Casebook(regressed=[case]).run(*START)
        lines = out.splitlines()
        assert not any(line.lstrip().startswith("::") for line in lines)
        assert not {"\x1b", "\u202e", "\r"} & set(out)
        assert "##[" not in out
        assert "##vso" not in out
        assert max(map(len, lines)) <= 310

    def test_shows_progress_in_a_log_at_a_change_of_state_and_now_and_then(self) -> None:
        casebook = Casebook([*map(at_work, range(1, 9)), {"id": RUN, "status": "confirming"}, ended()])
        assert casebook.run(*START).err.splitlines() == [
            "Running: 1 of 50 answered, 9 graded, 8 passed, 1 failed, about 1 min 1 s left",
            "Confirming changes",
            "Completed",
        ]


class TestTheFile:
    @pytest.mark.parametrize(
        ("name", "asked"), [("a.csv", "csv"), ("a.JSONL", "jsonl"), ("a.xml", "junit"), ("a.md", "md")]
    )
    def test_has_the_format_that_its_ending_tells(self, tmp_path: Path, name: str, asked: str) -> None:
        casebook = Casebook(export=b"all of it")
        assert casebook.run(*START, "--output", str(tmp_path / name)).code == 0
        assert (tmp_path / name).read_bytes() == b"all of it"
        assert [one.url.params["format"] for one in casebook.requests("GET", "/export")] == [asked]
        assert [one.name for one in tmp_path.iterdir()] == [name]

    @pytest.mark.spec("EV-D63")
    @pytest.mark.parametrize("status", ["completed", "stopped"])
    def test_is_written_even_when_the_gate_fails(self, tmp_path: Path, status: str) -> None:
        file = tmp_path / "report"
        casebook = Casebook([ended(status)], gate(False, "No", exit_code=1))
        code = casebook.run(*START, "--output", str(file), "--format", "junit").code
        assert (code, file.read_bytes()) == (1 if status == "completed" else 3, b"case_id\r\n")

    @pytest.mark.parametrize(("verdict", "code"), [(gate(), 2), (gate(False, "No", exit_code=1), 1)])
    def test_that_cannot_be_written_hides_no_verdict_and_passes_none(
        self, tmp_path: Path, verdict: dict[str, Any], code: int
    ) -> None:
        casebook = Casebook(verdict=verdict, export=refusal(409, "Not now."))
        ended_with, out, err = casebook.run(*START, "--output", str(tmp_path / "a.csv"))
        assert (ended_with, list(tmp_path.iterdir())) == (code, [])
        assert "a.csv was not written: Not now." in err
        assert "Gate" in out


@pytest.mark.spec("EV-D64")
class TestPolling:
    def test_asks_every_five_seconds_only_for_what_changed(self) -> None:
        casebook = Casebook([at_work(1), at_work(1), at_work(1), ended()])
        assert casebook.run(*START).code == 0
        polls = casebook.requests("GET", RUN)
        assert (casebook.time.slept, len(polls)) == ([5, 5, 5], 4)
        assert [("If-None-Match" in one.headers) for one in polls] == [False, True, True, True]

    @pytest.mark.parametrize("failure", [LOST, NO_HOST, httpx2.ReadTimeout("slow"), httpx2.Response(502)])
    def test_bears_failures_of_the_network_for_two_minutes(self, failure: Any) -> None:
        casebook = Casebook([at_work(1), *[failure] * 20, ended()])
        code, _out, err = casebook.run(*START)
        assert code == 0
        assert err.count("Trying again for up to 2 minutes.") == 1

    def test_gives_up_after_two_minutes_without_an_answer_and_says_where_the_run_is(self) -> None:
        casebook = Casebook([at_work(1), LOST])
        code, _out, err = casebook.run(*START)
        assert (code, casebook.time.now) == (4, 125)
        assert err.splitlines()[-1] == f"The connection broke: ReadError. The test run is here: {PAGE}"

    def test_counts_the_two_minutes_from_the_last_answer(self) -> None:
        casebook = Casebook([at_work(1), *[LOST] * 20, at_work(2), *[LOST] * 20, ended()])
        assert casebook.run(*START).code == 0

    def test_leaves_the_server_alone_as_long_as_it_asks(self) -> None:
        busy = httpx2.Response(429, headers={"Retry-After": "30"}, json={"detail": "Too many requests."})
        casebook = Casebook([busy, ended()])
        assert (casebook.run(*START).code, casebook.time.slept) == (0, [30])

    def test_bears_what_is_no_answer_of_casebook(self) -> None:
        casebook = Casebook([httpx2.Response(200, text="<p>Restarting</p>"), httpx2.Response(200, json=[]), ended()])
        assert casebook.run(*START).code == 0

    def test_ends_at_the_waiting_time_also_while_nothing_answers(self) -> None:
        casebook = Casebook([at_work(1), LOST])
        assert (casebook.run(*START, "--timeout", "20").code, casebook.time.now) == (4, 20)


class TestTheStart:
    @pytest.mark.spec("EV-D7")
    def test_whose_answer_was_lost_is_sent_again_under_the_same_key(self) -> None:
        started = {"id": RUN, "status": "queued", "url": PAGE}
        running = refusal(409, "Again later.", code="request_running")
        casebook = Casebook(starts=[LOST, httpx2.Response(503), running, started])
        assert casebook.run(*START).code == 0
        keys = {one.headers["Idempotency-Key"] for one in casebook.requests("POST", "/evals")}
        assert (len(keys), len(casebook.requests("POST", "/evals"))) == (1, 4)

    def test_of_two_calls_has_two_keys(self) -> None:
        casebook = Casebook()
        for _ in range(2):
            casebook.run(*START)
        assert len({one.headers["Idempotency-Key"] for one in casebook.requests("POST", "/evals")}) == 2

    def test_that_reaches_nobody_is_not_tried_again(self) -> None:
        code, out, err = Casebook(starts=[NO_HOST]).run(*START)
        assert (code, out, err) == (2, "", "No connection: no such host\n")

    def test_takes_the_key_nowhere_else(self) -> None:
        moved = httpx2.Response(301, headers={"Location": "https://elsewhere.example.org/"})
        casebook = Casebook(starts=[moved])
        code, _out, err = casebook.run(*START)
        assert (code, len(casebook.seen)) == (2, 1)
        assert "https://elsewhere.example.org/" in err

"""The list of runs: filters, pages, the panel, and what stands where there is nothing (PL-31)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from activity import places
from activity.models import Run
from activity.queries.runs import RunFilter, listed, runs
from core.limits import LIMITS
from tests.activity.rows import make_agent, make_conversation, make_person, make_run, make_version
from tests.cast import Cast

LIST = "/activity/"
SignIn = Callable[[str], Client]


def questions(page: Any) -> list[str]:
    return [run.question for run in page.context["page"].rows]


@pytest.fixture
def several(cast: Cast) -> dict[str, Run]:
    """Runs that differ in one thing each, the first the newest."""
    support, booking = make_agent(cast), make_agent(cast, "Booking")
    person = make_person(cast.kettle)
    return {
        "plain": make_run(support, "Plain?", minutes=1, person=person, agent_version=make_version(support)),
        "booking": make_run(booking, "Booking?", minutes=2),
        "eval": make_run(support, "Eval?", minutes=3, kind="eval"),
        "failed": make_run(support, "Failed?", minutes=4, status="failed", error="The provider said no."),
        "down": make_run(support, "Down?", minutes=5, rating="down"),
        "old": make_run(support, "Old?", minutes=60 * 24 * 10),
    }


@pytest.mark.spec("PL-31")
def test_the_newest_come_first_with_what_people_look_for(several: dict[str, Run], sign_in: SignIn) -> None:
    page = sign_in("operator").get(LIST)
    assert questions(page) == ["Plain?", "Booking?", "Eval?", "Failed?", "Down?", "Old?"]
    for words in ("Support", "v1", "Production", "Test run", "Completed", "Thumbs down", "$0.02", "120", "1.5 s"):
        assert words in page.content.decode()
    assert page["Cache-Control"] == "no-store"


@pytest.mark.spec("PL-31")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"kind": "eval"}, ["eval"]),
        ({"status": "failed"}, ["failed"]),
        ({"rating": "down"}, ["down"]),
        ({"q": "PLAIN"}, ["plain"]),
        ({"range": "7d"}, ["plain", "booking", "eval", "failed", "down"]),
        ({"range": "7d", "kind": "eval", "status": "failed"}, []),
        ({"kind": "nonsense", "range": "x", "since": "yesterday"}, "all"),
        ({"agent": "nonsense"}, []),
    ],
)
def test_filters_narrow_the_list(several: dict[str, Run], sign_in: SignIn, query: Any, found: Any) -> None:
    expected = list(several) if found == "all" else found
    assert questions(sign_in("owner").get(LIST, query)) == [several[name].question for name in expected]


@pytest.mark.spec("PL-31")
def test_an_agent_and_whole_days_may_be_asked_for(several: dict[str, Run], sign_in: SignIn) -> None:
    owner = sign_in("owner")
    assert questions(owner.get(LIST, {"agent": str(several["booking"].agent_id)})) == ["Booking?"]
    day = timezone.localdate(several["old"].started_at).isoformat()
    assert questions(owner.get(LIST, {"since": day, "until": day})) == ["Old?"]
    after = (timezone.localdate(several["old"].started_at) + timedelta(days=1)).isoformat()
    assert "Old?" not in questions(owner.get(LIST, {"since": after}))


def test_a_filter_swaps_the_table_alone_and_says_where_nothing_fits(several: dict[str, Run], sign_in: SignIn) -> None:
    part = sign_in("owner").get(LIST, {"q": "zeppelin"}, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert "No run fits" in part


@pytest.mark.spec("PL-31")
def test_pages_go_on_and_back_without_a_gap(cast: Cast, sign_in: SignIn) -> None:
    agent = make_agent(cast)
    conversation = make_conversation(agent)
    at = timezone.now()
    Run.objects.bulk_create(
        Run(
            organisation=cast.kettle,
            agent=agent,
            conversation=conversation,
            question=f"Question {number}",
            started_at=at - timedelta(minutes=number // 2),
        )
        for number in range(LIMITS.page_size + 20)
    )
    owner = sign_in("owner")
    first = owner.get(LIST)
    second = owner.get(LIST, {"after": first.context["page"].next})
    whole = questions(first) + questions(second)
    assert len(questions(first)) == LIMITS.page_size
    assert sorted(whole) == sorted(f"Question {number}" for number in range(LIMITS.page_size + 20))
    assert questions(owner.get(LIST, {"before": second.context["page"].previous})) == questions(first)
    assert questions(owner.get(LIST, {"after": "made up"})) == questions(first)


def test_a_page_takes_few_queries_however_many_runs_it_shows(cast: Cast, sign_in: SignIn) -> None:
    for number in range(20):
        agent = make_agent(cast, f"Agent {number}")
        make_run(agent, person=make_person(cast.kettle, f"p{number}"), agent_version=make_version(agent))
    owner = sign_in("owner")
    with CaptureQueriesContext(connection) as captured:
        assert owner.get(LIST).status_code == 200
    assert len(captured) <= 8


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL chooses by what its tables hold")
@pytest.mark.parametrize(
    ("wanted", "index"),
    [
        (RunFilter(), "run_by_time"),
        (RunFilter(kind="eval"), "run_by_kind"),
        (RunFilter(status="failed"), "run_not_completed"),
        (RunFilter(rating="down"), "run_rated"),
        (RunFilter(rating="down", status="failed", agent_id=uuid4()), "run_rated"),
        (RunFilter(agent_id=uuid4()), "run_of_agent"),
    ],
)
def test_each_filter_walks_along_an_index(cast: Cast, wanted: RunFilter, index: str) -> None:
    found = listed(runs(cast.actor("owner"), wanted)).order_by("-started_at", "-id")[:51]
    plan = found.explain()
    assert f"activity_run USING INDEX {index} " in plan
    assert "TEMP B-TREE" not in plan


@pytest.mark.spec("PL-31")
def test_a_row_opens_its_run_in_the_panel(several: dict[str, Run], sign_in: SignIn) -> None:
    owner = sign_in("owner")
    asked = {"run": several["failed"].id_text, "kind": "production"}
    panel = owner.get(LIST, asked, headers={"HX-Request": "true", "HX-Target": "panel"}).content.decode()
    assert 'id="panel"' in panel
    assert "The provider said no." in panel
    assert f"{reverse('run', args=[several['failed'].pk])}?kind=production" in panel
    whole = owner.get(LIST, asked).content.decode()
    assert "<html" in whole
    assert "The provider said no." in whole


def test_a_run_that_is_not_there_leaves_the_list_and_is_said_so(several: dict[str, Run], sign_in: SignIn) -> None:
    for wrong in (str(uuid4()), "nonsense"):
        page = sign_in("owner").get(LIST, {"run": wrong})
        assert "Run not found" in page.content.decode()
        assert len(questions(page)) == len(several)


@pytest.mark.spec("ACC-D11")
def test_nothing_of_another_organisation_is_listed_or_offered(several: dict[str, Run], sign_in: SignIn) -> None:
    page = sign_in("stranger").get(LIST, {"run": several["plain"].id_text})
    assert page.context["page"].rows == []
    assert page.context["agents"] == []
    assert "Run not found" in page.content.decode()


def test_an_empty_list_teaches_the_three_ways_in(cast: Cast, sign_in: SignIn) -> None:
    page = sign_in("owner").get(LIST).content.decode()
    for words in ("Talk to an agent", "/api/v1/runs", "OpenTelemetry"):
        assert words in page


@pytest.mark.spec("DS-156")
def test_a_notice_of_a_later_app_stands_above_and_its_parameter_goes_along(
    several: dict[str, Run], sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "_notices", {})
    places.add_notice(places.ListNotice("good_cases", "dataset", lambda actor: actor.role != "operator"))
    page = sign_in("owner").get(LIST, {"dataset": "x", "kind": "eval"}).content.decode()
    assert f"{reverse('good_cases')}?dataset=x&amp;kind=eval" in page
    assert '<input type="hidden" name="dataset" value="x">' in page
    assert "list-notice" not in sign_in("operator").get(LIST, {"dataset": "x"}).content.decode()
    assert "list-notice" not in sign_in("owner").get(LIST).content.decode()

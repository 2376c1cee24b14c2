"""Agents through the API: made, drafted, published, their secrets, and how each refusal reads (PL-21, PL-41)."""

import json
from datetime import date
from typing import Any

import pytest

from agents.logic.sending_examples import sending_examples
from agents.models import AgentSecret, Helper, Spending
from tests.agents.test_agent_operations import make_model
from tests.api.clients import ApiClient, client_of
from tests.cast import Cast

TOOL = {"name": "find_order", "description": "Finds an order.", "parameters": {}, "read_only": True}


@pytest.fixture
def api(cast: Cast) -> ApiClient:
    return client_of(cast.builder)


@pytest.fixture
def agent(api: ApiClient) -> str:
    made = api.post("/agents", {"kind": "external", "name": "Bot"})
    return f"/agents/{made.json()['id']}"


def put(api: ApiClient, address: str, body: Any, **headers: str) -> Any:
    return api.send("PUT", address, body, **headers)


def fields(response: Any) -> list[str]:
    assert response.status_code == 422
    return [error["field"] for error in response.json()["errors"]]


@pytest.mark.spec("PL-21", "PL-40")
def test_an_agent_is_made_drafted_and_published(cast: Cast, api: ApiClient) -> None:
    made = api.post("/agents", {"kind": "external", "name": "Bot", "visibility": "private"})
    assert made.status_code == 201
    address = made["Location"].removeprefix("/api/v1")
    agent = api.get(address).json()
    assert agent == made.json()
    assert (agent["kind"], agent["version"], agent["draft_revision"], agent["helper"]) == ("external", None, 1, None)
    assert agent["owner"] == {"id": str(cast.builder.pk), "name": "Builder"}
    saved = put(api, f"{address}/draft", {"draft": {"tools": [TOOL]}, "revision": 1})
    assert (saved.status_code, saved.json()["revision"]) == (200, 2)
    published = api.post(f"{address}/versions", {"note": "First", "revision": 2})
    assert published.status_code == 201
    assert published.json()["spec"] == {"tools": [TOOL]}
    assert api.get(f"{address}/versions/1").json() == published.json()
    assert api.get(f"{address}/versions").json()["results"] == [published.json()]
    assert api.get(address).json()["version"] == 1


@pytest.mark.spec("PL-41")
def test_a_wrong_draft_is_422_with_each_path(api: ApiClient, agent: str) -> None:
    wrong = {"tools": [TOOL, TOOL | {"name": "x y"}, TOOL | {"parameters": {"type": "string"}}], "model": None}
    refused = put(api, f"{agent}/draft", {"draft": wrong})
    assert sorted(fields(refused)) == ["model", "tools.1.name", "tools.2.name", "tools.2.parameters.type"]
    assert fields(put(api, f"{agent}/draft", {"draft": []})) == ["draft"]
    assert fields(put(api, f"{agent}/draft", {})) == ["draft"]


@pytest.mark.spec("PL-41")
def test_an_unfinished_draft_is_not_published(api: ApiClient) -> None:
    made = api.post("/agents", {"kind": "endpoint", "name": "Service"}).json()
    assert fields(api.post(f"/agents/{made['id']}/versions", {})) == ["url"]


@pytest.mark.spec("PL-41")
def test_conflicts_have_codes(api: ApiClient, agent: str) -> None:
    put(api, f"{agent}/draft", {"draft": {"tools": [TOOL]}})
    late = put(api, f"{agent}/draft", {"draft": {}, "revision": 1})
    assert (late.status_code, late.json()["code"], late.json()["revision"]) == (409, "draft_changed", 2)
    api.post(f"{agent}/versions", {})
    again = api.post(f"{agent}/versions", {})
    assert (again.status_code, again.json()["code"]) == (409, "nothing_changed")
    assert api.post(f"{agent}/archive").json()["state"] == "archived"
    archived = put(api, f"{agent}/draft", {"draft": {}})
    assert (archived.status_code, archived.json()["code"]) == (409, "agent_archived")
    assert api.post(f"{agent}/restore").json()["state"] == "active"


@pytest.mark.spec("PL-25")
def test_a_budget_is_a_string_or_null(api: ApiClient, agent: str) -> None:
    assert api.patch(agent, {"monthly_budget": "12.50"}).json()["monthly_budget"] == "12.50"
    assert api.patch(agent, {"monthly_budget": None}).json()["monthly_budget"] is None
    for wrong in (12.5, "12.505", "-1", "x"):
        assert fields(api.patch(agent, {"monthly_budget": wrong})) == ["monthly_budget"]


def test_a_write_with_an_old_etag_is_refused(api: ApiClient, agent: str) -> None:
    etag = api.get(agent)["ETag"]
    api.patch(agent, {"name": "Other"})
    assert api.patch(agent, {"name": "Third"}, if_match=etag).status_code == 412
    draft = api.get(f"{agent}/draft")["ETag"]
    put(api, f"{agent}/draft", {"draft": {"tools": [TOOL]}})
    assert put(api, f"{agent}/draft", {"draft": {}}, if_match=draft).status_code == 412


@pytest.mark.spec("PL-22")
def test_secrets_are_named_and_never_given_out(cast: Cast, api: ApiClient, agent: str) -> None:
    assert put(api, f"{agent}/secrets/SHOP", {"value": "s3cr3t-value"}).status_code == 201
    assert put(api, f"{agent}/secrets/SHOP", {"value": "s3cr3t-other"}).status_code == 200
    listed = api.get(f"{agent}/secrets")
    assert [row["name"] for row in listed.json()["results"]] == ["SHOP"]
    everywhere = [listed, api.get(agent), api.get(f"{agent}/draft"), client_of(cast.owner).get("/audit")]
    assert not any("s3cr3t" in answer.content.decode() for answer in everywhere)
    assert fields(put(api, f"{agent}/secrets/two words", {"value": "v"})) == ["name"]
    assert fields(put(api, f"{agent}/secrets/B", {"value": "é"})) == ["value"]
    assert api.delete(f"{agent}/secrets/SHOP").status_code == 204
    assert api.delete(f"{agent}/secrets/SHOP").status_code == 404
    assert not AgentSecret.objects.exists()


@pytest.mark.spec("PL-42")
def test_a_repeated_publication_with_its_key_makes_one_version(api: ApiClient, agent: str) -> None:
    first = api.post(f"{agent}/versions", {}, idempotency_key="one")
    again = api.post(f"{agent}/versions", {}, idempotency_key="one")
    assert (first.status_code, again.status_code, again["Idempotent-Replayed"]) == (201, 201, "true")
    assert again.json() == first.json()


@pytest.mark.spec("BC-47")
def test_the_list_holds_what_the_caller_may_see(cast: Cast, api: ApiClient, agent: str) -> None:
    api.post("/agents", {"kind": "model", "name": "Secret plan", "visibility": "private"})

    def names(client: ApiClient, query: str = "") -> list[str]:
        return [row["name"] for row in client.get(f"/agents{query}").json()["results"]]

    assert names(api) == ["Secret plan", "Bot"]
    assert names(api, "?q=plan") == names(api, "?kind=model") == ["Secret plan"]
    assert names(api, "?state=archived") == []
    assert names(client_of(cast.viewer)) == ["Bot"]
    assert names(client_of(cast.stranger)) == []
    assert names(client_of(cast.builder, ["datasets:view"])) == []


@pytest.mark.spec("PL-32")
def test_the_example_that_an_external_agent_shows_is_taken_as_it_is(api: ApiClient, agent: str) -> None:
    shown = sending_examples(agent.rpartition("/")[2], "https://casebook.example.com/").runs
    assert shown.startswith("curl https://casebook.example.com/api/v1/runs ")
    sent = api.post("/runs", json.loads(shown.partition("-d '")[2].removesuffix("'")))
    assert sent.status_code == 201, sent.content


@pytest.mark.spec("PL-21", "PL-40")
def test_two_versions_are_compared_field_by_field(api: ApiClient, agent: str) -> None:
    put(api, f"{agent}/draft", {"draft": {"tools": [TOOL]}})
    api.post(f"{agent}/versions", {})
    put(api, f"{agent}/draft", {"draft": {"tools": [TOOL | {"description": "Finds one order."}]}})
    api.post(f"{agent}/versions", {})
    changed = {"field": "tools.find_order.description", "before": "Finds an order.", "after": "Finds one order."}
    newest = api.get(f"{agent}/versions/2/changes").json()
    assert newest == {"since": 1, "version": 2, "changes": [changed]}
    back = api.get(f"{agent}/versions/1/changes?since=2").json()
    assert back["changes"] == [changed | {"before": "Finds one order.", "after": "Finds an order."}]
    first = api.get(f"{agent}/versions/1/changes").json()
    assert (first["since"], [change["field"] for change in first["changes"]]) == (0, ["tools.find_order"])
    assert api.get(f"{agent}/versions/1/changes?since=3").status_code == 404
    assert api.get(f"{agent}/versions/3/changes").status_code == 404
    assert fields(api.get(f"{agent}/versions/1/changes?since=x")) == ["since"]


@pytest.mark.spec("PL-21", "PL-40", "PL-41")
def test_a_version_is_restored_into_the_draft(api: ApiClient, agent: str) -> None:
    put(api, f"{agent}/draft", {"draft": {"tools": [TOOL]}})
    api.post(f"{agent}/versions", {})
    put(api, f"{agent}/draft", {"draft": {}})
    late = api.post(f"{agent}/versions/1/restore", {"revision": 2})
    assert (late.status_code, late.json()["code"]) == (409, "draft_changed")
    assert api.post(f"{agent}/versions/2/restore").status_code == 404
    restored = api.post(f"{agent}/versions/1/restore", {"revision": 3})
    assert (restored.status_code, restored.json()["revision"]) == (200, 4)
    assert restored.json()["draft"] == {"tools": [TOOL]}
    assert api.get(f"{agent}/draft").json() == restored.json()


@pytest.mark.spec("PL-25", "PL-40")
def test_what_an_agent_spent_is_listed_month_by_month(api: ApiClient, agent: str) -> None:
    assert api.get(f"{agent}/spending").json()["results"] == []
    agent_id = agent.removeprefix("/agents/")
    for month, usd in ((date(2026, 9, 1), "1.25"), (date(2026, 11, 1), "0.0001")):
        Spending.objects.create(agent_id=agent_id, month=month, usd=usd)
    listed = api.get(f"{agent}/spending?page_size=1").json()
    assert listed["results"] == [{"month": "2026-11", "usd": "0.0001000000"}]
    after = api.get(f"{agent}/spending?{listed['next'].partition('?')[2]}").json()
    assert after["results"] == [{"month": "2026-09", "usd": "1.2500000000"}]


@pytest.mark.spec("GEN-D19", "PL-40")
def test_the_model_of_a_helper_is_read_and_chosen_by_who_manages_the_organisation(cast: Cast, api: ApiClient) -> None:
    manager, model = client_of(cast.admin), make_model(cast, "owner", label="Small")
    listed = {one["helper"]: one for one in manager.get("/helpers").json()["results"]}
    assert set(listed) == set(Helper.values)
    assert listed["improver"]["model"] is None
    chosen = manager.send("PATCH", "/helpers/improver", {"model": str(model.pk)})
    assert (chosen.status_code, chosen.json()["model"]) == (200, str(model.pk))
    assert (
        manager.send("PATCH", "/helpers/improver", {}).json()
        == chosen.json()
        == manager.get("/helpers/improver").json()
    )
    strange = make_model(cast, "stranger")
    assert fields(manager.send("PATCH", "/helpers/improver", {"model": str(strange.pk)})) == ["model"]
    stale = manager.send("PATCH", "/helpers/improver", {"model": None}, If_Match='"other"')
    assert stale.status_code == 412
    assert fields(manager.send("PATCH", "/helpers/judge", {"model": str(model.pk)})) == ["model"]
    assert manager.get("/helpers/nobody").status_code == 404
    assert api.get("/helpers").status_code == 403

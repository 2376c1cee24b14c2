"""Endpoint × caller: who gets which status, and that "not there" and "not yours" are the same bytes (ACC-D9, BC-46)."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest

from accounts.models import ApiKey, Invitation
from accounts.operations.invitations import invite_member
from accounts.operations.sharing import share
from agents.models import Agent
from agents.operations.agent_drafts import read_draft, save_draft
from agents.operations.agent_secrets import set_secret
from agents.operations.agent_versions import publish_agent
from agents.operations.agents import create_agent
from agents.operations.language_models import connect_with_model
from tests.activity.rows import make_agent, make_run
from tests.activity.talks import answered, make_conversation
from tests.api.clients import ApiClient, client_of, expired_key, key_of, revoked_key, stable
from tests.cast import Cast

CONNECTION = {"name": "Own", "provider": "compatible", "base_url": "http://127.0.0.1:9/v1", "key": "k"}
NOUNS = {
    "/members/{}": "member",
    "/invitations/{}": "invitation",
    "/api-keys/{}": "key",
    "/connections/{}": "connection",
    "/models/{}": "model",
    "/agents/{}": "agent",
    "/runs/{}": "run",
    "/conversations/{}": "conversation",
    "/conversations/{}/messages": "conversation",
    "/messages/{}/rating": "message",
}
NOBODY = str(UUID(int=0))
CALLERS = ("nobody", "unknown key", "revoked key", "expired key", "viewer", "owner", "other organisation")
UNKNOWN = (401, 401, 401, 401)

# Method, address, body, and the status for viewer, owner and the owner of the other organisation.
ENDPOINTS: list[tuple[str, str, Any, tuple[int, int, int]]] = [
    ("GET", "/me", None, (200, 200, 200)),
    ("GET", "/organisation", None, (200, 200, 200)),
    ("PATCH", "/organisation", {"name": "New name"}, (403, 200, 200)),
    ("POST", "/runs", {"agent": str(UUID(int=1)), "messages": [{"role": "user"}]}, (404, 404, 404)),
    ("POST", "/feedback", {"idempotency_key": "unknown", "rating": "up"}, (404, 404, 404)),
    ("POST", "/otlp/v1/traces", {}, (200, 200, 200)),
    ("GET", "/members", None, (200, 200, 200)),
    ("GET", "/members/{member}", None, (200, 200, 404)),
    ("PATCH", "/members/{member}", {"role": "operator"}, (403, 200, 404)),
    ("DELETE", "/members/{member}", None, (403, 204, 404)),
    ("GET", "/invitations", None, (403, 200, 200)),
    ("POST", "/invitations", {"email": "new@example.org", "role": "viewer"}, (403, 201, 201)),
    ("DELETE", "/invitations/{invitation}", None, (403, 204, 404)),
    ("GET", "/api-keys", None, (200, 200, 200)),
    ("POST", "/api-keys", {"name": "new"}, (201, 201, 201)),
    ("DELETE", "/api-keys/{key}", None, (404, 204, 404)),
    ("GET", "/audit", None, (403, 200, 200)),
    ("GET", "/skills", None, (200, 200, 200)),
    ("POST", "/skills", {"name": "Tone", "text": "Be kind."}, (403, 201, 201)),
    ("GET", "/knowledge", None, (200, 200, 200)),
    ("POST", "/knowledge", {"name": "Handbook"}, (403, 201, 201)),
    ("GET", "/connections", None, (403, 200, 200)),
    ("POST", "/connections", CONNECTION, (403, 201, 201)),
    ("GET", "/connections/{connection}", None, (404, 200, 404)),
    ("PATCH", "/connections/{connection}", {"name": "Other"}, (404, 200, 404)),
    ("DELETE", "/connections/{connection}", None, (404, 204, 404)),
    ("POST", "/connections/{connection}/models", {"name": "small-2"}, (404, 201, 404)),
    ("GET", "/models", None, (200, 200, 200)),
    ("GET", "/models/{model}", None, (200, 200, 404)),
    ("PATCH", "/models/{model}", {"label": "Other"}, (403, 200, 404)),
    ("POST", "/models/{model}/try", None, (403, 200, 404)),
    ("DELETE", "/models/{model}", None, (403, 204, 404)),
    ("GET", "/agents", None, (200, 200, 200)),
    ("POST", "/agents", {"kind": "model", "name": "New"}, (403, 201, 201)),
    ("GET", "/agents/{agent}", None, (200, 200, 404)),
    ("PATCH", "/agents/{agent}", {"name": "Other", "monthly_budget": "5.00"}, (403, 200, 404)),
    ("GET", "/agents/{agent}/draft", None, (200, 200, 404)),
    ("PUT", "/agents/{agent}/draft", {"draft": {}}, (403, 200, 404)),
    ("GET", "/agents/{agent}/versions", None, (200, 200, 404)),
    ("POST", "/agents/{agent}/versions", {"note": "Next"}, (403, 201, 404)),
    ("GET", "/agents/{agent}/versions/1", None, (200, 200, 404)),
    ("GET", "/agents/{agent}/versions/1/changes", None, (200, 200, 404)),
    ("POST", "/agents/{agent}/versions/1/restore", {}, (403, 200, 404)),
    ("GET", "/agents/{agent}/spending", None, (200, 200, 404)),
    ("GET", "/helpers", None, (403, 200, 200)),
    ("GET", "/helpers/judge", None, (403, 200, 200)),
    ("PATCH", "/helpers/judge", {"model": None}, (403, 200, 200)),
    ("POST", "/agents/{agent}/archive", None, (403, 200, 404)),
    ("POST", "/agents/{agent}/restore", None, (403, 200, 404)),
    ("GET", "/agents/{agent}/secrets", None, (403, 200, 404)),
    ("PUT", "/agents/{agent}/secrets/{secret}", {"value": "v"}, (403, 200, 404)),
    ("DELETE", "/agents/{agent}/secrets/{secret}", None, (403, 204, 404)),
    ("GET", "/agents/{agent}/grants", None, (403, 200, 404)),
    ("POST", "/agents/{agent}/grants", {"member": "{member}", "level": "edit"}, (403, 201, 404)),
    ("GET", "/agents/{agent}/grants/{member}", None, (403, 200, 404)),
    ("DELETE", "/agents/{agent}/grants/{member}", None, (403, 204, 404)),
    ("PUT", "/agents/{agent}/owner", {"member": "{member}"}, (403, 200, 404)),
    ("GET", "/conversations", None, (200, 200, 200)),
    ("POST", "/conversations", {"agent": NOBODY, "input": "Hello"}, (422, 422, 422)),
    ("GET", "/conversations/{conversation}", None, (404, 200, 404)),
    ("PATCH", "/conversations/{conversation}", {"title": "Other"}, (404, 403, 404)),
    ("GET", "/conversations/{conversation}/messages", None, (404, 200, 404)),
    ("POST", "/conversations/{conversation}/messages", {"input": "Hello"}, (404, 403, 404)),
    ("PUT", "/messages/{message}/rating", {"rating": "up"}, (404, 403, 404)),
    ("DELETE", "/messages/{message}/rating", None, (404, 403, 404)),
    ("DELETE", "/conversations/{conversation}", None, (404, 204, 404)),
    ("GET", "/runs", None, (403, 200, 200)),
    ("GET", "/runs/{run}", None, (404, 200, 404)),
    ("DELETE", "/runs/{run}", None, (404, 204, 404)),
]


@pytest.fixture
def ids(cast: Cast) -> dict[str, str]:
    """Ids of things of Kettle & Co that belong to nobody among the callers."""
    key = key_of(cast.builder)
    issued = invite_member(cast.actor("owner"), email="guest@example.org", role="viewer")
    model = connect_with_model(cast.actor("owner"), connection=CONNECTION, model={"name": "small-1"})
    talk = answered(make_conversation(cast.colleague))
    agent = published_agent(cast)
    return {
        "agent": str(agent.pk),
        "secret": "SHOP",
        "connection": str(model.connection_id),
        "model": str(model.pk),
        "conversation": str(talk[0].conversation_id),
        "message": str(talk[1].pk),
        "run": str(make_run(make_agent(cast)).pk),
        "member": str(cast.colleague.pk),
        "invitation": str(issued.invitation.pk),
        "key": str(ApiKey.objects.get(prefix=key[:12]).pk),
    }


def published_agent(cast: Cast) -> Agent:
    """With a version that the draft has gone past, a secret and a grant."""
    owner = cast.actor("owner")
    agent = create_agent(owner, kind="external", name="Bot")
    publish_agent(owner, agent_id=agent.pk)
    tools = {"tools": [{"name": "find_order"}]}
    save_draft(owner, agent_id=agent.pk, spec=read_draft(owner, agent_id=agent.pk, draft=tools))
    set_secret(owner, agent_id=agent.pk, name="SHOP", value="v")
    share(owner, agent, member_id=cast.colleague.pk, level="read")
    return agent


def filled(body: Any, ids: dict[str, str]) -> Any:
    """A body with the id where it names a member, as an address does."""
    return json.loads(json.dumps(body).replace("{member}", ids["member"]))


def caller(cast: Cast, name: str) -> ApiClient:
    make: dict[str, Callable[[], ApiClient]] = {
        "nobody": lambda: ApiClient(),
        "unknown key": lambda: ApiClient("cbk_unknown"),
        "revoked key": lambda: ApiClient(revoked_key(cast.owner)),
        "expired key": lambda: ApiClient(expired_key(cast.owner)),
        "viewer": lambda: client_of(cast.viewer),
        "owner": lambda: client_of(cast.owner),
        "other organisation": lambda: client_of(cast.stranger),
    }
    return make[name]()


@pytest.mark.spec("PL-7", "PL-41", "ACC-D9", "ACC-D11")
@pytest.mark.parametrize(("method", "address", "body", "statuses"), ENDPOINTS, ids=lambda value: str(value)[:40])
def test_each_caller_gets_the_status_of_the_table(
    cast: Cast, ids: dict[str, str], method: str, address: str, body: Any, statuses: tuple[int, int, int]
) -> None:
    for name, expected in zip(CALLERS, UNKNOWN + statuses, strict=True):
        response = caller(cast, name).send(method, address.format(**ids), filled(body, ids))
        assert response.status_code == expected, (name, response.content)
        if expected >= 400:
            assert response["Content-Type"] == "application/json"
            assert isinstance(response.json()["detail"], str)


@pytest.mark.spec("ACC-D9", "ACC-D11")
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "POST", "OPTIONS"])
@pytest.mark.parametrize("address", list(NOUNS))
def test_not_there_not_yours_deleted_and_malformed_are_the_same_bytes(
    cast: Cast, ids: dict[str, str], method: str, address: str
) -> None:
    noun = NOUNS[address]
    api = client_of(cast.stranger)
    gone = client_of(cast.stranger).post("/invitations", {"email": "a@example.org", "role": "viewer"}).json()
    deleted = gone["invitation"]["id"]
    Invitation.objects.filter(pk=deleted).delete()
    tried = [
        ids[noun],
        deleted,
        str(uuid4()),
        "x",
        "1",
        "%00",
        "é",
        ids[noun].upper(),
        ids[noun].replace("-", ""),
        "0" * 400,
    ]
    answers = [stable(api.send(method, address.format(one), {"role": "viewer"})) for one in tried]
    assert all(answer == answers[0] for answer in answers)
    expected = {"OPTIONS": 204}.get(method)
    allowed = answers[0][2]["Allow"].split(", ")
    assert answers[0][0] == (expected or (404 if method in allowed else 405))


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize(
    "path", ["/api/", "/api/v1/", "/api/v1/nope", "/api/v2/me", "/api/v1/me/", "/api/v1/members/x/y"]
)
@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete", "options"])
def test_an_address_that_is_none_is_404_as_json(cast: Cast, client: Any, path: str, method: str) -> None:
    response = getattr(client, method)(path)
    assert (response.status_code, response.json()) == (404, {"detail": "Not found."})
    assert response["Content-Type"] == "application/json"


@pytest.mark.spec("PL-7", "ACC-D12")
def test_a_key_makes_no_key_with_more_than_it_has(cast: Cast) -> None:
    small = client_of(cast.owner, ["datasets:view", "members:manage"])
    refused = small.post("/api-keys", {"name": "more", "permissions": ["datasets:view", "datasets:edit"]})
    assert refused.status_code == 422
    assert [problem["field"] for problem in refused.json()["errors"]] == ["permissions.1"]
    inherited = small.post("/api-keys", {"name": "same"}).json()["api_key"]
    assert inherited["permissions"] == ["datasets:view", "members:manage"]


@pytest.mark.spec("PL-7", "ACC-D12")
def test_a_restricted_key_learns_names_and_addresses_of_others_only_where_it_manages_them(cast: Cast) -> None:
    small, manager = client_of(cast.owner, ["datasets:view"]), client_of(cast.owner, ["members:manage"])
    assert [row["id"] for row in small.get("/members").json()["results"]] == [str(cast.owner.pk)]
    assert small.get(f"/members/{cast.owner.pk}").status_code == 200
    unknown = stable(small.get(f"/members/{uuid4()}"))
    assert stable(small.get(f"/members/{cast.viewer.pk}")) == unknown
    assert len(manager.get("/members").json()["results"]) > 1
    assert len(client_of(cast.viewer).get("/members").json()["results"]) > 1


@pytest.mark.spec("PL-7")
def test_the_secret_is_in_the_answer_that_makes_it_and_nowhere_else(cast: Cast) -> None:
    api = client_of(cast.owner)
    made = api.post("/api-keys", {"name": "new"})
    raw = made.json()["key"]
    assert ApiClient(raw).get("/me").status_code == 200
    assert made["Location"] == f"/api/v1/api-keys/{made.json()['api_key']['id']}"
    for path in ("/api-keys", "/audit", "/me"):
        assert raw not in api.get(path).content.decode()
    assert ApiClient(raw).delete(f"/api-keys/{made.json()['api_key']['id']}").status_code == 204
    assert ApiClient(raw).get("/me").status_code == 401


@pytest.mark.spec("PL-3")
def test_the_last_owner_stays_and_the_answer_says_why_by_code(cast: Cast) -> None:
    refused = client_of(cast.owner).patch(f"/members/{cast.owner.pk}", {"role": "viewer"})
    assert refused.status_code == 409
    assert refused.json()["code"] == "last_owner"


@pytest.mark.spec("PL-1")
def test_an_invitation_is_made_listed_and_revoked(cast: Cast) -> None:
    api = client_of(cast.owner)
    made = api.post("/invitations", {"email": " New@Example.org ", "role": "viewer"}).json()
    assert made["invitation"]["email"] == "new@example.org"
    assert made["link"].startswith("http")
    listed = api.get("/invitations").json()["results"]
    assert listed == [made["invitation"]]
    assert api.delete(f"/invitations/{listed[0]['id']}").status_code == 204
    assert api.get("/invitations").json()["results"] == []


@pytest.mark.spec("PL-8")
def test_the_audit_log_is_filtered_and_of_the_own_organisation_only(cast: Cast) -> None:
    api, other = client_of(cast.owner), client_of(cast.stranger)
    api.patch(f"/members/{cast.viewer.pk}", {"role": "member"})
    api.patch("/organisation", {"name": "New"})
    other.patch("/organisation", {"name": "Elsewhere"})
    whole = api.get("/audit").json()["results"]
    assert [entry["action"] for entry in whole][:2] == ["organisation.renamed", "member.role_changed"]
    assert "Elsewhere" not in str(whole)
    assert whole[1]["object"] == {"type": "member", "id": str(cast.viewer.pk), "label": "Viewer"}

    def count(query: str) -> int:
        return len(api.get(f"/audit?{query}").json()["results"])

    assert count("action=organisation.renamed") == 1
    assert count(f"member={cast.owner.pk}") == len(whole)
    assert count(f"member={cast.viewer.pk}") == 0
    assert count(f"object={cast.viewer.pk}") == 1
    assert count(f"until={whole[1]['at']}") == len(whole) - 2
    assert count(f"since={whole[1]['at']}") == 2

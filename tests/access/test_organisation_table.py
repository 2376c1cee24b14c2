"""Console address × role for what belongs to the organisation, and that no address is left out of a table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.operations.api_keys import issue_api_key
from accounts.operations.invitations import invite_member
from accounts.operations.persons import ensure_person_of_member
from accounts.operations.privacy import erase_person
from agents.operations.language_models import connect_with_model
from tests.access.agent_routes import AGENTS
from tests.access.answer_set_routes import ANSWER_SETS
from tests.access.dataset_routes import API, CONSOLE
from tests.access.eval_endpoints import EVAL_ENDPOINTS
from tests.access.eval_list_pages import EVAL_LIST_PAGES
from tests.access.eval_pages import EVAL_PAGES
from tests.access.expectations import ROLES
from tests.access.knowledge_routes import KNOWLEDGE, SKILLS
from tests.access.score_endpoints import SCORE_ENDPOINTS
from tests.access.score_pages import SCORE_PAGES
from tests.access.test_dataset_table import seen, undone
from tests.activity.rows import make_agent, make_run
from tests.activity.talks import answered, make_conversation
from tests.api.test_access import ENDPOINTS
from tests.cast import Cast
from tests.datasets.answers import make_answer

EVERYBODY = frozenset(ROLES)
READERS_OF_RUNS = frozenset({"owner", "admin", "builder", "operator"})
MANAGERS = frozenset({"owner", "admin"})
CREATORS = frozenset({"owner", "admin", "builder", "member"})
RUN_READERS = frozenset({"owner", "admin", "builder", "operator"})

CONNECTION = {"name": "Own", "provider": "compatible", "base_url": "http://127.0.0.1:9/v1", "key": "k"}


@dataclass(frozen=True)
class Page:
    """A console address, who may use it, and which thing of the organisation it names."""

    method: str
    name: str
    who: frozenset[str]
    thing: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    denied: int = 403

    def ask(self, client: Client, thing_id: Any = None) -> Any:
        path = reverse(self.name, args=[thing_id] if self.thing else [])
        return client.generic(self.method, path) if self.method != "POST" else client.post(path, self.data)


PAGES = (
    Page("GET", "home", EVERYBODY),
    Page("GET", "dashboard", EVERYBODY),
    Page("POST", "markdown_preview", EVERYBODY, data={"text": "**bold**"}),
    Page("GET", "dataset_list", EVERYBODY),
    Page("GET", "dataset_new", CREATORS),
    Page("POST", "dataset_new", CREATORS, data={"name": "New", "visibility": "organisation"}),
    Page("GET", "dataset_name_check", EVERYBODY),
    Page("GET", "import_template", EVERYBODY),
    Page("GET", "good_cases", EVERYBODY),
    Page("GET", "what_deletion_reaches", EVERYBODY),
    Page("GET", "adding_notice", EVERYBODY),
    Page("GET", "cases_without_authors", frozenset({"owner"})),
    Page("GET", "erasure_cases", frozenset({"owner"}), "erasure"),
    Page("GET", "answer_cases", CREATORS, "answer"),
    Page("GET", "answer_add", CREATORS, "answer"),
    Page("POST", "answer_add", CREATORS, "answer", {"name": "Answers", "keep_as": "reference_answer"}),
    Page("GET", "answer_rated", CREATORS, "answer"),
    Page("GET", "my_account", EVERYBODY),
    Page("POST", "my_preferences", EVERYBODY, data={"theme": "dark"}),
    Page("POST", "my_export", EVERYBODY),
    Page("POST", "my_tour", EVERYBODY, data={"state": "dismissed"}),
    Page("GET", "permission_list", EVERYBODY),
    Page("GET", "organisation_new", frozenset({"owner"})),
    Page("GET", "organisation_leave", EVERYBODY),
    Page("GET", "api_key_list", EVERYBODY),
    Page("GET", "api_key_new", EVERYBODY),
    Page("GET", "organisation", MANAGERS),
    Page("POST", "organisation", MANAGERS, data={"name": "New name"}),
    Page("GET", "organisation_limits", MANAGERS),
    Page("POST", "organisation_limits", MANAGERS, data={"monthly_budget": "10", "retention_days": ""}),
    Page("GET", "member_list", MANAGERS),
    Page("GET", "invitation_list", MANAGERS),
    Page("GET", "invitation_new", MANAGERS),
    Page("POST", "invitation_new", MANAGERS, data={"email": "new@example.org", "role": "viewer"}),
    Page("GET", "person_request_list", MANAGERS),
    Page("GET", "audit_list", MANAGERS),
    Page("POST", "audit_export", MANAGERS),
    Page("GET", "member_role", MANAGERS, "member"),
    Page("POST", "member_role", MANAGERS, "member", {"role": "operator"}),
    Page("GET", "member_remove", MANAGERS, "member"),
    Page("POST", "member_remove", MANAGERS, "member"),
    Page("GET", "member_erase", MANAGERS, "member"),
    Page("POST", "member_export", MANAGERS, "member"),
    Page("POST", "invitation_revoke", MANAGERS, "invitation"),
    Page("GET", "chat", EVERYBODY - {"viewer"}),
    Page("GET", "conversation", READERS_OF_RUNS, "conversation", denied=404),
    Page("GET", "conversation_answer", READERS_OF_RUNS, "message", denied=404),
    Page("GET", "skill_list", EVERYBODY),
    Page("GET", "skill_new", CREATORS),
    Page("POST", "skill_new", CREATORS, data={"name": "New", "text": "Be kind.", "visibility": "organisation"}),
    Page("GET", "knowledge_list", EVERYBODY),
    Page("GET", "knowledge_new", CREATORS),
    Page("POST", "knowledge_new", CREATORS, data={"name": "New", "visibility": "organisation"}),
    Page("GET", "agent_list", EVERYBODY),
    Page("GET", "agent_new", MANAGERS | {"builder"}),
    Page("POST", "agent_new", MANAGERS | {"builder"}, data={"name": "New", "kind": "model", "visibility": "private"}),
    Page("GET", "connection_list", MANAGERS),
    Page("GET", "connection_new", MANAGERS),
    Page("POST", "connection_new", MANAGERS, data=CONNECTION | {"name": "small-1"}),
    Page("GET", "connection_edit", MANAGERS, "connection", denied=404),
    Page("POST", "connection_edit", MANAGERS, "connection", CONNECTION, denied=404),
    Page("GET", "connection_remove", MANAGERS, "connection", denied=404),
    Page("POST", "connection_remove", MANAGERS, "connection", denied=404),
    Page("GET", "model_new", MANAGERS, "connection", denied=404),
    Page("POST", "model_new", MANAGERS, "connection", {"name": "small-2"}, denied=404),
    Page("GET", "model_edit", MANAGERS, "model"),
    Page("POST", "model_edit", MANAGERS, "model", {"name": "small-1", "label": "Small"}),
    Page("GET", "model_remove", MANAGERS, "model"),
    Page("POST", "model_remove", MANAGERS, "model"),
    Page("POST", "model_try", MANAGERS, "model"),
    Page("GET", "run_list", RUN_READERS),
    Page("GET", "run", RUN_READERS, "run", denied=404),
    Page("GET", "run_json", RUN_READERS, "run", denied=404),
    Page("GET", "run_score", RUN_READERS, "run", denied=404),
    # A key that is another member's is not known to exist.
    Page("GET", "api_key_revoke", MANAGERS, "key", denied=404),
    Page("POST", "api_key_revoke", MANAGERS, "key", denied=404),
)

# What needs no member: the way in, signs of life, and what the API's own table holds.
OPEN = {"healthz", "readyz", "set_up", "invitation_accept", "api_schema", "api_docs", "api_docs_script", "^api/"}
ELSEWHERE = {
    "grading_model": "tests/scoring/test_grading_page.py: datasets:edit on the dataset and connections:manage",
    "agent_helper_model": "tests/agents/test_helper_models.py: of a helper, by organisation:manage",
    "api_helper": "tests/api/test_access.py: a helper by its name, with organisation:manage",
    "run_delete": "tests/activity: 404 where runs are not read, 403 where they are",
    "conversation_rename": "tests/activity/test_conversation_pages.py: by whose conversation it is",
    "conversation_visibility": "tests/activity/test_conversation_pages.py: by whose conversation it is",
    "conversation_delete": "tests/activity/test_conversation_pages.py: by whose conversation it is, or privacy:manage",
    "answer_rating": "tests/activity/test_ratings_pages.py: by whose conversation it is",
    "organisation_switch": "tests/accounts: by membership and not by role",
    "api_datasets": "tests/datasets: lists what the caller may see, and who may create",
    "api_import_template": "tests/datasets: the same file for everybody",
    "person_export_file": "tests/accounts: the person's own or privacy:manage",
}


@pytest.fixture
def things(cast: Cast) -> dict[str, Any]:
    """Ids of a member, an invitation and a key that belong to none of the six who ask; a connection and its model."""
    owner, colleague = cast.actor("owner"), cast.actor("colleague")
    model = connect_with_model(owner, connection=CONNECTION, model={"name": "small-1"})
    talk = answered(make_conversation(cast.colleague))
    return {
        "conversation": talk[0].conversation_id,
        "message": talk[1].pk,
        "run": make_run(make_agent(cast)).pk,
        "connection": model.connection_id,
        "model": model.pk,
        "member": cast.colleague.pk,
        "erasure": erase_person(owner, person_id=ensure_person_of_member(cast.both).pk).pk,
        "answer": make_answer(cast, owner=cast.colleague, visibility="organisation").message.pk,
        "invitation": invite_member(owner, email="guest@example.org", role="viewer").invitation.pk,
        "key": issue_api_key(colleague, name="mine").api_key.pk,
    }


@pytest.mark.spec("PL-4", "PL-6", "PL-8", "ACC-D3")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.method} {page.name}")
def test_each_role_gets_what_the_table_says(
    page: Page, things: dict[str, Any], sign_in: Callable[[str], Client]
) -> None:
    wrong = []
    for role in ROLES:
        with undone():
            answered = page.ask(sign_in(role), things.get(page.thing)).status_code
        if not (answered < 400 if role in page.who else answered == page.denied):
            wrong.append(f"{role}: {answered}")
    assert wrong == []


@pytest.mark.spec("ACC-D11")
@pytest.mark.parametrize("page", [page for page in PAGES if page.thing], ids=lambda page: f"{page.method} {page.name}")
def test_a_thing_of_another_organisation_answers_as_one_that_is_not_there(
    page: Page, things: dict[str, Any], sign_in: Callable[[str], Client]
) -> None:
    stranger = sign_in("stranger")
    missing = seen(page.ask(stranger, uuid4()))
    assert missing[0] == 404
    assert seen(page.ask(stranger, things[page.thing])) == missing


@pytest.mark.spec("PL-2")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.method} {page.name}")
def test_nobody_gets_past_the_login(page: Page, things: dict[str, Any]) -> None:
    response = page.ask(Client(), things.get(page.thing))
    assert response.status_code == 302
    assert response["Location"].startswith("/account/login/")


@pytest.mark.spec("PL-6", "ACC-D10")
def test_every_address_stands_in_a_table() -> None:
    held = {route.name for route in (*API, *CONSOLE, *SKILLS, *KNOWLEDGE, *AGENTS)} | {page.name for page in PAGES}
    held |= OPEN | set(ELSEWHERE) | {route.name for route in ANSWER_SETS} | {page.name for page in SCORE_PAGES}
    held |= {endpoint.name for endpoint in SCORE_ENDPOINTS} | {page.name for page in (*EVAL_PAGES, *EVAL_LIST_PAGES)}
    held |= {endpoint.name for endpoint in EVAL_ENDPOINTS}
    walked = {reverse_of(address) for _method, address, _body, _statuses in ENDPOINTS}
    missing = {
        name: address
        for name, address in addresses(get_resolver().url_patterns)
        if name not in held and simplified(address) not in walked
    }
    assert missing == {}, "add the new address to a table of tests/access or tests/api/test_access.py"


def addresses(patterns: list[Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Name and address of every pattern but the admin and allauth, which have their own rules."""
    for pattern in patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver) and not address.startswith(("admin/", "account/")):
            yield from addresses(pattern.url_patterns, address)
        elif isinstance(pattern, URLPattern):
            yield pattern.name or address, address


def simplified(address: str) -> str:
    """An address as the API's table writes it, with every argument as `{}`."""
    parts = ["{}" if part.startswith("<") else part for part in address.removeprefix("api/v1").split("/")]
    return "/".join(parts)


def reverse_of(address: str) -> str:
    return "/".join("{}" if part.startswith("{") else part for part in address.split("/"))

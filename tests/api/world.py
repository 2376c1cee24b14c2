"""Something of every kind that an address of the API names, so that tests can walk the whole schema."""

from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from core.api.views import schema
from datasets.models import Dataset
from tests.activity.rows import make_agent, make_run
from tests.activity.talks import answered, make_conversation
from tests.api.clients import PREFIX, ApiClient, client_of
from tests.cast import Cast
from tests.evals.world import ended_run

WRITES = ("post", "put", "patch", "delete")


@dataclass(frozen=True)
class Operation:
    """One method at one address of the schema."""

    method: str
    address: str
    described: dict[str, Any]

    def path(self, ids: dict[str, str]) -> str:
        return self.address.format(**ids)

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.address}"


def operations(*methods: str) -> list[Operation]:
    """Every operation of the schema with one of these methods, in order; all methods without any."""
    found = []
    for address, by_method in schema()["paths"].items():
        for method, described in by_method.items():
            if not methods or method in methods:
                found.append(Operation(method, address.removeprefix(PREFIX), described))
    return found


def make_world(cast: Cast, owner: str = "owner") -> tuple[ApiClient, dict[str, str]]:
    """The owner's client, and an id of a thing that exists for each parameter of an address."""
    api = client_of(cast.members[owner])
    colleague = "colleague" if owner == "owner" else "both_elsewhere"
    invitation = api.post("/invitations", {"email": "guest@example.org", "role": "viewer"}).json()
    key = api.post("/api-keys", {"name": "other"}).json()
    dataset = api.post("/datasets", {"name": "Questions"}).json()
    case = api.post(f"/datasets/{dataset['id']}/cases", {"input": "Where is my order?", "reference_answer": "Here."})
    member_id = str(cast.members[colleague].pk)
    api.post(f"/datasets/{dataset['id']}/grants", {"member": member_id, "level": "read"})
    connection = api.post("/connections", {"name": "Own", "provider": "compatible", "base_url": "http://127.0.0.1:9"})
    model = api.post(f"/connections/{connection.json()['id']}/models", {"name": "small-1"})
    agent = api.post("/agents", {"kind": "external", "name": "Shop bot"}).json()
    api.post(f"/agents/{agent['id']}/versions", {})
    api.post(f"/agents/{agent['id']}/grants", {"member": member_id, "level": "read"})
    api.send("PUT", f"/agents/{agent['id']}/secrets/SHOP", {"value": "s3cr3t"})
    talk = answered(make_conversation(cast.members[owner]))
    skill = api.post("/skills", {"name": "Handing over", "text": "Offer a colleague."}).json()
    knowledge = api.post("/knowledge", {"name": "Handbook"}).json()
    for thing in (f"/skills/{skill['id']}", f"/knowledge/{knowledge['id']}"):
        api.post(f"{thing}/grants", {"member": member_id, "level": "read"})
    document = send_document(api, knowledge["id"], "warranty.md", b"# Warranty\nTwo years.\n").json()
    run = make_run(make_agent(cast, owner=cast.members[owner]))
    checked = {"input": "How long is it?", "checks": [{"type": "contains", "value": "way"}]}
    other = api.post(f"/datasets/{dataset['id']}/cases", checked).json()
    score = api.post(f"/datasets/{dataset['id']}/scores", {"run_id": str(run.pk), "case_id": other["id"]})
    answers = [{"case_id": other["id"], "answer": "On its way."}]
    stored = api.post(f"/datasets/{dataset['id']}/answer-sets", {"label": "Old bot", "answers": answers}).json()
    tested = ended_run(Dataset.objects.get(pk=dataset["id"]), run.agent, cast.members[owner])
    return api, {
        "eval_id": str(tested.pk),
        "answer_set_id": stored["id"],
        "score_id": score.json()["id"],
        "skill_id": skill["id"],
        "knowledge_id": knowledge["id"],
        "document_id": document["id"],
        "agent_id": agent["id"],
        "secret_name": "SHOP",
        "connection_id": connection.json()["id"],
        "model_id": model.json()["id"],
        "conversation_id": str(talk[0].conversation_id),
        "message_id": str(talk[1].pk),
        "run_id": str(run.pk),
        "member_id": member_id,
        "invitation_id": invitation["invitation"]["id"],
        "key_id": key["api_key"]["id"],
        "dataset_id": dataset["id"],
        "case_id": case.json()["id"],
        "helper": "judge",
        "number": "1",
    }


def send_document(api: ApiClient, knowledge_id: str, name: str, data: bytes) -> Any:
    """Add a file to a knowledge base; the response."""
    body = encode_multipart(BOUNDARY, {"file": SimpleUploadedFile(name, data)})
    path = f"/knowledge/{knowledge_id}/documents"
    return api.send("POST", path, raw=body, **{"content-type": MULTIPART_CONTENT})

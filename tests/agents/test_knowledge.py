"""Knowledge bases and their documents: operations, pages, endpoints (PL-24)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import AuditEntry
from agents.models import Agent, Document, KnowledgeBase, Passage
from agents.operations import documents
from agents.operations.documents import add_documents, prepare_document, remove_document
from agents.operations.knowledge import change_knowledge_base, create_knowledge_base, delete_knowledge_base
from agents.queries.knowledge import agents_reading, knowledge_to_choose
from core.errors import Conflict, Invalid, NotAllowed, NotFound, TooLarge
from core.limits import LIMITS
from tests.agents.documents import add, make_base, pdf
from tests.api.clients import client_of
from tests.api.world import send_document
from tests.cast import Cast
from tests.datasets.pages import PART, text

SignIn = Callable[[str], Client]


@pytest.fixture
def base(cast: Cast) -> KnowledgeBase:
    return make_base(cast)


@pytest.fixture
def page(base: KnowledgeBase) -> str:
    return f"/knowledge/{base.pk}/"


def upload(*files: tuple[str, bytes]) -> dict[str, Any]:
    return {"files": [SimpleUploadedFile(name, data) for name, data in files]}


# --- Operations


@pytest.mark.spec("PL-24", "PL-5")
def test_a_base_is_made_changed_and_deleted_by_who_may(cast: Cast, base: KnowledgeBase) -> None:
    for name in ("operator", "viewer"):
        with pytest.raises(NotAllowed):
            create_knowledge_base(cast.actor(name), name="No")
        with pytest.raises(NotAllowed):
            delete_knowledge_base(cast.actor(name), knowledge_base_id=base.pk)
    with pytest.raises(NotFound):
        change_knowledge_base(cast.actor("stranger"), knowledge_base_id=base.pk, changes={"name": "Mine"})
    with pytest.raises(Invalid):
        change_knowledge_base(cast.actor("builder"), knowledge_base_id=base.pk, changes={"name": ""})
    changed = change_knowledge_base(
        cast.actor("builder"), knowledge_base_id=base.pk, changes={"name": "New", "visibility": "private"}
    )
    assert (changed.name, changed.visibility) == ("New", "private")
    delete_knowledge_base(cast.actor("builder"), knowledge_base_id=base.pk)
    assert not Document.objects.exists()
    assert not Passage.objects.exists()
    entry = AuditEntry.objects.get(action="knowledgebase.deleted")
    assert entry.details == {"documents": 1, "passages": 3}


@pytest.mark.spec("PL-24")
def test_a_document_is_counted_with_its_passages_and_uncounted_with_them(cast: Cast, base: KnowledgeBase) -> None:
    assert (base.document_count, base.passage_count) == (1, 3)
    added = add(cast, base, "terms.pdf", pdf("Page one.", "Page two."))
    base.refresh_from_db()
    assert (base.document_count, base.passage_count) == (2, 4)
    assert (added.kind, added.pages, added.passage_count, added.added_by) == ("pdf", 2, 1, cast.owner)
    remove_document(cast.actor("builder"), knowledge_base_id=base.pk, document_id=added.pk)
    base.refresh_from_db()
    assert (base.document_count, base.passage_count) == (1, 3)
    with pytest.raises(NotFound):
        remove_document(cast.actor("builder"), knowledge_base_id=base.pk, document_id=added.pk)


@pytest.mark.spec("PL-24")
def test_the_same_content_twice_is_refused_by_the_name_of_the_one_there(cast: Cast, base: KnowledgeBase) -> None:
    add(cast, base, "faq.txt", "Same")
    with pytest.raises(Conflict, match=r"“faq\.txt”") as caught:
        add(cast, base, "copy.txt", "Same")
    assert caught.value.code == "same_document"
    other = create_knowledge_base(cast.actor("builder"), name="Other")
    assert add(cast, other, "copy.txt", "Same").name == "copy.txt"


@pytest.mark.spec("PL-24")
def test_a_full_base_takes_no_more(cast: Cast, base: KnowledgeBase) -> None:
    KnowledgeBase.objects.filter(pk=base.pk).update(document_count=LIMITS.documents)
    with pytest.raises(Conflict) as caught:
        add(cast, base, "more.txt", "More")
    assert caught.value.code == "document_limit"


@pytest.mark.spec("PL-24", "ACC-D9")
def test_a_file_is_not_read_for_who_may_not_add_it(cast: Cast, base: KnowledgeBase) -> None:
    for name, error in (("viewer", NotAllowed), ("stranger", NotFound)):
        with pytest.raises(error):
            prepare_document(cast.actor(name), knowledge_base_id=base.pk, name="a.txt", data=b"x")
    with pytest.raises(TooLarge):
        prepare_document(
            cast.actor("builder"), knowledge_base_id=base.pk, name="a", data=b"x" * (LIMITS.document_bytes + 1)
        )


@pytest.mark.parametrize(
    ("given", "kept"),
    [("C:\\files\\a b.txt", "a b.txt"), ("../../etc/passwd", "passwd"), ("x" * 300 + ".md", "x" * 197 + ".md")],
)
def test_a_document_is_called_by_the_last_part_of_its_name(
    cast: Cast, base: KnowledgeBase, given: str, kept: str
) -> None:
    prepared = prepare_document(cast.actor("builder"), knowledge_base_id=base.pk, name=given, data=b"x")
    assert prepared.name == kept


def test_a_document_without_a_name_is_refused(cast: Cast, base: KnowledgeBase) -> None:
    with pytest.raises(Invalid):
        prepare_document(cast.actor("builder"), knowledge_base_id=base.pk, name="/", data=b"x")


def test_files_after_the_time_of_one_request_are_refused_unread(
    cast: Cast, base: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "SECONDS_A_REQUEST", -1.0)
    (outcome,) = add_documents(cast.actor("builder"), knowledge_base_id=base.pk, files=[("a.txt", b"x")])
    assert outcome.refusal.startswith("Not read")


@pytest.mark.spec("PL-24")
def test_agents_that_read_a_base_are_those_whose_draft_names_it(cast: Cast, base: KnowledgeBase) -> None:
    given = {"organisation": cast.kettle, "owner": cast.builder, "kind": "model"}
    reader = Agent.objects.create(name="Reader", draft={"knowledge": [str(base.pk)]}, **given)
    Agent.objects.create(name="Not", draft={"knowledge": [], "instructions": f'see "{base.pk}"'}, **given)
    assert agents_reading(cast.actor("viewer"), base) == [reader]
    assert list(knowledge_to_choose(cast.actor("viewer"))) == [base]
    assert list(knowledge_to_choose(cast.actor("stranger"))) == []


# --- Pages


@pytest.mark.spec("PL-24")
def test_the_list_counts_what_each_holds(
    cast: Cast, base: KnowledgeBase, sign_in: SignIn, django_assert_max_num_queries: Any
) -> None:
    for number in range(20):
        create_knowledge_base(cast.actor("builder"), name=f"Base {number}")
    browser = sign_in("builder")
    with django_assert_max_num_queries(14):
        shown = text(browser.get("/knowledge/"))
    assert "21 knowledge bases" in shown
    part = browser.get("/knowledge/?q=HAND", headers=PART)
    assert text(part).strip().startswith('<div id="knowledge">')
    assert "1 knowledge base" in text(part)
    assert "No knowledge base has" in text(browser.get("/knowledge/?q=nothing"))


def test_an_empty_list_teaches(cast: Cast, sign_in: SignIn) -> None:
    assert "Let agents look things up" in text(sign_in("viewer").get("/knowledge/"))


@pytest.mark.spec("PL-24")
def test_files_are_added_and_what_is_refused_is_named_with_its_reason(
    cast: Cast, base: KnowledgeBase, page: str, sign_in: SignIn
) -> None:
    browser = sign_in("builder")
    added = browser.post(f"{page}documents/new/", upload(("a.txt", b"One."), ("b.md", b"# Two\ntext")), follow=True)
    assert "2 documents are added, in 2 passages." in text(added)
    mixed = browser.post(
        f"{page}documents/new/", upload(("c.txt", b"Three."), ("bad.bin", b"\xff\xfe\x00"), ("copy.txt", b"One.")),
        headers=PART,
    )  # fmt: skip
    assert mixed.status_code == 422
    shown = text(mixed)
    assert "saved as UTF-16" in shown
    assert "The same content is there already, as “a.txt”." in shown
    assert "Added, in 1 passage" in shown
    assert sorted(Document.objects.values_list("name", flat=True)) == ["a.txt", "b.md", "c.txt", "handbook.md"]
    assert "Choose 1 to 20 files." in text(browser.post(f"{page}documents/new/", headers=PART))
    many = upload(*[(f"{number}.txt", b"%d" % number) for number in range(21)])
    assert browser.post(f"{page}documents/new/", many).status_code == 422


@pytest.mark.spec("PL-24")
def test_the_page_lists_documents_and_searches_passages_with_the_words_marked(
    cast: Cast, base: KnowledgeBase, page: str, sign_in: SignIn, django_assert_max_num_queries: Any
) -> None:
    for number in range(20):
        add(cast, base, f"d{number}.txt", f"Document {number} about kettles.")
    browser = sign_in("viewer")
    with django_assert_max_num_queries(14):
        shown = text(browser.get(page))
    assert "21 documents" in shown
    assert "Add documents" not in shown
    part = text(browser.get(f"{page}?q=HANDBOOK", headers=PART))
    assert "1 document" in part
    with django_assert_max_num_queries(25):
        found = text(browser.get(f"{page}?tab=search&q=how+long+is+the+warranty"))
    assert "<mark>warranty</mark>" in found
    assert "Handbook › Warranty" in found
    assert "No passage holds a word of" in text(browser.get(f"{page}?tab=search&q=bicycle"))
    assert "&lt;script&gt;" in text(browser.get(f"{page}?tab=search&q=<script>"))


@pytest.mark.spec("PL-24")
def test_a_document_shows_its_passages_with_heading_and_page(
    cast: Cast, base: KnowledgeBase, page: str, sign_in: SignIn
) -> None:
    document = add(cast, base, "terms.pdf", pdf("Warranty terms.", "Return terms."))
    shown = text(sign_in("viewer").get(f"{page}documents/{document.pk}/"))
    assert "Return terms." in shown
    assert "page 1" in shown
    assert "Remove document" not in shown
    elsewhere = make_base(cast, by="owner")
    assert sign_in("owner").get(f"/knowledge/{elsewhere.pk}/documents/{document.pk}/").status_code == 404


@pytest.mark.spec("PL-24")
def test_removing_and_deleting_say_numbers_first(cast: Cast, base: KnowledgeBase, page: str, sign_in: SignIn) -> None:
    browser = sign_in("builder")
    document = base.documents.get()
    asked = text(browser.get(f"{page}documents/{document.pk}/remove/", headers=PART))
    assert "Agents no longer find its 3 passages." in asked
    asked = text(browser.get(f"{page}delete/", headers=PART))
    assert '<dt>Documents</dt><dd class="number">1</dd><dt>Passages</dt><dd class="number">3</dd>' in asked
    assert browser.post(f"{page}delete/", {"name": "wrong"}).status_code == 422
    assert browser.post(f"{page}delete/", {"name": "Handbook"})["Location"] == "/knowledge/"
    empty = create_knowledge_base(cast.actor("builder"), name="Empty")
    assert browser.post(f"/knowledge/{empty.pk}/delete/")["Location"] == "/knowledge/"
    assert not KnowledgeBase.objects.exists()


@pytest.mark.spec("PL-24")
def test_a_base_is_named_and_renamed(cast: Cast, sign_in: SignIn) -> None:
    browser = sign_in("member")
    assert browser.post("/knowledge/new/", {"name": ""}, headers=PART).status_code == 422
    made = browser.post("/knowledge/new/", {"name": "Shop", "visibility": "private"})
    base = KnowledgeBase.objects.get()
    assert made["Location"] == f"/knowledge/{base.pk}/"
    assert "No documents yet" in text(browser.get(f"/knowledge/{base.pk}/"))
    browser.post(f"/knowledge/{base.pk}/details/", {"name": "Shop handbook", "description": "All of it"})
    base.refresh_from_db()
    assert (base.name, base.description) == ("Shop handbook", "All of it")


# --- API


@pytest.mark.spec("PL-40", "PL-41", "PL-42")
def test_knowledge_through_the_api(cast: Cast) -> None:
    api = client_of(cast.member)
    made = api.post("/knowledge", {"name": "Handbook", "visibility": "private"})
    here = made["Location"].removeprefix("/api/v1")
    base_id = made.json()["id"]
    sent = send_document(api, base_id, "warranty.md", b"# Warranty\nTwo years for every kettle.\n")
    assert sent.status_code == 201
    assert (sent.json()["kind"], sent.json()["passage_count"], sent.json()["pages"]) == ("markdown", 1, None)
    again = send_document(api, base_id, "copy.md", b"# Warranty\nTwo years for every kettle.\n")
    assert (again.status_code, again.json()["code"]) == (409, "same_document")
    assert again.json()["document"] == sent.json()["id"]
    bad = send_document(api, base_id, "bad.txt", b"a\xff")
    assert (bad.status_code, bad.json()["errors"][0]["field"]) == (422, "file")
    assert "byte 2" in bad.json()["errors"][0]["message"]
    found = api.get(f"{here}/search?q=how+long+is+the+warranty").json()["results"]
    assert (found[0]["heading"], found[0]["document"]["name"]) == ("Warranty", "warranty.md")
    assert api.get(f"{here}/search").json()["errors"][0]["field"] == "q"
    document = f"{here}/documents/{sent.json()['id']}"
    assert api.get(f"{document}/passages").json()["results"][0]["text"] == "Two years for every kettle."
    assert api.get(here).json()["document_count"] == 1
    assert api.patch(here, {"description": "All"}).json()["description"] == "All"
    assert client_of(cast.viewer).get(f"{here}/search?q=warranty").status_code == 404
    assert api.delete(document).status_code == 204
    assert api.get(document).status_code == 404
    assert api.delete(here).status_code == 204


@pytest.mark.spec("PL-42")
def test_a_document_sent_twice_with_the_same_key_is_added_once(cast: Cast, base: KnowledgeBase) -> None:
    from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

    api = client_of(cast.builder)
    body = encode_multipart(BOUNDARY, {"file": SimpleUploadedFile("tea.txt", b"Oolong")})
    headers = {"content-type": MULTIPART_CONTENT, "Idempotency-Key": "one"}
    first, second = (api.send("POST", f"/knowledge/{base.pk}/documents", raw=body, **headers) for _turn in range(2))
    assert first.json() == second.json()
    assert second["Idempotent-Replayed"] == "true"
    assert Document.objects.filter(name="tea.txt").count() == 1

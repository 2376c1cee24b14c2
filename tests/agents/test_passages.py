"""Documents read, cut into passages and found again, the same on both databases (PL-24)."""

import zlib
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.logic.cutting import cut
from agents.logic.documents import Section, UnreadableDocument, read_document
from agents.models import KnowledgeBase, Passage
from agents.operations.documents import remove_document
from agents.operations.knowledge import create_knowledge_base
from agents.queries.passages import search_knowledge
from core import full_text
from core.limits import LIMITS
from tests.agents.documents import WARRANTY, add, make_base, pdf
from tests.cast import Cast


def refusal(name: str, data: bytes) -> str:
    with pytest.raises(UnreadableDocument) as caught:
        read_document(name, data)
    return caught.value.problem.text % caught.value.problem.values


# --- What a file is


@pytest.mark.spec("PL-24")
def test_a_document_is_what_its_content_says() -> None:
    assert read_document("a.md", b"# One\ntext").kind == "markdown"
    assert read_document("a.txt", b"# One\ntext").kind == "text"
    assert read_document("a.txt", pdf("Hello")).kind == "pdf"
    assert read_document("a.pdf", b"no PDF at all").kind == "text"
    assert read_document("a.txt", "\ufeffz".encode()).sections == (Section("z"),)


@pytest.mark.spec("PL-24")
@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b" \n\t", "is empty"),
        (b"ok\nb\xffd", "byte 5, in line 2"),
        (b"PK\x03\x04\x00rest", "byte 5, in line 1"),
        ("text".encode("utf-16"), "saved as UTF-16"),
        (b"%PDF-1.4 and nothing more", "damaged"),
        (pdf(""), "no text"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(data: bytes, words: str) -> None:
    assert words in refusal("a.txt", data)


@pytest.mark.spec("PL-24")
def test_a_file_over_the_limit_is_refused() -> None:
    assert "larger than 10,485,760 bytes" in refusal("a.txt", b"a" * (LIMITS.document_bytes + 1))


@pytest.mark.spec("PL-24")
def test_the_pages_of_a_pdf_are_known() -> None:
    read = read_document("a.pdf", pdf("First page", "", "Third page"))
    assert [(section.text.strip(), section.page) for section in read.sections] == [("First page", 1), ("Third page", 3)]
    assert read.pages == 3


@pytest.mark.spec("PL-24")
def test_a_pdf_with_a_password_is_refused_and_one_that_opens_without_is_read(tmp_path: Any) -> None:
    from io import BytesIO

    from pypdf import PdfReader, PdfWriter

    def encrypted(password: str) -> bytes:
        writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf("Secret"))))
        writer.encrypt(user_password=password, owner_password="owner", algorithm="AES-256")
        out = BytesIO()
        writer.write(out)
        return out.getvalue()

    assert "password" in refusal("a.pdf", encrypted("user"))
    assert read_document("a.pdf", encrypted("")).sections[0].text.strip() == "Secret"


@pytest.mark.spec("PL-24")
def test_a_pdf_that_unpacks_to_more_than_fits_is_refused_and_harms_nobody() -> None:
    bomb = zlib.compress(b"BT (a) Tj ET " * 30_000_000, 9)
    page = pdf("x")
    drawn = b"BT /F1 12 Tf 72 720 Td (x) Tj ET"
    old = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn)
    assert old in page
    packed = page.replace(old, b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(bomb), bomb))
    assert refusal("a.pdf", packed)


# --- How it is cut


@pytest.mark.spec("PL-24")
def test_markdown_is_cut_by_headings_that_stand_with_their_passages() -> None:
    passages = cut(read_document("a.md", WARRANTY.encode()).sections)
    assert [passage.heading for passage in passages] == ["Handbook", "Handbook › Warranty", "Handbook › Zwroty"]
    assert passages[1].text == "The warranty lasts two years. It covers the battery."


def test_a_heading_in_code_is_none_and_one_without_text_is_text() -> None:
    found = cut(read_document("a.md", b"```\n# no heading\n```\n# Alone\n# Parent\n## Child\nText\n").sections)
    assert [(passage.heading, passage.text) for passage in found] == [
        ("", "```\n# no heading\n```"),
        ("Alone", "Alone"),
        ("Parent › Child", "Text"),
    ]


def test_a_passage_repeats_the_last_sentences_of_the_one_before() -> None:
    sentences = [f"This is sentence number {number} of a long text about kettles." for number in range(100)]
    passages = cut([Section(" ".join(sentences))])
    assert len(passages) > 3
    for before, after in pairwise(passages):
        first = after.text.split(". ")[0]
        assert first in before.text
        assert len(before.text) > LIMITS.passage_characters / 2


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=6000))
def test_no_text_is_lost_and_no_passage_is_too_long(text: str) -> None:
    passages = cut([Section(text)])
    assert all(0 < len(passage.text) <= LIMITS.passage_characters for passage in passages)
    letters = [letter for letter in text if not letter.isspace()]
    kept = "".join(passage.text for passage in passages)
    assert all(letter in kept for letter in letters)


# --- How it is found


@pytest.fixture
def base(cast: Cast) -> KnowledgeBase:
    return make_base(cast)


def headings(base: KnowledgeBase, question: str) -> list[str]:
    return [found.heading.rpartition(" › ")[2] for found in search_knowledge([base.pk], question)]


@pytest.mark.spec("PL-24")
@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("How long is the warranty?", "Warranty"),
        ("WARRANTIES of batteries", "Warranty"),
        ("ile mam czasu na zwrot?", "Zwroty"),
        ("LODZ", "Zwroty"),
        ("łódź", "Zwroty"),
        ("30", "Zwroty"),
    ],
)
def test_a_question_finds_the_passage_that_answers_it(base: KnowledgeBase, question: str, heading: str) -> None:
    assert headings(base, question)[0] == heading


@pytest.mark.spec("PL-24")
@pytest.mark.parametrize(
    "question",
    ['"', "'", '"" OR ""', "AND", "NOT x", "NEAR(a b, 2)", "*", "a*", "^a", "words:x", "{x}", "(", ")", "\\", "\x00",
     "!", "&", "|", "<->", "a:*", "'; DROP TABLE agents_passage; --", "%", "%s", "{", "-", "\ud800", "", "   ", "🫖"],
)  # fmt: skip
def test_no_sign_of_a_question_is_an_operator_or_breaks_the_search(base: KnowledgeBase, question: str) -> None:
    search_knowledge([base.pk], question)
    assert headings(base, f"warranty {question}")[0] == "Warranty"


@pytest.mark.spec("PL-24")
def test_nothing_is_found_in_other_bases_nor_without_words(cast: Cast, base: KnowledgeBase) -> None:
    other = create_knowledge_base(cast.actor("stranger"), name="Other")
    assert search_knowledge([other.pk], "warranty") == []
    assert search_knowledge([], "warranty") == []
    assert search_knowledge([base.pk], "?!") == []
    assert search_knowledge([base.pk], "bicycle") == []
    assert [found.document for found in search_knowledge([other.pk, base.pk], "battery")] == ["handbook.md"]


@pytest.mark.spec("PL-24")
def test_rare_words_weigh_more_than_common_ones(cast: Cast, base: KnowledgeBase) -> None:
    common = "\n\n".join(f"# Part {number}\nThe kettle is what the customer of the shop asked." for number in range(60))
    add(cast, base, "common.md", f"{common}\n\n# Descaling\nUse vinegar for the kettle.\n")
    found = search_knowledge([base.pk], "what is the vinegar for the kettle of the customer?", limit=5)
    assert found[0].heading == "Descaling"


@pytest.mark.spec("PL-24")
def test_a_removed_document_is_found_no_more(cast: Cast, base: KnowledgeBase) -> None:
    document = add(cast, base, "tea.txt", "Oolong is a tea.")
    assert search_knowledge([base.pk], "oolong")
    remove_document(cast.actor("owner"), knowledge_base_id=base.pk, document_id=document.pk)
    assert search_knowledge([base.pk], "oolong") == []
    assert headings(base, "warranty") == ["Warranty"]
    base.delete()
    assert not Passage.objects.exists()


@pytest.mark.spec("PL-24")
def test_frequent_words_are_ranked_as_far_as_there_is_time_and_found_where_rare_ones_find_nothing(
    cast: Cast, base: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_text, "RANKED", 5)
    add(cast, base, "tea.md", "\n".join(f"# T{number}\nA green teapot, model {number}." for number in range(30)))
    assert search_knowledge([base.pk], "teapot model 7", limit=1)[0].heading == "T7"
    assert len(search_knowledge([base.pk], "is the unknown teapot vanished", limit=8)) == 5
    assert search_knowledge([base.pk], "the warranty of a teapot", limit=1)[0].heading == "Handbook › Warranty"


def test_a_limit_is_kept_and_the_order_stands(cast: Cast, base: KnowledgeBase) -> None:
    add(cast, base, "many.md", "\n".join(f"# T{number}\nA green teapot, model {number}." for number in range(30)))
    first = search_knowledge([base.pk], "teapot", limit=7)
    assert len(first) == 7
    assert first == search_knowledge([base.pk], "teapot", limit=7)

"""Files for the tests of knowledge: small PDFs written by hand, and a base with documents."""

from agents.models import Document, KnowledgeBase
from agents.operations.documents import add_document, prepare_document
from agents.operations.knowledge import create_knowledge_base
from tests.cast import Cast

WARRANTY = """# Handbook

Welcome.

## Warranty

The warranty lasts two years. It covers the battery.

## Zwroty

Zwroty przyjmujemy w ciągu 30 dni. Łódź odbiera paczki sama.
"""


def pdf(*pages: str) -> bytes:
    """A PDF with one line of Latin text on each page."""
    count = len(pages)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(b"%d 0 R" % (4 + 2 * n) for n in range(count)), count),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        drawn = b"BT /F1 12 Tf 72 720 Td (%s) Tj ET" % text.encode("latin-1") if text else b""
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            b"/Contents %d 0 R >>" % (5 + 2 * number)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
    written, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % size
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(written))
    return written + head + table + tail


def add(cast: Cast, base: KnowledgeBase, name: str, data: bytes | str, by: str = "owner") -> Document:
    """Read a file and store it."""
    content = data.encode() if isinstance(data, str) else data
    prepared = prepare_document(cast.actor(by), knowledge_base_id=base.pk, name=name, data=content)
    return add_document(cast.actor(by), knowledge_base_id=base.pk, prepared=prepared)


def make_base(cast: Cast, by: str = "builder", *, visibility: str = "organisation") -> KnowledgeBase:
    """A base with one Markdown document about warranty and returns."""
    base = create_knowledge_base(cast.actor(by), name="Handbook", visibility=visibility)
    add(cast, base, "handbook.md", WARRANTY, by=by)
    base.refresh_from_db()
    return base

"""The program that reads a PDF: its bytes in, a line of JSON with the text of each page out. Started by its path."""

import json
import re
import resource
import sys
from io import BytesIO
from typing import Any

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def read(data: bytes, most_pages: int, most_characters: int) -> dict[str, Any]:
    """The text of each page, or why there is none: the name of a refusal in `agents/logic/pdf_reading.py`."""
    from pypdf import PasswordType, PdfReader  # noqa: PLC0415 - loaded within the bounds

    reader = PdfReader(BytesIO(data))
    if reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED:
        return {"refused": "encrypted"}
    if len(reader.pages) > most_pages:
        return {"refused": "too_many_pages"}
    pages: list[str] = []
    characters = 0
    for page in reader.pages:
        pages.append(UNSTORABLE.sub("", page.extract_text() or ""))
        characters += len(pages[-1])
        if characters > most_characters:
            return {"refused": "too_long"}
    return {"pages": pages}


def main() -> None:
    memory, seconds, most_pages, most_characters = map(int, sys.argv[1:])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    try:
        answer = read(sys.stdin.buffer.read(), most_pages, most_characters)
    except (MemoryError, RecursionError):
        answer = {"refused": "too_much"}
    except Exception:  # a broken file breaks the reader in many ways, and all mean the same
        answer = {"refused": "broken"}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()

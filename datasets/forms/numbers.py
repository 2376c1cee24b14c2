"""Numbers as addresses and hidden fields say them."""


def whole_number(text: str | None) -> int | None:
    """The number that the text says, or None for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None

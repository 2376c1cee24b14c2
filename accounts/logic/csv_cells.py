"""Cells of CSV files that people open in a spreadsheet."""

STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe_cell(value: object) -> str:
    """The value as text that no spreadsheet runs as a formula: an apostrophe goes before one's beginning (OWASP)."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(STARTS_A_FORMULA) else text

"""JSON Web Tokens, whoever issued them."""

from datasets.logic.credentials.kind import Kind
from datasets.logic.credentials.shapes import BREAK, URLSAFE, begins, open_ended

# Only emphasis may stand before it: a token is looked for once in a run of its characters, not at each `eyJ` in it.
_AT_RUN_START = r"(?<![A-Za-z0-9-]_eyJ)(?<![A-Za-z0-9-]__eyJ)(?<!___eyJ)(?<!-eyJ)"
_PART = rf"\.(?:{BREAK})?{open_ended(URLSAFE, 4)}={{0,2}}"

KINDS = (
    Kind(
        "jwt",
        "eyJ",
        rf"{begins('eyJ')}{_AT_RUN_START}{open_ended(URLSAFE, 8)}={{0,2}}{_PART}(?:{_PART}){{0,3}}",
        "RFC 7519: JSON Web Token, three parts; RFC 7516 for five",
        gate=".",
    ),
)

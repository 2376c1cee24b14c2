"""What a decision form sends, read leniently: the operation refuses what is not right."""

from dataclasses import dataclass

from django.http import QueryDict


@dataclass(frozen=True)
class SentDecision:
    """`revision` and `mark` are of the card that the person saw; a form that was taken apart saw an impossible one.

    `in_panel` says that the card stands beside the table, `is_undo` that the note goes back into the editor.
    """

    decision: str
    note: str
    revision: int
    mark: str | None
    in_panel: bool
    is_undo: bool

    @classmethod
    def of(cls, sent: QueryDict) -> "SentDecision":
        revision = sent.get("revision", "0")
        return cls(
            decision=sent.get("decision", ""),
            note=sent.get("note", ""),
            revision=int(revision) if revision.isascii() and revision.isdigit() and len(revision) < 9 else -1,
            mark=sent.get("mark"),
            in_panel="in_panel" in sent,
            is_undo="undo" in sent,
        )

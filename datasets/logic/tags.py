"""Labels for grouping results (DS-42, DS-D24)."""

from typing import Any

from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.texts import Found, plain_lines, read_list, text_problems, too_many, wrong_type
from datasets.logic.folding import tag_key


def read_tags(value: Any) -> Found:
    """The tags trimmed, in order, repeats ignoring case dropped with the first spelling kept."""
    # The number is asked after repeats are gone, so a long list of the same tag is one tag.
    tags, problems = read_list(value, LIMITS.tags * 50, _tag)
    if problems:
        return (), problems
    first = {tag_key(tag): tag for tag in reversed(tags)}
    kept = tuple(tag for tag in dict.fromkeys(tags) if first[tag_key(tag)] == tag)
    return (kept, []) if len(kept) <= LIMITS.tags else ((), [too_many(LIMITS.tags, len(kept))])


def split_cell(cell: str) -> list[str]:
    """The tags of a CSV cell: between commas, empty parts dropped."""
    return [part for part in cell.split(",") if part.strip()]


def _tag(value: Any) -> Found:
    if not isinstance(value, str):
        return "", [wrong_type(gettext_noop("A tag is text, not %(type)s."), value)]
    tag = plain_lines(value).strip()
    if not tag:
        return "", [Problem("", gettext_noop("A tag has at least one letter."))]
    problems = text_problems(tag, LIMITS.tag_characters)
    if "," in tag:
        problems.append(Problem("", gettext_noop("A tag has no comma, because commas separate tags in a CSV file.")))
    return tag, problems

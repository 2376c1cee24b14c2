"""Turning a reviewer's note into a criterion: its name, its wording as a question, and when two say the same (RV-D36).

Questions are made of few plain English forms and of nothing else: a wrong question would be worse than none.
"""

import re
from collections.abc import Collection

NAME_WORDS = 6
_SUBJECT = r"(?:(?:the|this) (?:answer|reply|response|agent|assistant|bot|model)|it)"
_FAULT = r"(?:does not|doesn['’]t|did not|didn['’]t|fails to|failed to|forgets to|forgot to|never)"
_DUTY = r"(?:should|must|has to|needs to|ought to|had to|should have to)"
# What a note demands or misses, after which the rest is a verb in its plain form; the longest wins.
_FORMS = (
    (rf"(?:{_SUBJECT} )?(?:should|must) (?:not|never) ", "Is it true that the answer does not {}?"),
    (rf"(?:{_SUBJECT} )?{_DUTY} ", "Does the answer {}?"),
    (rf"(?:{_SUBJECT} )?{_FAULT} ", "Does the answer {}?"),
    (rf"(?:{_SUBJECT} )?(?:lacks|is missing|misses|missing:?) ", "Does the answer include {}?"),
)
_NOT_PLAIN = re.compile(r"(?:have|has|had|be|been|not|never|to)\b", re.IGNORECASE)
_TRAILING = " \t.,;:!?…\"'“”‘’()[]–—-"


def same_words(one: str, other: str) -> bool:
    """Whether two criteria say the same, letter case and spacing left aside (RV-D37)."""
    return _folded(one) == _folded(other)


def criterion_name(criterion: str, taken: Collection[str], limit: int) -> str:
    """A name of its first words, at most `limit` characters long and not among `taken`, whatever their letter case."""
    words = criterion.split()
    first = _fitting(" ".join(words[:NAME_WORDS]), limit) or _fitting(criterion.strip(), limit)
    folded, name, number = {_folded(one) for one in taken}, first, 2
    while _folded(name) in folded:
        ending = f" {number}"
        name, number = _fitting(first, limit - len(ending)) + ending, number + 1
    return name


def as_question(note: str) -> str:
    """The note as a question that yes or no answers, where it has one of the known forms; empty otherwise."""
    text = " ".join(note.split())
    if not text or "?" in text or re.search(r"[.;!…]\s+\S", text):
        return ""
    for form, question in _FORMS:
        found = re.match(form, text, re.IGNORECASE)
        rest = text[found.end() :].rstrip(_TRAILING) if found else ""
        if rest:
            return "" if _NOT_PLAIN.match(rest) else question.format(rest)
    return ""


def _fitting(text: str, limit: int) -> str:
    """The text without what ends a sentence, cut between words where it is too long."""
    if len(text) > limit:
        text = text[:limit].rpartition(" ")[0] or text[:limit]
    return text.strip(_TRAILING) or text.strip()


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()

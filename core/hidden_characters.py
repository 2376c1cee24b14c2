"""Characters that nobody sees and that change what is read: each gets a small visible mark where a text is shown.

Controls that turn the direction of text can make it read as something else than it says, and characters without a width
can hide in a word. What is stored, copied and exported keeps them: only the page marks them.
"""

import re
import unicodedata
from itertools import count

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext

from core.hidden_pattern import HIDDEN

# Further ones of a text are marked too, without a name: the names of thousands would outweigh the page.
MOST_NAMED = 100
# A tag with its attributes, which may hold a `>`; texts hold none, since they are escaped.
_TAG = re.compile(r"""(<(?:[^>"']|"[^"]*"|'[^']*')*>)""")


def marked(text: str | None) -> SafeString:
    """A plain text as HTML that shows its hidden characters, in a direction of its own."""
    return format_html("<bdi>{}</bdi>", marked_part(text))


def marked_part(text: str | None) -> SafeString:
    """The same for a part of a line, which goes in the line's direction."""
    return mark_in_html(escape(text or ""))


def mark_in_html(html: str) -> SafeString:
    """Safe HTML with the hidden characters of its texts marked; its tags stay as they are."""
    if not HIDDEN.search(html):
        return mark_safe(html)  # noqa: S308  (what came in is safe)
    parts = _TAG.split(html)
    numbers = count()
    parts[::2] = [HIDDEN.sub(lambda found: _mark(found.group(), next(numbers)), part) for part in parts[::2]]
    return mark_safe("".join(parts))  # noqa: S308  (what came in is safe, and so are the marks)


def _mark(characters: str, number: int) -> str:
    """What stands there stays inside, isolated, so that it turns nothing and is copied with the text around it."""
    code = f"U+{ord(characters[0]):04X}"
    shown = f"{code} ×{len(characters)}" if len(characters) > 1 else code
    if number >= MOST_NAMED:
        return format_html('<span class="hidden-character" data-code="{}">{}</span>', shown, characters)
    words = ngettext(
        "%(count)d hidden character: %(code)s, %(name)s",
        "%(count)d hidden characters: %(code)s, %(name)s",
        len(characters),
    )
    label = words % {"count": len(characters), "code": code, "name": unicodedata.name(characters[0], "").lower()}
    return format_html(
        '<span class="hidden-character" role="img" aria-label="{}" title="{}" data-code="{}">{}</span>',
        label,
        label,
        shown,
        characters,
    )

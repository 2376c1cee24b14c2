"""How values are shown: texts of people and agents, moments, amounts. Every template has these without loading them."""

from datetime import datetime
from decimal import Decimal

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core import hidden_characters, html, numbers, times

register = template.Library()


@register.filter
def markdown(text: str | None) -> SafeString:
    """Markdown as safe HTML in the measure of running text."""
    return format_html('<div class="markdown" data-code-copy>{}</div>', html.render_markdown(text))


@register.filter
def marked(text: str | None) -> SafeString:
    """A plain text that people or agents wrote: hidden characters marked, its direction its own."""
    return hidden_characters.marked(text)


@register.filter
def marked_part(text: str | None) -> SafeString:
    """A part of such a text: it goes in the direction of its line."""
    return hidden_characters.marked_part(text)


@register.simple_tag
def when(moment: datetime | None) -> SafeString | str:
    """How long ago, with the exact time on hover; a dash for never."""
    if moment is None:
        return numbers.NOTHING
    exact = times.exact(moment)
    return format_html('<time datetime="{}" title="{}">{}</time>', moment.isoformat(), exact, times.relative(moment))


@register.filter
def duration(seconds: float | None) -> str:
    """How long something took or will take; a dash where nobody knows."""
    return numbers.NOTHING if seconds is None else times.duration(seconds)


@register.filter
def money(value: Decimal | float | int | None) -> str:
    return numbers.money(value)


@register.filter
def count(value: int | None) -> str:
    return numbers.count(value)


@register.filter
def decimals(value: Decimal | float | int | None, places: int = 1) -> str:
    return numbers.decimals(value, places)


@register.filter
def file_size(value: int) -> str:
    return numbers.file_size(value)

"""How grading settings are written on pages."""

from django import template

register = template.Library()


@register.filter
def at_place(kind: str, place: int) -> str:
    """What the button of a suggestion sends: the row of the criterion and the kind of the rule."""
    return f"{place}:{kind}"

"""How checks are written on pages of settings and of scores."""

from typing import Any

from django import template

from scoring.forms.rule_words import parameters_in_words, rule_in_words

register = template.Library()


@register.filter
def as_rule(check: dict[str, Any]) -> str:
    """A check in words: "Has a length: at least 20, at most 50 words"."""
    return rule_in_words(check)


@register.filter
def as_parameters(check: Any) -> str:
    """The same without its type, for a place that names the type already; empty where there is no check."""
    return parameters_in_words(check) if isinstance(check, dict) else ""

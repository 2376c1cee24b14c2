"""Prices of tokens as people read them."""

from decimal import Decimal

from django import template
from django.utils.formats import number_format

register = template.Library()


@register.filter
def per_million(price: Decimal | None) -> str:
    """A price without needless noughts, at least two places: 0.15, 2.00, 0.075; a dash where it is not known."""
    if price is None:
        return "–"
    exact = price.normalize()
    places = max(2, -int(exact.as_tuple().exponent))
    return number_format(price, places)

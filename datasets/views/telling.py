"""What a save did besides saving, told to the person."""

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import ngettext


def tell_hidden(request: HttpRequest, hidden: int) -> None:
    """Say how many credentials were hidden before storing, where some were (DS-D64)."""
    if hidden:
        text = ngettext(
            "%(count)d value looked like a credential and was hidden before saving.",
            "%(count)d values looked like credentials and were hidden before saving.",
            hidden,
        )
        messages.warning(request, text % {"count": hidden})

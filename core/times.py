"""Times as people read them: how long ago, how long something took."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.numbers import decimals

MINUTE, HOUR, DAY = 60, 3600, 86400


def relative(moment: datetime, now: datetime | None = None) -> str:
    """ "5 minutes ago", "in 3 days"; beyond 30 days the date, since nobody counts weeks."""
    seconds = int(((now or timezone.now()) - moment).total_seconds())
    distance = abs(seconds)
    if distance < MINUTE:
        return _("just now") if seconds >= 0 else _("in a moment")
    if distance >= 30 * DAY:
        return date_format(timezone.localtime(moment), "DATE_FORMAT")
    if distance < HOUR:
        amount = distance // MINUTE
        text = ngettext("%(n)d minute", "%(n)d minutes", amount)
    elif distance < DAY:
        amount = distance // HOUR
        text = ngettext("%(n)d hour", "%(n)d hours", amount)
    else:
        amount = distance // DAY
        text = ngettext("%(n)d day", "%(n)d days", amount)
    words = text % {"n": amount}
    return (_("%(time)s ago") if seconds >= 0 else _("in %(time)s")) % {"time": words}


def exact(moment: datetime) -> str:
    """The moment to the second with its zone, for the hover text and for screen readers."""
    local = timezone.localtime(moment)
    return f"{date_format(local, 'DATE_FORMAT')}, {local:%H:%M:%S} {local.tzname()}"


def duration(seconds: float) -> str:
    """How long in at most two units: "0.8 s", "42 s", "3 min 20 s", "2 h 5 min", "3 d 4 h"."""
    if seconds < 9.95:
        return _("%(n)s s") % {"n": decimals(max(0.0, seconds), 1)}
    whole = round(seconds)
    if whole < MINUTE:
        return _("%(n)d s") % {"n": whole}
    if whole < HOUR:
        return _("%(n)d min %(m)d s") % {"n": whole // MINUTE, "m": whole % MINUTE}
    minutes = round(seconds / MINUTE)
    if minutes * MINUTE < DAY:
        return _("%(n)d h %(m)d min") % {"n": minutes // 60, "m": minutes % 60}
    hours = round(seconds / HOUR)
    return _("%(n)d d %(m)d h") % {"n": hours // 24, "m": hours % 24}

"""The ends of a run that do not come from the agent, in words (PL-23)."""

from django.utils.translation import gettext as _

from agents.loop.events import Ended, Ending


def stopped() -> Ended:
    """Somebody stopped it, or nobody read it any more."""
    return Ended(Ending.CANCELLED, _("It was stopped, or its reader went away, before the agent had answered."))


def deleted() -> Ended:
    """What it is stored in is gone."""
    return Ended(Ending.CANCELLED, _("The conversation was deleted while the agent answered."))


def fault() -> Ended:
    """A fault of ours; the log says which."""
    return Ended(Ending.FAILED, _("A fault of Casebook ended the answer. The log of the server says more."))

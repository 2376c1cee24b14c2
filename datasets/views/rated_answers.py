"""Adding an answer that was just rated, when the dialog of the rating asked for it (DS-146 to DS-150)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from accounts.actor import Actor
from activity.models import Message
from activity.places import Told
from core.errors import DomainError, Invalid
from datasets.operations.answers import AddedAnswer, add_answer_to_new_dataset, add_case_from_answer
from datasets.queries.answers import COUNTER

# What the fragment in the dialog calls its fields.
ADD, DATASET, NAME, WITH_HISTORY = "adding-add", "adding-dataset", "adding-name", "adding-with_history"


def add_rated_answer(actor: Actor, message: Message, posted: Mapping[str, str]) -> Told | None:
    """Keep the answer as a counter-example where the box was ticked, and say how that went; None where it was not.

    The rating is stored by then and stays, whatever becomes of this (DS-149).
    """
    if not posted.get(ADD):
        return None
    try:
        added = _add(actor, message, posted)
    except Invalid as error:
        reason = " ".join(problem.message for problem in error.problems)
        return _failed(reason or str(error))
    except DomainError as error:
        return _failed(str(error))
    values = {"dataset": added.dataset.name, "number": added.version}
    return Told(
        _("Your rating is stored, and the answer is added to %(dataset)s, version %(number)d.") % values, "pass"
    )


def _add(actor: Actor, message: Message, posted: Mapping[str, str]) -> AddedAnswer:
    how: dict[str, Any] = {"message_id": message.pk, "keep_as": COUNTER, "with_history": bool(posted.get(WITH_HISTORY))}
    if DATASET not in posted:
        return add_answer_to_new_dataset(actor, name=posted.get(NAME, ""), **how)
    try:
        dataset_id = UUID(posted[DATASET])
    except ValueError:
        raise Invalid.at("dataset", _("Choose a dataset.")) from None
    return add_case_from_answer(actor, dataset_id=dataset_id, **how)


def _failed(reason: str) -> Told:
    return Told(_("Your rating is stored, but the answer was not added: %(reason)s") % {"reason": reason}, "fail")

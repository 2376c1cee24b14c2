"""The forms of knowledge bases; the operations check what they hold."""

from django.utils.translation import gettext_lazy as _

from accounts.forms import named_resources


class KnowledgeForm(named_resources.DetailsForm):
    """Name and description of a knowledge base."""

    unnamed = _("Give the knowledge base a name.")
    about = _("What the documents are about.")


class NewKnowledgeForm(named_resources.VisibilityForm, KnowledgeForm):
    """What a new base begins with."""


class DeleteKnowledgeForm(named_resources.DeletionForm):
    """Asks for the name before a base with documents goes."""

    asked = _("Type the name of the knowledge base to confirm")
    mistaken = _("This is not the name of the knowledge base.")

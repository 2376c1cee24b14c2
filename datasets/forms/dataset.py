"""The forms of a dataset: a new one, its details, its deletion."""

from django.utils.translation import gettext_lazy as _

from accounts.forms import named_resources


class DetailsForm(named_resources.DetailsForm):
    """Name and description of a dataset."""

    unnamed = _("Give the dataset a name.")
    about = _("What the questions are about, and which agent they test.")


class DatasetForm(named_resources.VisibilityForm, DetailsForm):
    """What a new dataset begins with."""


class DeleteDatasetForm(named_resources.DeletionForm):
    """Asks for the name before a dataset goes (DS-D17)."""

    asked = _("Type the name of the dataset to confirm")
    mistaken = _("This is not the name of the dataset.")

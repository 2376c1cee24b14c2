"""What is asked before an answer is added to a dataset: where to, kept as what, how much of it (DS-154, DS-161)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from core.limits import LIMITS
from datasets.models import Dataset
from datasets.queries.answers import COUNTER, REFERENCE, CopiedAnswer

ONLY_QUESTION, WITH_CONVERSATION = "", "yes"


class AnswerForm(forms.Form):
    """Only what there is to decide: the name of a new dataset where there is none, the conversation where there is one.

    The operation checks the rest; `warned` comes back from a form that named the owner of a private conversation.
    """

    dataset = forms.ChoiceField(label=_("Dataset"), error_messages={"required": _("Choose a dataset.")})
    name = forms.CharField(
        label=_("Name of a new dataset"),
        max_length=LIMITS.name_characters,
        help_text=_("There is no dataset that you may edit yet. This one will be visible to the organisation."),
        error_messages={"required": _("Give the dataset a name.")},
    )
    keep_as = forms.ChoiceField(
        label=_("Keep the answer as"),
        choices=[
            (REFERENCE, _("Reference answer: what a good answer says")),
            (COUNTER, _("Counter-example: an answer the agent should not give")),
        ],
        widget=forms.RadioSelect,
    )
    with_history = forms.ChoiceField(
        label=_("How much to copy"),
        choices=[(ONLY_QUESTION, _("Only this question")), (WITH_CONVERSATION, _("With the conversation"))],
        widget=forms.RadioSelect,
        required=False,
    )
    warned = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(
        self,
        data: Any = None,
        *,
        copied: CopiedAnswer,
        datasets: Sequence[Dataset],
        chosen: UUID | None = None,
        is_private: bool = False,
        prefix: str | None = None,
    ) -> None:
        initial = {"keep_as": copied.default_way, "with_history": ONLY_QUESTION, "warned": "1" if is_private else ""}
        there = {dataset.pk for dataset in datasets}
        initial["dataset"] = str(chosen) if chosen in there else ""
        # Several answers stand on one page, each perhaps with its own form.
        super().__init__(data, prefix=prefix, initial=initial, auto_id=f"{prefix or 'answer'}-{copied.message.pk}-%s")
        options = [(dataset.id_text, dataset.name) for dataset in datasets]
        field: Any = self.fields["dataset"]
        field.choices = options if chosen in there or len(options) == 1 else [("", _("Choose a dataset")), *options]
        del self.fields["name" if options else "dataset"]
        if not copied.turns:
            del self.fields["with_history"]
        if not copied.text:
            way: Any = self.fields["keep_as"]
            way.choices = way.choices[:1]

    @property
    def wanted(self) -> dict[str, Any]:
        """How to add it, of a valid form."""
        return {
            "keep_as": self.cleaned_data["keep_as"],
            "with_history": self.cleaned_data.get("with_history") == WITH_CONVERSATION,
        }


class RatedAnswerForm(AnswerForm):
    """The same within the dialog of a thumb down: a box to tick, and nothing is asked unless it is (DS-145)."""

    add = forms.BooleanField(label=_("Add this answer to a dataset"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, prefix="adding", **kwargs)
        del self.fields["keep_as"]

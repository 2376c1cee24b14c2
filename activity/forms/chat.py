"""The forms of the chat: a question, the first one of a conversation, a title, a rating."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.actor import Actor
from activity.models import Conversation, RunRating
from activity.queries.talking import agents_to_talk_to
from core.limits import LIMITS


class QuestionForm(forms.Form):
    """What is asked next; the operation checks it."""

    text = forms.CharField(
        label=_("Your question"),
        strip=False,
        max_length=LIMITS.chat_characters,
        error_messages={"required": _("Write a question.")},
        widget=forms.Textarea(attrs={"rows": 1, "placeholder": _("Ask something"), "data-question": True}),
    )


class BeginForm(QuestionForm):
    """The first question, and to whom."""

    agent = forms.UUIDField(
        label=_("Agent"), error_messages={"required": _("Choose an agent."), "invalid": _("Choose an agent.")}
    )

    def __init__(self, *args: Any, actor: Actor, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.agents = list(agents_to_talk_to(actor))


class TitleForm(forms.Form):
    """How a conversation is found again."""

    title = forms.CharField(
        label=_("Title"),
        max_length=LIMITS.conversation_title_characters,
        error_messages={"required": _("Give the conversation a title.")},
    )

    @classmethod
    def of(cls, conversation: Conversation, data: Any = None) -> "TitleForm":
        return cls(data, initial={"title": conversation.title})


class DeleteForm(forms.Form):
    """Nothing to fill in: the button confirms."""


class RatingForm(forms.Form):
    """A thumb and what went wrong; an empty rating takes it back."""

    rating = forms.ChoiceField(choices=[("", ""), *RunRating.choices], required=False, widget=forms.HiddenInput)
    comment = forms.CharField(
        label=_("Comment"),
        required=False,
        max_length=LIMITS.note_characters,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

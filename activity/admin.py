"""The operators' view of conversations and runs: who, when, how it ended, never what was said (ACC-D14)."""

from django.contrib import admin

from activity.models import Conversation, Run
from core.operators import ReadOnlyAdmin


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    list_display = ("id", "organisation", "agent", "visibility", "started_at", "last_at")
    fields = list_display
    list_select_related = ("organisation", "agent")
    show_full_result_count = False


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ("id", "organisation", "agent", "kind", "status", "model", "cost", "seconds", "started_at")
    fields = list_display
    list_filter = ("kind", "status")
    list_select_related = ("organisation", "agent")
    show_full_result_count = False

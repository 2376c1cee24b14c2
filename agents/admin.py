"""The operators' view of agents, connections and models: no key, encrypted or not, and no instructions (ACC-D14)."""

from django.contrib import admin

from agents.models import Agent, Connection, LanguageModel
from core.operators import ReadOnlyAdmin


@admin.register(Connection)
class ConnectionAdmin(ReadOnlyAdmin):
    list_display = ("name", "organisation", "provider", "base_url", "key_set_at", "created_at")
    list_filter = ("provider",)
    list_select_related = ("organisation",)
    exclude = ("encrypted_key",)


@admin.register(LanguageModel)
class LanguageModelAdmin(ReadOnlyAdmin):
    list_display = ("label", "name", "connection", "input_price", "output_price", "context_tokens")
    list_select_related = ("connection",)
    search_fields = ("label", "name")


@admin.register(Agent)
class AgentAdmin(ReadOnlyAdmin):
    list_display = ("name", "organisation", "kind", "helper", "state", "owner", "visibility", "newest_version")
    fields = (*list_display, "monthly_budget", "created_at", "changed_at")
    list_filter = ("kind", "state", "helper")
    list_select_related = ("organisation", "owner__user")
    search_fields = ("name", "id")

"""The operators' view of connections and models: no key, encrypted or not (ACC-D14)."""

from django.contrib import admin

from agents.models import Connection, LanguageModel
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

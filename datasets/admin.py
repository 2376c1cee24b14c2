"""The operators' view: datasets, versions and revisions read-only, without case text (DS-D65, ACC-D14)."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from datasets.models import CaseRevision, Dataset, DatasetVersion


class ReadOnlyAdmin(admin.ModelAdmin):
    """Shows the listed fields and changes nothing: changes go through the product with its checks and its audit."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Dataset)
class DatasetAdmin(ReadOnlyAdmin):
    list_display = ("name", "organisation", "owner", "visibility", "newest_version", "case_count", "changed_at")
    fields = list_display
    list_filter = ("visibility",)
    list_select_related = ("organisation", "owner__user")
    search_fields = ("name", "id")


@admin.register(DatasetVersion)
class DatasetVersionAdmin(ReadOnlyAdmin):
    list_display = ("dataset", "number", "created_at", "author", "kind", "added", "edited", "removed", "case_count")
    fields = list_display
    list_filter = ("kind",)
    list_select_related = ("dataset", "author__user")
    search_fields = ("dataset__id",)


@admin.register(CaseRevision)
class CaseRevisionAdmin(ReadOnlyAdmin):
    list_display = ("case", "dataset", "position", "since", "until", "source", "created_at", "anonymised_at")
    fields = list_display
    list_filter = ("source",)
    list_select_related = ("case", "dataset")
    search_fields = ("case__id", "dataset__id")
    show_full_result_count = False

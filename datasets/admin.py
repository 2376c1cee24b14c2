"""The operators' view: datasets, grants, versions and revisions, without case text (DS-D65, ACC-D14)."""

from django.contrib import admin

from core.operators import ReadOnlyAdmin
from datasets.models import CaseRevision, Dataset, DatasetGrant, DatasetVersion


@admin.register(Dataset)
class DatasetAdmin(ReadOnlyAdmin):
    list_display = ("name", "organisation", "owner", "visibility", "newest_version", "case_count", "changed_at")
    fields = list_display
    list_filter = ("visibility",)
    list_select_related = ("organisation", "owner__user")
    search_fields = ("name", "id")


@admin.register(DatasetGrant)
class DatasetGrantAdmin(ReadOnlyAdmin):
    list_display = ("content_object", "user", "permission")
    fields = list_display
    list_select_related = ("content_object", "user", "permission__content_type")
    search_fields = ("content_object__name", "user__email")


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

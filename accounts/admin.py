"""The operators' view of accounts: mostly read, nothing that people wrote, no secret (ACC-D14)."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from accounts.models import ApiKey, AuditEntry, Invitation, Member, Organisation, PersonRequest, User
from accounts.operations.security import change_login
from core.operators import ReadOnlyAdmin

# Operators sign in like everybody: with rate limits and the second factor.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = "Casebook"
admin.site.site_title = "Casebook"


@admin.register(Organisation)
class OrganisationAdmin(ReadOnlyAdmin):
    list_display = ("name", "created_at")
    search_fields = ("name",)


@admin.register(Member)
class MemberAdmin(ReadOnlyAdmin):
    list_display = ("user", "organisation", "role", "joined_at", "left_at")
    list_filter = ("role",)
    list_select_related = ("user", "organisation")
    search_fields = ("user__email", "organisation__name")


@admin.register(User)
class UserAdmin(ReadOnlyAdmin):
    """The one thing that operators change: whether a login works, and whether it may come here."""

    list_display = ("email", "name", "is_active", "is_staff", "last_login", "created_at")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email", "name")
    fields = ("email", "name", "is_active", "is_staff", "last_login", "created_at")
    readonly_fields = ("email", "name", "last_login", "created_at")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """The operation writes what happened to each organisation's log."""
        change_login(obj, address=str(request.META.get("REMOTE_ADDR", "")), **form.cleaned_data)


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnlyAdmin):
    list_display = ("prefix", "member", "created_at", "expires_at", "last_used_at", "revoked_at")
    list_select_related = ("member__user",)
    search_fields = ("prefix", "member__user__email")
    exclude = ("key_hash",)


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    list_display = ("email", "organisation", "role", "created_at", "expires_at", "accepted_at", "revoked_at")
    list_select_related = ("organisation",)
    search_fields = ("email", "organisation__name")
    exclude = ("token_hash",)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "organisation", "member", "action", "object_type", "object_id", "address")
    list_filter = ("organisation",)
    list_select_related = ("organisation", "member__user")
    date_hierarchy = "at"
    exclude = ("object_label",)
    show_full_result_count = False


@admin.register(PersonRequest)
class PersonRequestAdmin(ReadOnlyAdmin):
    list_display = ("kind", "organisation", "created_at", "finished_at")
    list_select_related = ("organisation",)
    exclude = ("content", "person")

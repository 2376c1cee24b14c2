"""The operators' admin: a site of pages to look at, and the class that each of them is made from (ACC-D14)."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that are looked at: what changes them are the operations, with their checks and their audit entries."""

    actions: Any = None

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class OperatorsSite(admin.AdminSite):
    """Takes pages made from `ReadOnlyAdmin` and no others.

    The packages we use register pages that write: a schedule there runs any function, a social account there opens
    any login, and neither asks access nor tells the audit log (PL-6, PL-8).
    """

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        if isinstance(admin_class, type) and issubclass(admin_class, ReadOnlyAdmin):
            super().register(model_or_iterable, admin_class, **options)

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:  # type: ignore[override]
        """On the page of every login, which tells the audit log."""
        return redirect("account_change_password")

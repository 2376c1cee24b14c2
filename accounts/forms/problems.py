"""Showing a domain error in the form that caused it."""

from django.forms import BaseForm

from core.errors import DomainError, Invalid


def show(form: BaseForm, error: DomainError) -> None:
    """Put each problem at its field (`permissions.2` at `permissions`), what has no field at the form's top."""
    if not isinstance(error, Invalid):
        form.add_error(None, str(error))
        return
    for problem in error.problems:
        field = problem.field.partition(".")[0]
        form.add_error(field if field in form.fields else None, problem.message)

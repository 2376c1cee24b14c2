"""Fills in whose words cases hold that were taken from conversations before authorship was kept (ACC-59, ACC-D42)."""

from typing import Any

from django.db import migrations, models

from datasets.operations.authors_of_old_cases import fill_in_authors


def fill_in(apps: Any, _editor: Any) -> None:
    """Repeatable, also by `manage.py fill_in_authors`; does nothing where no case has a link."""
    if apps.get_model("datasets", "Case").objects.exclude(message=None).exists():
        fill_in_authors()


class Migration(migrations.Migration):
    dependencies = [
        ("datasets", "0004_cases_from_answers"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="caserevision",
            index=models.Index(
                condition=models.Q(("anonymised_at__isnull", False)),
                fields=["anonymised_at"],
                name="revision_anonymised",
            ),
        ),
        migrations.AddIndex(
            model_name="caserevision",
            index=models.Index(
                condition=models.Q(("conversation_text", True)), fields=["case"], name="revision_from_conversation"
            ),
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]

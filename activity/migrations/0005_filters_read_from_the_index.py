"""Wider small indexes of runs, so that filters together read no row that does not fit."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("activity", "0002_spans_of_traces"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="run",
            name="run_not_completed",
        ),
        migrations.RemoveIndex(
            model_name="run",
            name="run_rated",
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(
                condition=models.Q(("status", "completed"), _negated=True),
                fields=["organisation", "status", "-started_at", "-id", "agent", "kind", "rating"],
                name="run_not_completed",
            ),
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(
                condition=models.Q(("rating", ""), _negated=True),
                fields=["organisation", "rating", "-started_at", "-id", "agent", "status", "kind"],
                name="run_rated",
            ),
        ),
    ]

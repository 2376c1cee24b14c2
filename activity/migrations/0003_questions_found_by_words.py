"""An index over the words of runs' questions, so that a search costs the same however many runs there are."""

from django.db import migrations

from activity.logic import question_words


def lay(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(question_words.POSTGRES_INDEX)
        return
    for statement in question_words.SQLITE_TABLES:
        schema_editor.execute(statement)


def take_up(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(question_words.POSTGRES_NO_INDEX)
        return
    for name in question_words.SQLITE_TRIGGERS:
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}")
    for table in ("activity_run_words", "activity_run_words_key"):
        schema_editor.execute(f"DROP TABLE {table}")


class Migration(migrations.Migration):
    # On SQLite the triggers are made after every migration (activity/apps.py): a table that is altered loses them.
    dependencies = [("activity", "0004_titles_found_by_search")]

    operations = [migrations.RunPython(lay, take_up)]

from typing import Any

from django.db import migrations, models

from apps.accounts.rules import password_mark


def mark_sessions(apps: Any, schema_editor: Any) -> None:
    """Keep the sessions of today valid with the password of today."""
    grants = apps.get_model("accounts", "RefreshGrant").objects.using(
        schema_editor.connection.alias
    )
    users = apps.get_model("accounts", "User").objects.using(schema_editor.connection.alias)
    signed_in = users.filter(refresh_grants__isnull=False).distinct()
    for pk, hashed in signed_in.values_list("pk", "password").iterator():
        grants.filter(user_id=pk).update(password_mark=password_mark(hashed))


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_keep_own_views_of_the_inventory")]

    operations = [
        migrations.AddField(
            "refreshgrant",
            "password_mark",
            models.CharField(default="", help_text="rules.password_mark", max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(mark_sessions, migrations.RunPython.noop),
    ]

from typing import Any

from django.db import migrations

from apps.core.names import rekey


def rekey_names(apps: Any, schema_editor: Any) -> None:
    for name in ("Source",):
        rekey(apps.get_model("sources", name), using=schema_editor.connection.alias)


class Migration(migrations.Migration):
    dependencies = [("sources", "0005_names_once_in_any_case")]

    operations = [migrations.RunPython(rekey_names, migrations.RunPython.noop)]

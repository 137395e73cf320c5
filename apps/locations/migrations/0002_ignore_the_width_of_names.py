from typing import Any

from django.db import migrations

from apps.core.names import rekey


def rekey_names(apps: Any, schema_editor: Any) -> None:
    for name in ("Location", "ContainerType"):
        rekey(apps.get_model("locations", name), using=schema_editor.connection.alias)


class Migration(migrations.Migration):
    dependencies = [("locations", "0010_describe_an_empty_size_class")]

    operations = [migrations.RunPython(rekey_names, migrations.RunPython.noop)]

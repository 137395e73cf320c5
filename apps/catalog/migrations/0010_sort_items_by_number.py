from typing import Any

from django.db import migrations, models

import apps.core.natural
from apps.core.bulk import update_rows
from apps.core.natural import natural_key

AT_ONCE = 20_000


def write_keys(apps: Any, schema_editor: Any) -> None:
    item = apps.get_model("catalog", "Item")
    numbers = list(item.objects.filter(sort_key="").values_list("pk", "number"))
    for start in range(0, len(numbers), AT_ONCE):
        some = numbers[start : start + AT_ONCE]
        update_rows(item, ["sort_key"], [(pk, natural_key(number)) for pk, number in some])


class Migration(migrations.Migration):
    dependencies = [("catalog", "0009_search_by_length_of_names")]

    operations = [
        migrations.AddField(
            model_name="item",
            name="sort_key",
            field=apps.core.natural.NumberOrder(
                blank=True,
                db_default="",
                default="",
                editable=False,
                help_text="2335 before 10247",
            ),
        ),
        migrations.RunPython(write_keys, migrations.RunPython.noop, elidable=True),
        migrations.AlterModelOptions(name="item", options={"ordering": ["sort_key", "item_type"]}),
        migrations.RemoveIndex(model_name="item", name="item_list_of_a_type"),
        migrations.AddIndex(
            model_name="item",
            index=models.Index(fields=["item_type", "sort_key"], name="item_list_of_a_type"),
        ),
        migrations.AddIndex(
            model_name="item",
            index=models.Index(fields=["sort_key", "item_type"], name="item_list_by_number"),
        ),
    ]

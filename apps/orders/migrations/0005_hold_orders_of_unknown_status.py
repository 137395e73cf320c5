"""Orders whose status was an unknown word were problems, which freed their pieces: they are new."""

from django.db import migrations

from apps.exchange.order_statuses import read_status


def hold(apps, schema_editor):
    orders = apps.get_model("orders", "Order").objects.using(schema_editor.connection.alias)
    problems = orders.filter(state="problem").order_by()
    words = problems.values_list("status", flat=True).distinct()
    unknown = [word for word in words if not read_status(word).is_understood]
    for word in unknown:
        problems.filter(status=word).update(state="new")


class Migration(migrations.Migration):
    dependencies = [("orders", "0004_find_lines_by_item")]

    operations = [migrations.RunPython(hold, migrations.RunPython.noop)]

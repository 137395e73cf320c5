"""Fill the keys of names; of names that differ in case only, the first has the key alone."""

from django.db import migrations

AT_ONCE = 500


def fill_keys(apps, schema_editor):
    for name in ("source",):
        rows = apps.get_model("sources", name).objects
        seen = set()
        changed = []
        for row in rows.only("id", "owner_id", "name").order_by("owner_id", "id").iterator():
            row.name_key = row.name.casefold()
            row.twin = row.id if (row.owner_id, row.name_key) in seen else 0
            seen.add((row.owner_id, row.name_key))
            changed.append(row)
            if len(changed) == AT_ONCE:
                rows.bulk_update(changed, ["name_key", "twin"])
                changed = []
        rows.bulk_update(changed, ["name_key", "twin"])


class Migration(migrations.Migration):
    dependencies = [("sources", "0003_key_names_in_any_case")]

    operations = [migrations.RunPython(fill_keys, migrations.RunPython.noop)]

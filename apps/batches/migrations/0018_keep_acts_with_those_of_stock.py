import datetime as dt
import json

from django.db import migrations, models

ITEMS = "batches.BatchItem"
LEFT = {"is_stowed": False, "stowed_at": None}  # of a deleted item whose pieces left the stock


def move_acts(apps, schema_editor):
    """Copy the acts of batches above all ids that acts have: clients know the former ones."""
    connection = schema_editor.connection
    acts = apps.get_model("lots", "KeptAct")
    last = [
        model.objects.aggregate(last=models.Max("pk"))["last"] or 0
        for model in (acts, apps.get_model("batches", "BatchAct"))
    ]
    if not last[1]:
        return
    columns = "created_at, updated_at, kind, note, undone_at, owner_id, by_id, batch_id"
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO lots_keptact (id, former_id, row_count, {columns}) "
            f"SELECT id + %s, id, item_count, {columns} FROM batches_batchact",
            [max(last)],
        )
        for number, (name, table) in enumerate((("rows", ITEMS), ("batches", "batches.Batch"))):
            name = connection.ops.quote_name(name)
            cursor.execute(
                f"INSERT INTO lots_actchunk (act_id, number, {connection.ops.quote_name('table')},"
                f" {connection.ops.quote_name('rows')}, undone_at)"
                f" SELECT id + %s, %s, %s, {name}, NULL FROM batches_batchact"
                f" WHERE CAST({name} AS text) <> '[]'",
                [max(last), number, table],
            )
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence('lots_keptact', 'id'), %s)",
                [max(last) + last[1]],
            )


def bring_deleted_items(apps, schema_editor):
    """Make rows of the images of deleted items, which the act that deleted them brings back."""
    chunks = apps.get_model("lots", "ActChunk").objects
    waiting = chunks.filter(table=ITEMS, act__batch__isnull=False, act__undone_at=None)
    for pk in list(waiting.order_by("pk").values_list("pk", flat=True)):
        chunk = chunks.select_related("act").get(pk=pk)
        gone = [row for row in chunk.rows if row["after"] is None]
        if not gone:
            continue
        keep_items(apps, chunk.act, gone)
        for row in gone:
            out = LEFT if "movement" in row else ()
            row["before"] = {name: row["before"][name] for name in out}
        chunk.save(update_fields=["rows"])


def keep_items(apps, act, gone):
    model = apps.get_model("batches", "BatchItem")
    for name in ("created_at", "updated_at"):  # they keep their own
        field = model._meta.get_field(name)
        field.auto_now_add = field.auto_now = False
    items = []
    for row in gone:
        item = model(**{name: value_of(model, name, kept) for name, kept in row["before"].items()})
        item.deleted_in_id = act.pk
        if "movement" in row:
            item.is_stowed, item.stowed_at = LEFT["is_stowed"], LEFT["stowed_at"]
        items.append(item)
    there = set(
        model.objects.filter(pk__in=[item.pk for item in items]).values_list("pk", flat=True)
    )
    for name in ("batch", "lot", "location", "inventory_item"):
        related = model._meta.get_field(name).related_model._base_manager
        named = {getattr(item, f"{name}_id") for item in items}
        known = set(related.filter(pk__in=named - {None}).values_list("pk", flat=True))
        for item in items:
            if getattr(item, f"{name}_id") not in known:
                setattr(item, f"{name}_id", None)
    # One whose batch was deleted cannot come back.
    model.objects.bulk_create(
        [item for item in items if item.batch_id is not None and item.pk not in there],
        batch_size=500,
    )


def value_of(model, name, kept):
    """Return a column's value from an image, in any form that a version wrote."""
    field = model._meta.get_field(name)
    if isinstance(field, models.JSONField):
        return json.loads(kept) if isinstance(kept, str) else kept
    value = None if kept is None else field.to_python(kept)
    if isinstance(value, dt.datetime) and value.tzinfo is None:
        return value.replace(tzinfo=dt.UTC)
    return value


class Migration(migrations.Migration):
    dependencies = [
        ("batches", "0017_keep_deleted_items"),
        ("inventory", "0031_acts_are_of_lots"),
        ("lots", "0001_keep_acts"),
    ]

    operations = [
        migrations.RunPython(move_acts, migrations.RunPython.noop),
        migrations.RunPython(bring_deleted_items, migrations.RunPython.noop),
    ]

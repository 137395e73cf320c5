from django.db import migrations, models


def fit_kept_plans(apps, schema_editor):
    """Say of the plans that wait, and of calls without an answer, what would be or was sent."""
    rows = apps.get_model("listings", "StoreSyncRow").objects.filter(sync__way="compare")
    rows.filter(kind__in=["moved", "only_there"]).delete()
    kept = rows.filter(state__in=["planned", "sending"])
    # What they also send is found again by the next plan.
    kept.filter(kind="sold").update(changes=[], sent={})
    for row in kept.filter(kind__in=["lowered", "raised", "changed"]):
        delta = 0 if row.kind == "changed" else row.quantity_here - row.quantity_there
        row.sent = {"values": {one["field"]: one["here"] for one in row.changes}, "delta": delta}
        row.save(update_fields=["sent"])


class Migration(migrations.Migration):
    dependencies = [("listings", "0005_lots_that_are_raised")]

    operations = [
        migrations.RunPython(fit_kept_plans, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name="storesyncrow",
            name="kind",
            field=models.CharField(
                choices=[
                    ("sold", "Sold"),
                    ("gone", "Gone"),
                    ("taken", "Taken"),
                    ("linked", "Linked"),
                    ("created", "Created"),
                    ("lowered", "Lowered"),
                    ("raised", "Raised"),
                    ("removed", "Removed"),
                    ("changed", "Changed"),
                ],
                max_length=10,
            ),
        ),
    ]

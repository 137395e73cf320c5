from django.db import migrations

RENAMED = {
    "exports.write_file": "exports.export_items",
    "inventory.apply_sync": "inventory.sync_bsx",
}


def rename(pairs):
    def change(apps, schema_editor):
        jobs = apps.get_model("core", "Job").objects.using(schema_editor.connection.alias)
        for before, after in pairs.items():
            jobs.filter(kind=before).update(kind=after)

    return change


class Migration(migrations.Migration):
    """Jobs are called as an operator sees them in Celery's tools; those that wait go on."""

    dependencies = [
        ("exports", "0002_more_kinds_of_files"),
        ("core", "0003_keep_what_a_job_stumbled_over"),
    ]

    operations = [
        migrations.RunPython(rename(RENAMED), rename({new: old for old, new in RENAMED.items()}))
    ]

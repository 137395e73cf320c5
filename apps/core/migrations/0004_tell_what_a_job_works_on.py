"""What a job works on stands in rows of its own; those that are not done yet say it in their payload."""

import django.db.models.deletion
from django.db import migrations, models

KEYS = {"batch_id": "batch", "batch_ids": "batch", "act_id": "act", "listing_ids": "listing"}


def name_subjects(apps, schema_editor):
    subject = apps.get_model("core", "JobSubject")
    jobs = apps.get_model("core", "Job").objects.all()
    found = []
    for pk, payload in jobs.values_list("pk", "payload").iterator(chunk_size=100):
        for key, what in KEYS.items():
            named = payload.get(key) if isinstance(payload, dict) else None
            ids = named if isinstance(named, list) else [named]
            found += [subject(job_id=pk, what=what, subject_id=one) for one in ids if one]
    subject.objects.bulk_create(found, batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("core", "0003_keep_what_a_job_stumbled_over")]

    operations = [
        migrations.CreateModel(
            name="JobSubject",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("what", models.CharField(max_length=20)),
                ("subject_id", models.BigIntegerField()),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="subjects",
                        to="core.job",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["what", "subject_id"], name="jobsubject_of_a_thing")
                ],
            },
        ),
        migrations.RunPython(name_subjects, migrations.RunPython.noop),
    ]

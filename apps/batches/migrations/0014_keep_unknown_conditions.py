"""Conditions that were not understood are kept."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("batches", "0013_log_acts_on_rows"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="batchitem",
            name="batchitem_condition_new_or_used",
        ),
        migrations.AddField(
            model_name="batchitem",
            name="condition_text",
            field=models.TextField(
                blank=True,
                db_default="",
                default="",
                help_text="of a condition that was not understood",
            ),
        ),
        migrations.AlterField(
            model_name="batchitem",
            name="condition",
            field=models.CharField(
                choices=[("N", "new"), ("U", "used"), ("?", "not understood")],
                default="U",
                max_length=1,
            ),
        ),
        migrations.AddConstraint(
            model_name="batchitem",
            constraint=models.CheckConstraint(
                condition=models.Q(("condition__in", ["N", "U", "?"])),
                name="batchitem_condition_is_one",
            ),
        ),
    ]

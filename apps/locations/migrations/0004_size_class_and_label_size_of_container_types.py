from django.db import migrations, models

import apps.locations.models


class Migration(migrations.Migration):
    dependencies = [
        ("locations", "0003_keep_when_a_label_was_printed"),
    ]

    operations = [
        migrations.AddField(
            model_name="containertype",
            name="size_class",
            field=models.CharField(
                blank=True,
                choices=[("small", "small"), ("medium", "medium"), ("large", "large")],
                default="",
                help_text="empty: not told",
                max_length=6,
            ),
        ),
        migrations.AddField(
            model_name="containertype",
            name="label_size",
            field=models.CharField(
                blank=True,
                choices=apps.locations.models.papers,
                default="",
                help_text=(
                    "what labels of its locations are printed on; empty: whatever was used last"
                ),
                max_length=40,
            ),
        ),
        migrations.AddConstraint(
            model_name="containertype",
            constraint=models.CheckConstraint(
                condition=models.Q(("size_class__in", ["", "small", "medium", "large"])),
                name="containertype_size_class_is_known",
            ),
        ),
    ]

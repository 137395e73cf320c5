import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.core.new_tables import NewTables


class Migration(NewTables):
    replaces = [
        ("sources", "0005_names_once_in_any_case"),
        ("sources", "0002_ignore_the_width_of_names"),
    ]

    initial = True

    dependencies = [
        ("accounts", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="Source",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "name_key",
                    models.TextField(editable=False, help_text="the name without regard to case"),
                ),
                ("twin", models.PositiveBigIntegerField(default=0, editable=False)),
                ("name", models.CharField(max_length=200)),
                ("notes", models.TextField(blank=True, default="")),
            ],
            options={
                "ordering": ("name", "id"),
                "indexes": [
                    models.Index(
                        condition=models.Q(("twin__gt", 0)), fields=["owner"], name="source_twins"
                    ),
                    models.Index(fields=["owner", "id"], name="source_list_by_making"),
                    models.Index(
                        fields=["owner", "-updated_at", "-id"], name="source_list_by_change"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "name"), name="source_name_once_per_owner"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("twin", 0)),
                        fields=("owner", "name_key"),
                        name="source_name_once_in_any_case",
                    ),
                ],
            },
        ),
    ]

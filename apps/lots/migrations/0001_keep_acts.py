import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

KINDS = [
    ("move", "moved"),
    ("split", "split"),
    ("consolidate", "consolidated"),
    ("count", "counted"),
    ("reprice", "re-priced"),
    ("edit", "edited"),
    ("sync", "synced with the store"),
    ("name", "named"),
    ("currency", "kept in another currency"),
    ("spreadCost", "cost spread"),
    ("recommend", "locations planned"),
    ("copy", "copied to another batch"),
    ("merge", "merged into another batch"),
    ("stow", "stowed"),
    ("remove", "removed"),
    ("markListed", "marked as listed or no longer"),
]


class Migration(migrations.Migration):
    """The tables are those that `inventory` had. Acts of batches come into them too."""

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("batches", "0016_sort_batches_in_natural_order"),
        ("inventory", "0030_move_acts_to_lots"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="KeptAct",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("updated_at", models.DateTimeField(auto_now=True)),
                        ("kind", models.CharField(choices=KINDS, max_length=12)),
                        (
                            "note",
                            models.TextField(
                                blank=True, default="", help_text="what it was, for people"
                            ),
                        ),
                        (
                            "row_count",
                            models.PositiveIntegerField(
                                default=0, help_text="rows that it changed or made"
                            ),
                        ),
                        ("undone_at", models.DateTimeField(null=True)),
                        (
                            "by",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
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
                    ],
                    options={"verbose_name": "act", "ordering": ("-id",)},
                ),
                migrations.CreateModel(
                    name="ActChunk",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        (
                            "table",
                            models.CharField(blank=True, db_default="", default="", max_length=60),
                        ),
                        ("rows", models.JSONField(default=list)),
                        ("undone_at", models.DateTimeField(null=True)),
                        (
                            "act",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="chunks",
                                to="lots.keptact",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "act chunk",
                        "ordering": ("number",),
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("act", "number"), name="actchunk_number_once"
                            )
                        ],
                    },
                ),
            ]
        ),
        migrations.AddField(
            model_name="keptact",
            name="batch",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="batches.batch",
            ),
        ),
        migrations.AddField(
            model_name="keptact",
            name="former_id",
            field=models.BigIntegerField(
                editable=False,
                help_text="its id in 0.2.0, where acts of batches had their own",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="keptact",
            index=models.Index(
                condition=models.Q(("batch", None)),
                fields=["owner", "-id"],
                name="keptact_of_stock",
            ),
        ),
        migrations.AddIndex(
            model_name="keptact",
            index=models.Index(fields=["batch", "-created_at"], name="keptact_of_batch"),
        ),
    ]

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

OPERATIONS: list[Operation] = [
    migrations.CreateModel(
        name="KeptAct",
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
                "batch",
                models.ForeignKey(
                    db_index=False,
                    null=True,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="+",
                    to="batches.batch",
                ),
            ),
            (
                "kind",
                models.CharField(
                    choices=[
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
                    ],
                    max_length=12,
                ),
            ),
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
            ("note", models.TextField(blank=True, default="", help_text="what it was, for people")),
            (
                "row_count",
                models.PositiveIntegerField(default=0, help_text="rows that it changed or made"),
            ),
            ("undone_at", models.DateTimeField(null=True)),
            (
                "former_id",
                models.BigIntegerField(
                    editable=False,
                    help_text="its id in 0.2.0, where acts of batches had their own",
                    null=True,
                ),
            ),
        ],
        options={
            "verbose_name": "act",
            "ordering": ("-id",),
            "indexes": [
                models.Index(
                    condition=models.Q(("batch", None)),
                    fields=["owner", "-id"],
                    name="keptact_of_stock",
                ),
                models.Index(fields=["batch", "-created_at"], name="keptact_of_batch"),
            ],
        },
    ),
    migrations.CreateModel(
        name="ActChunk",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            (
                "act",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="chunks",
                    to="lots.keptact",
                ),
            ),
            ("number", models.PositiveIntegerField()),
            ("table", models.CharField(blank=True, db_default="", default="", max_length=60)),
            ("rows", models.JSONField(default=list)),
            ("undone_at", models.DateTimeField(null=True)),
        ],
        options={
            "verbose_name": "act chunk",
            "ordering": ("number",),
            "constraints": [
                models.UniqueConstraint(fields=("act", "number"), name="actchunk_number_once")
            ],
        },
    ),
]

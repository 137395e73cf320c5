import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.core.ownership
from apps.core.new_tables import NewTables


class Migration(NewTables):
    replaces = [
        ("recognition", "0005_keep_longer_vectors"),
        ("recognition", "0006_keep_who_sat_at_the_station"),
        ("recognition", "0007_keep_a_sitting_of_each_person"),
    ]

    initial = True

    dependencies = [
        ("accounts", "__first__"),
        ("catalog", "0009_search_by_length_of_names"),
    ]

    operations = [
        migrations.CreateModel(
            name="StationSitting",
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
                    "key",
                    models.CharField(help_text="the browser's name for the sitting", max_length=64),
                ),
                (
                    "by",
                    models.ForeignKey(
                        db_index=False,
                        default=apps.core.ownership.acting_person,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("started_at", models.DateTimeField()),
                (
                    "acted_at",
                    models.DateTimeField(help_text="the last act: the pace is measured until then"),
                ),
                ("adds", models.PositiveIntegerField(default=0)),
                ("pieces", models.PositiveIntegerField(default=0)),
                ("keys", models.PositiveIntegerField(default=0)),
                ("undos", models.PositiveIntegerField(default=0)),
                ("captures", models.PositiveIntegerField(default=0)),
                ("not_found", models.PositiveIntegerField(default=0)),
                ("accept_p50_ms", models.PositiveIntegerField(blank=True, null=True)),
                ("accept_p90_ms", models.PositiveIntegerField(blank=True, null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["owner", "-started_at", "-id"], name="stationsitting_newest"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "by", "key"), name="stationsitting_once_per_person"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("acted_at__gte", models.F("started_at"))),
                        name="stationsitting_ends_after_it_began",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="WrongMatch",
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
                ("provider", models.CharField(max_length=40)),
                ("listing_id", models.CharField(blank=True, default="", max_length=100)),
                (
                    "seen_type",
                    models.CharField(
                        choices=[
                            ("PART", "Part"),
                            ("GEAR", "Gear"),
                            ("MINIFIG", "Minifigure"),
                            ("SET", "Set"),
                            ("BOOK", "Book"),
                            ("INSTRUCTION", "Instruction"),
                            ("ORIGINAL_BOX", "Original box"),
                            ("CATALOG", "Catalog"),
                            ("UNSORTED_LOT", "Unsorted lot"),
                        ],
                        max_length=16,
                    ),
                ),
                ("seen_number", models.CharField(max_length=64)),
                ("score", models.FloatField(help_text="the recogniser's confidence, 0 to 1")),
                (
                    "right_type",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("PART", "Part"),
                            ("GEAR", "Gear"),
                            ("MINIFIG", "Minifigure"),
                            ("SET", "Set"),
                            ("BOOK", "Book"),
                            ("INSTRUCTION", "Instruction"),
                            ("ORIGINAL_BOX", "Original box"),
                            ("CATALOG", "Catalog"),
                            ("UNSORTED_LOT", "Unsorted lot"),
                        ],
                        default="",
                        max_length=16,
                    ),
                ),
                ("right_number", models.CharField(blank=True, default="", max_length=64)),
            ],
            options={
                "verbose_name_plural": "wrong matches",
                "indexes": [models.Index(fields=["owner", "-id"], name="wrongmatch_newest")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("score__gte", 0), ("score__lte", 1)),
                        name="wrongmatch_score_is_a_share",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Capture",
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
                    "item",
                    models.ForeignKey(
                        help_text="what it is, as the person said",
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="catalog.item",
                    ),
                ),
                (
                    "color_id",
                    models.PositiveBigIntegerField(
                        blank=True,
                        help_text="the colour that the person chose; null: none was chosen",
                        null=True,
                    ),
                ),
                (
                    "seen_number",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="what came first; blank: nothing did",
                        max_length=64,
                    ),
                ),
                (
                    "was_right",
                    models.BooleanField(default=False, help_text="what came first is what it is"),
                ),
                (
                    "model",
                    models.CharField(
                        help_text="the version of the model that saw it", max_length=64
                    ),
                ),
                (
                    "vector",
                    models.CharField(help_text="16-bit numbers, in base64", max_length=1000),
                ),
                (
                    "crop",
                    models.CharField(
                        help_text="a JPEG of the part alone, in base64", max_length=20000
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["owner", "-id"], name="capture_newest")],
            },
        ),
    ]

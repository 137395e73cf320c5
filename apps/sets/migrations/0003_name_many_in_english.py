import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.core.new_tables import NewTables


class Migration(NewTables):
    initial = True

    dependencies = [
        ("accounts", "__first__"),
        ("catalog", "0009_search_by_length_of_names"),
        ("core", "0004_tell_what_a_job_works_on"),
        ("locations", "0010_describe_an_empty_size_class"),
        ("sources", "0005_names_once_in_any_case"),
    ]

    operations = [
        migrations.CreateModel(
            name="UserSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("to_check", "To check"),
                            ("to_build", "To build"),
                            ("in_progress", "In progress"),
                            ("complete", "Complete"),
                            ("for_sale", "For sale"),
                            ("sold", "Sold"),
                        ],
                        default="in_progress",
                        max_length=12,
                    ),
                ),
                ("notes", models.TextField(blank=True, default="")),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalog.item",
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
                ("acquired_on", models.DateField(blank=True, null=True)),
                (
                    "condition",
                    models.CharField(
                        choices=[("N", "new"), ("U", "used")], default="U", max_length=1
                    ),
                ),
                (
                    "inventory",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="catalog.iteminventory",
                    ),
                ),
                (
                    "location",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="locations.location",
                    ),
                ),
                (
                    "minifigs_as",
                    models.CharField(
                        choices=[("whole", "whole minifigs"), ("parts", "their parts")],
                        default="whole",
                        max_length=5,
                    ),
                ),
                (
                    "price_paid",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="for all of them, in the store's currency",
                        max_digits=12,
                        null=True,
                    ),
                ),
                (
                    "quantity",
                    models.PositiveIntegerField(default=1, help_text="how many of the set"),
                ),
                (
                    "source",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="sources.source",
                    ),
                ),
                (
                    "sub_condition",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "none"),
                            ("C", "complete"),
                            ("I", "incomplete"),
                            ("M", "sealed"),
                        ],
                        default="",
                        max_length=1,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["owner", "-updated_at", "-id"], name="userset_list_by_change"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                [
                                    "to_check",
                                    "to_build",
                                    "in_progress",
                                    "complete",
                                    "for_sale",
                                    "sold",
                                ],
                            )
                        ),
                        name="userset_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("quantity__gte", 1)), name="userset_is_at_least_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("price_paid__isnull", True), ("price_paid__gte", 0), _connector="OR"
                        ),
                        name="userset_price_not_negative",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SetRequirement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("quantity_required", models.PositiveIntegerField()),
                ("quantity_on_hand", models.PositiveIntegerField(default=0)),
                (
                    "lot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalog.lot",
                    ),
                ),
                (
                    "user_set",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="requirements",
                        to="sets.userset",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user_set", "lot"), name="setrequirement_lot_once_per_set"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("quantity_required__gte", 1)),
                        name="setrequirement_requires_at_least_one",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("quantity_on_hand__lte", models.F("quantity_required"))
                        ),
                        name="setrequirement_has_no_more_than_required",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BuildSearch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "least_pieces",
                    models.PositiveIntegerField(help_text="smaller sets are left out"),
                ),
                (
                    "least_percent",
                    models.PositiveSmallIntegerField(help_text="of the pieces in stock"),
                ),
                (
                    "set_count",
                    models.PositiveIntegerField(
                        default=0, help_text="sets whose contents are known"
                    ),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="+",
                        to="core.job",
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
            options={
                "abstract": False,
                "verbose_name_plural": "build searches",
            },
        ),
        migrations.CreateModel(
            name="BuildableSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("pieces_required", models.PositiveIntegerField()),
                ("pieces_in_stock", models.PositiveIntegerField()),
                ("lots_missing", models.PositiveIntegerField()),
                ("percent", models.DecimalField(decimal_places=2, max_digits=5)),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalog.item",
                    ),
                ),
                (
                    "found_by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="found",
                        to="sets.buildsearch",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["found_by", "-percent", "id"], name="buildableset_best_first"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("pieces_in_stock__lte", models.F("pieces_required"))),
                        name="buildableset_has_no_more_than_required",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SetTake",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("lines", models.JSONField(default=list)),
                ("piece_count", models.PositiveIntegerField(default=0)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="sets.userset",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
    ]

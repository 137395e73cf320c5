import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.locations.models
import apps.locations.rules.sizes
from apps.core.new_tables import NewTables


def leave_room(apps, schema_editor):
    """Leave a third of each page free, so that counting pieces rewrites no index.

    No index holds the counters, but a page without room moves the row, and with it an entry
    of each index: 22 µs a row in an import, 4 with room.
    """
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE locations_location SET (fillfactor = 65)")


class Migration(NewTables):
    replaces = [
        ("locations", "0010_describe_an_empty_size_class"),
        ("locations", "0002_ignore_the_width_of_names"),
    ]

    initial = True

    dependencies = [
        ("accounts", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="ContainerType",
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
                (
                    "max_item_count",
                    models.PositiveIntegerField(blank=True, help_text="pieces", null=True),
                ),
                (
                    "max_total_weight",
                    models.DecimalField(
                        blank=True, decimal_places=4, help_text="grams", max_digits=14, null=True
                    ),
                ),
                (
                    "min_item_weight",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="grams of one piece",
                        max_digits=14,
                        null=True,
                    ),
                ),
                (
                    "max_item_weight",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="grams of one piece",
                        max_digits=14,
                        null=True,
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                (
                    "size_class",
                    models.CharField(
                        blank=True,
                        choices=[("small", "small"), ("medium", "medium"), ("large", "large")],
                        default="",
                        help_text="empty if not known",
                        max_length=6,
                    ),
                ),
                (
                    "label_size",
                    models.CharField(
                        blank=True,
                        choices=apps.locations.models.papers,
                        default="",
                        help_text="what labels of its locations are printed on; empty: whatever was used last",
                        max_length=40,
                    ),
                ),
            ],
            options={
                "verbose_name": "container type",
                "ordering": ("name", "id"),
                "indexes": [
                    models.Index(
                        condition=models.Q(("twin__gt", 0)),
                        fields=["owner"],
                        name="containertype_twins",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("max_total_weight", None),
                                ("max_total_weight__gte", 0),
                                _connector="OR",
                            ),
                            models.Q(
                                ("min_item_weight", None),
                                ("min_item_weight__gte", 0),
                                _connector="OR",
                            ),
                            models.Q(
                                ("max_item_weight", None),
                                ("max_item_weight__gte", 0),
                                _connector="OR",
                            ),
                        ),
                        name="containertype_weights_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("min_item_weight", None),
                            ("max_item_weight", None),
                            ("min_item_weight__lte", models.F("max_item_weight")),
                            _connector="OR",
                        ),
                        name="containertype_item_weight_range_in_order",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "size_class__in",
                                [
                                    "",
                                    apps.locations.rules.sizes.SizeClass["SMALL"],
                                    apps.locations.rules.sizes.SizeClass["MEDIUM"],
                                    apps.locations.rules.sizes.SizeClass["LARGE"],
                                ],
                            )
                        ),
                        name="containertype_size_class_is_known",
                    ),
                    models.UniqueConstraint(
                        fields=("owner", "name"), name="containertype_name_once_per_owner"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("twin", 0)),
                        fields=("owner", "name_key"),
                        name="containertype_name_once_in_any_case",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Location",
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
                (
                    "max_item_count",
                    models.PositiveIntegerField(blank=True, help_text="pieces", null=True),
                ),
                (
                    "max_total_weight",
                    models.DecimalField(
                        blank=True, decimal_places=4, help_text="grams", max_digits=14, null=True
                    ),
                ),
                (
                    "min_item_weight",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="grams of one piece",
                        max_digits=14,
                        null=True,
                    ),
                ),
                (
                    "max_item_weight",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="grams of one piece",
                        max_digits=14,
                        null=True,
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                (
                    "code",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="what its label's LOC: says",
                        max_length=100,
                    ),
                ),
                (
                    "sort_key",
                    models.TextField(editable=False, help_text="natural order: A-2 before A-10"),
                ),
                ("description", models.TextField(blank=True, default="")),
                (
                    "container_type",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="locations",
                        to="locations.containertype",
                    ),
                ),
                (
                    "item_count",
                    models.PositiveBigIntegerField(
                        default=0, editable=False, help_text="pieces in it"
                    ),
                ),
                (
                    "stored_weight",
                    models.DecimalField(
                        decimal_places=4,
                        default=0,
                        editable=False,
                        help_text="grams in it",
                        max_digits=18,
                    ),
                ),
                (
                    "is_full",
                    models.BooleanField(
                        default=False, help_text="a person says so; nothing goes in"
                    ),
                ),
                (
                    "label_printed_at",
                    models.DateTimeField(
                        editable=False,
                        help_text="when a label with its name was last made",
                        null=True,
                    ),
                ),
                ("exclude_from_recommendations", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ("sort_key", "id"),
                "indexes": [
                    models.Index(
                        condition=models.Q(("twin__gt", 0)), fields=["owner"], name="location_twins"
                    ),
                    models.Index(fields=["owner", "sort_key", "id"], name="location_list_in_order"),
                    models.Index(fields=["owner", "id"], name="location_list_by_making"),
                    models.Index(
                        fields=["owner", "-updated_at", "-id"], name="location_list_by_change"
                    ),
                    models.Index(
                        condition=models.Q(("label_printed_at", None)),
                        fields=["owner", "sort_key", "id"],
                        name="location_without_a_label",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("max_total_weight", None),
                                ("max_total_weight__gte", 0),
                                _connector="OR",
                            ),
                            models.Q(
                                ("min_item_weight", None),
                                ("min_item_weight__gte", 0),
                                _connector="OR",
                            ),
                            models.Q(
                                ("max_item_weight", None),
                                ("max_item_weight__gte", 0),
                                _connector="OR",
                            ),
                        ),
                        name="location_weights_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("min_item_weight", None),
                            ("max_item_weight", None),
                            ("min_item_weight__lte", models.F("max_item_weight")),
                            _connector="OR",
                        ),
                        name="location_item_weight_range_in_order",
                    ),
                    models.UniqueConstraint(
                        fields=("owner", "name"), name="location_name_once_per_owner"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("twin", 0)),
                        fields=("owner", "name_key"),
                        name="location_name_once_in_any_case",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("code", ""), _negated=True),
                        fields=("owner", "code"),
                        name="location_code_once_per_owner",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("item_count__gte", 0)),
                        name="location_item_count_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("stored_weight__gte", 0)),
                        name="location_stored_weight_not_negative",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PastLocation",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "id",
                    models.BigIntegerField(
                        help_text="the id that the location had", primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=100)),
            ],
            options={
                "verbose_name": "past location",
                "indexes": [models.Index(fields=["owner", "name"], name="pastlocation_by_name")],
            },
        ),
        migrations.RunPython(leave_room),
    ]

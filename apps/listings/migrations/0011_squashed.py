import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.core.new_tables import NewTables


class Migration(NewTables):
    replaces = [
        ("listings", "0004_lots_that_moved"),
        ("listings", "0005_lots_that_are_raised"),
        ("listings", "0006_one_plan_for_both_ways"),
        ("listings", "0007_channel_of_a_row_of_a_sync"),
        ("listings", "0008_name_the_channel_of_open_rows"),
        ("listings", "0009_lots_put_up_at_a_channel"),
        ("listings", "0010_seen_by_channels"),
        ("listings", "0011_drop_seen_of_syncs"),
    ]

    initial = True

    dependencies = [
        ("accounts", "__first__"),
        ("batches", "0013_log_acts_on_rows"),
        ("inventory", "0032_lots_of_channels"),
    ]

    operations = [
        migrations.CreateModel(
            name="Listing",
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
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "channel",
                    models.ForeignKey(
                        db_index=False,
                        help_text="of a lot of the stock that a sync puts up there; else of the first channel",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="inventory.channel",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("create", "Create"), ("top_up", "Top Up"), ("move", "Move")],
                        max_length=6,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planned", "Planned"),
                            ("sending", "Sending"),
                            ("unknown", "Unknown"),
                            ("listed", "Listed"),
                            ("rejected", "Rejected"),
                        ],
                        default="planned",
                        max_length=8,
                    ),
                ),
                ("target", models.CharField(max_length=80)),
                ("mark", models.CharField(max_length=9)),
                ("name", models.CharField(blank=True, default="", max_length=400)),
                (
                    "inventory_item",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="inventory.inventoryitem",
                    ),
                ),
                (
                    "quantity",
                    models.PositiveIntegerField(help_text="of a new lot, or added to one"),
                ),
                (
                    "price",
                    models.DecimalField(
                        decimal_places=4,
                        help_text="empty: a lot that was moved has none here",
                        max_digits=12,
                        null=True,
                    ),
                ),
                ("stockroom", models.CharField(blank=True, default="", max_length=1)),
                ("marketplace_lot_id", models.BigIntegerField(blank=True, null=True)),
                ("is_accepted", models.BooleanField(default=False)),
                ("reason", models.TextField(blank=True, default="")),
                (
                    "job_id",
                    models.UUIDField(blank=True, help_text="the job that lists it", null=True),
                ),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "missed_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="when it was first looked for in the store in vain",
                        null=True,
                    ),
                ),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["owner", "-created_at"], name="listing_newest_first"),
                    models.Index(
                        condition=models.Q(("state__in", ["planned", "sending", "unknown"])),
                        fields=["job_id"],
                        name="listing_open_of_a_job",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["planned", "sending", "unknown"])),
                        fields=("owner", "target"),
                        name="listing_of_a_lot_open_once",
                    ),
                    models.UniqueConstraint(fields=("owner", "mark"), name="listing_mark_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "listed"), _negated=True),
                            ("marketplace_lot_id__isnull", False),
                            _connector="OR",
                        ),
                        name="listing_listed_has_its_lot",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "rejected"), _negated=True),
                            models.Q(("reason", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="listing_rejected_has_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ListingLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "listing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lines",
                        to="listings.listing",
                    ),
                ),
                (
                    "batch_item",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="listing_lines",
                        to="batches.batchitem",
                    ),
                ),
                (
                    "inventory_item_id",
                    models.BigIntegerField(
                        blank=True, help_text="the stock row that holds the pieces", null=True
                    ),
                ),
                ("quantity", models.PositiveIntegerField()),
                ("is_open", models.BooleanField(default=True)),
            ],
            options={
                "verbose_name": "line of a listing",
                "verbose_name_plural": "lines of listings",
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("is_open", True)),
                        fields=("batch_item",),
                        name="listingline_item_open_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("batch_item__isnull", True), ("is_open", True)),
                        fields=("inventory_item_id",),
                        name="listingline_row_open_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("batch_item__isnull", False),
                            ("inventory_item_id__isnull", False),
                            _connector="OR",
                        ),
                        name="listingline_is_for_something",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="StoreSchedule",
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
                    "owner",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("minutes", models.PositiveSmallIntegerField(default=0)),
                (
                    "conflicts",
                    models.CharField(
                        choices=[("mine", "mine"), ("theirs", "theirs"), ("ask", "ask")],
                        default="mine",
                        max_length=6,
                    ),
                ),
                (
                    "started_at",
                    models.DateTimeField(blank=True, help_text="the last by schedule", null=True),
                ),
                (
                    "problem",
                    models.TextField(
                        blank=True,
                        default="",
                        help_text="why it waits for the person; '' while it runs",
                    ),
                ),
            ],
            options={
                "verbose_name": "schedule of a store's sync",
                "verbose_name_plural": "schedules of stores' syncs",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("minutes__in", (0, 10, 30, 60))),
                        name="storeschedule_known_minutes",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="StoreSync",
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
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("batch_id", models.BigIntegerField(blank=True, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planning", "Planning"),
                            ("planned", "Planned"),
                            ("applying", "Applying"),
                            ("applied", "Applied"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="planning",
                        max_length=9,
                    ),
                ),
                (
                    "way",
                    models.CharField(
                        choices=[("compare", "Compare"), ("cycle", "Cycle")],
                        default="compare",
                        max_length=7,
                    ),
                ),
                ("is_scheduled", models.BooleanField(default=False)),
                (
                    "is_quiet",
                    models.BooleanField(
                        default=False,
                        help_text="nothing new came of it: the next one takes its place",
                    ),
                ),
                (
                    "import_id",
                    models.BigIntegerField(
                        blank=True,
                        help_text="the import by which the store's changes came",
                        null=True,
                    ),
                ),
                ("counts", models.JSONField(default=dict)),
                ("reason", models.TextField(blank=True, default="")),
                ("job_id", models.UUIDField(blank=True, null=True)),
                ("applied_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "store sync",
                "indexes": [
                    models.Index(fields=["owner", "-created_at"], name="storesync_newest_first")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["planning", "applying"])),
                        fields=("owner",),
                        name="storesync_one_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("applied_at__isnull", False), ("state", "applied")),
                            models.Q(
                                models.Q(("state", "applied"), _negated=True),
                                ("applied_at__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="storesync_applied_has_its_instant",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="StoreSyncRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "sync",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rows",
                        to="listings.storesync",
                    ),
                ),
                (
                    "channel",
                    models.ForeignKey(
                        db_index=False,
                        help_text="where it differs; none of a sync from before channels",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="inventory.channel",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("sold", "Sold"),
                            ("gone", "Gone"),
                            ("taken", "Taken"),
                            ("linked", "Linked"),
                            ("created", "Created"),
                            ("lowered", "Lowered"),
                            ("raised", "Raised"),
                            ("put_up", "Put Up"),
                            ("removed", "Removed"),
                            ("changed", "Changed"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planned", "Planned"),
                            ("sending", "Sending"),
                            ("applied", "Applied"),
                            ("skipped", "Skipped"),
                            ("failed", "Failed"),
                        ],
                        default="planned",
                        max_length=7,
                    ),
                ),
                ("name", models.CharField(blank=True, default="", max_length=400)),
                ("marketplace_lot_id", models.BigIntegerField()),
                (
                    "inventory_item_ids",
                    models.JSONField(default=list, help_text="our rows of this lot"),
                ),
                (
                    "quantity_here",
                    models.PositiveIntegerField(default=0, help_text="of what is listed"),
                ),
                ("quantity_there", models.PositiveIntegerField(default=0)),
                ("changes", models.JSONField(default=list, help_text="[{field, here, there}]")),
                ("mark", models.CharField(blank=True, default="", max_length=9)),
                (
                    "sent",
                    models.JSONField(
                        default=dict, help_text="what the call changes: values and delta"
                    ),
                ),
                ("reason", models.TextField(blank=True, default="")),
            ],
            options={
                "verbose_name": "row of a store sync",
                "verbose_name_plural": "rows of store syncs",
                "indexes": [
                    models.Index(fields=["sync", "kind", "id"], name="storesyncrow_of_a_kind")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state__in", ["skipped", "failed"]), _negated=True),
                            models.Q(("reason", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="storesyncrow_left_has_a_reason",
                    )
                ],
            },
        ),
    ]

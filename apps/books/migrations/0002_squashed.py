from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import apps.books.models
from apps.core.new_tables import NewTables

_kept = import_module("apps.books.migrations.0002_keep_invoices_as_issued")


class Migration(NewTables):
    replaces = [("books", "0001_keep_books"), ("books", "0002_keep_invoices_as_issued")]

    initial = True

    dependencies = [
        ("accounts", "__first__"),
        ("orders", "0004_find_lines_by_item"),
    ]

    operations = [
        migrations.CreateModel(
            name="BooksSetting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="books_setting",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "modes",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="since, mode, country, uses_oss: how taxed from when",
                    ),
                ),
                (
                    "rates",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="country, since, percent: instead of the app's",
                    ),
                ),
                (
                    "accounts",
                    models.JSONField(
                        default=apps.books.models.default_accounts,
                        help_text="numbers in files of bookings",
                    ),
                ),
                ("invoice_prefix", models.CharField(blank=True, default="", max_length=20)),
                (
                    "first_serial",
                    models.PositiveIntegerField(default=1, help_text="of the first invoice"),
                ),
                (
                    "invoice_years",
                    models.PositiveSmallIntegerField(
                        default=10,
                        help_text="buyers' names and addresses stay on invoices for so long",
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name="Invoice",
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
                ("serial", models.PositiveIntegerField(help_text="1, 2, 3: without a gap")),
                ("number", models.CharField(help_text="as printed", max_length=40)),
                (
                    "kind",
                    models.CharField(
                        choices=[("invoice", "Invoice"), ("credit", "Credit note")], max_length=7
                    ),
                ),
                ("issued_at", models.DateTimeField()),
                ("issued_on", models.DateField(help_text="the day in the seller's zone")),
                (
                    "cancels",
                    models.OneToOneField(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="cancelled_by",
                        to="books.invoice",
                    ),
                ),
                (
                    "buyer",
                    models.TextField(
                        blank=True, default="", help_text="blank once its time is over"
                    ),
                ),
                ("currency", models.CharField(max_length=3)),
                (
                    "total",
                    models.DecimalField(
                        decimal_places=4, help_text="negative for a credit note", max_digits=12
                    ),
                ),
                ("content", models.JSONField()),
            ],
            options={
                "ordering": ("-serial",),
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "serial"), name="invoice_serial_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("cancels__isnull", False), ("kind", "credit")),
                            models.Q(("cancels__isnull", True), ("kind", "invoice")),
                            _connector="OR",
                        ),
                        name="invoice_cancels_by_credit",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="InvoicedOrder",
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
                    "invoice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invoiced",
                        to="books.invoice",
                    ),
                ),
                (
                    "order",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="invoiced",
                        to="orders.order",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("owner", "invoice", "order"), name="invoicedorder_once"
                    )
                ],
            },
        ),
        migrations.RunPython(_kept.make_triggers, _kept.drop_triggers),
    ]

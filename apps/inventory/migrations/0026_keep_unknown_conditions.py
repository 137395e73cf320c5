"""Conditions that were not understood are kept, and what words mean to a person."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.inventory.migrations import _triggers


def drop_triggers(apps, schema_editor):
    """SQLite does not rename a table that triggers of others name."""
    if schema_editor.connection.vendor == "sqlite":
        _triggers.drop_triggers(apps, schema_editor)


def make_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        _triggers.make_triggers(apps, schema_editor)


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0025_imports_into_batches"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(drop_triggers, make_triggers),
        migrations.CreateModel(
            name="WordChoice",
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
                    "field",
                    models.CharField(
                        choices=[("condition", "Condition"), ("color", "Color")], max_length=12
                    ),
                ),
                (
                    "text",
                    models.CharField(blank=True, help_text="as the file said it", max_length=255),
                ),
                (
                    "condition",
                    models.CharField(
                        blank=True, choices=[("N", "new"), ("U", "used")], default="", max_length=1
                    ),
                ),
            ],
            options={
                "verbose_name": "choice for a word",
                "verbose_name_plural": "choices for words",
            },
        ),
        migrations.RemoveConstraint(
            model_name="inventoryitem",
            name="inventoryitem_condition_new_or_used",
        ),
        migrations.AddField(
            model_name="inventoryitem",
            name="condition_text",
            field=models.TextField(
                blank=True,
                db_default="",
                default="",
                help_text="of a condition that was not understood",
            ),
        ),
        migrations.AlterField(
            model_name="inventoryitem",
            name="condition",
            field=models.CharField(
                choices=[("N", "new"), ("U", "used"), ("?", "not understood")],
                default="U",
                max_length=1,
            ),
        ),
        migrations.AddConstraint(
            model_name="inventoryitem",
            constraint=models.CheckConstraint(
                condition=models.Q(("condition__in", ["N", "U", "?"])),
                name="inventoryitem_condition_is_one",
            ),
        ),
        migrations.AddField(
            model_name="wordchoice",
            name="act",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="words",
                to="inventory.stockact",
            ),
        ),
        migrations.AddField(
            model_name="wordchoice",
            name="color",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="catalog.color",
            ),
        ),
        migrations.AddField(
            model_name="wordchoice",
            name="owner",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="wordchoice",
            constraint=models.UniqueConstraint(
                fields=("owner", "field", "text"), name="wordchoice_once"
            ),
        ),
        migrations.RunPython(make_triggers, drop_triggers),
    ]

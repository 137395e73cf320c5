"""A lot that is moved may have no price: null, no longer 0."""

from django.db import migrations, models


def to_null(apps, schema_editor):
    apps.get_model("marketplace", "Listing").objects.filter(price=0).update(price=None)


def to_zero(apps, schema_editor):
    apps.get_model("marketplace", "Listing").objects.filter(price=None).update(price=0)


class Migration(migrations.Migration):
    dependencies = [("marketplace", "0004_name_many_in_english")]

    operations = [
        migrations.AlterField(
            model_name="listing",
            name="price",
            field=models.DecimalField(
                decimal_places=4,
                help_text="empty: a lot that was moved has none here",
                max_digits=12,
                null=True,
            ),
        ),
        migrations.RunPython(to_null, to_zero),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("batches", "0007_lead_from_stock_to_batches"),
    ]

    operations = [
        migrations.AddField(
            model_name="batch",
            name="foreign_count",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="pieces thrown out as not LEGO; null: nobody counted",
                null=True,
            ),
        ),
    ]

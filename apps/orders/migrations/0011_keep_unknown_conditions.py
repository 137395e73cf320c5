"""A line may be of a condition that was not understood."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("orders", "0010_remember_forgotten_buyers"),
    ]

    operations = [
        migrations.AlterField(
            model_name="orderline",
            name="condition",
            field=models.CharField(
                choices=[("N", "new"), ("U", "used"), ("?", "not understood")], max_length=1
            ),
        ),
    ]

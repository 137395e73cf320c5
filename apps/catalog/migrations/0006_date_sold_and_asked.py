from django.db import migrations, models
from django.db.models import F


def date_both(apps, _):
    """Until now both halves were always asked for together."""
    apps.get_model("catalog", "PriceStat").objects.update(
        sold_synced_at=F("synced_at"), asked_synced_at=F("synced_at")
    )


class Migration(migrations.Migration):
    dependencies = [("catalog", "0005_name_the_render_of_an_item")]

    operations = [
        migrations.AddField(
            model_name="pricestat",
            name="sold_synced_at",
            field=models.DateTimeField(
                blank=True, help_text="when the market told what it sold for", null=True
            ),
        ),
        migrations.AddField(
            model_name="pricestat",
            name="asked_synced_at",
            field=models.DateTimeField(
                blank=True, help_text="when the market told what it is offered at", null=True
            ),
        ),
        migrations.RunPython(date_both, migrations.RunPython.noop, elidable=True),
    ]

"""Orders of one buyer may share a parcel, and so a tray."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("orders", "0011_keep_unknown_conditions")]

    operations = [
        migrations.AddField(
            model_name="order",
            name="parcel",
            field=models.ForeignKey(
                blank=True,
                help_text="the order of the same buyer in whose parcel it is sent",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="combined",
                to="orders.order",
            ),
        ),
        migrations.RemoveConstraint(model_name="walkorder", name="walkorder_tray_once"),
    ]

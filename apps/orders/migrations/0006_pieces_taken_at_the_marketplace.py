"""Each line keeps how many pieces it takes from its lot at the marketplace."""

from django.db import migrations, models
from django.db.models import F

from apps.exchange.order_statuses import OrderStatus, read_status


def take(apps, schema_editor):
    lines = apps.get_model("orders", "OrderLine").objects.exclude(order__channel="hand")
    # One that was only cancelled here may hold its pieces there.
    words = lines.order_by().values_list("order__status", flat=True).distinct()
    over = [word for word in words if read_status(word).value == OrderStatus.CANCELLED]
    lines.exclude(order__state="cancelled", order__status__in=over).update(taken=F("quantity"))


class Migration(migrations.Migration):
    dependencies = [("orders", "0005_hold_orders_of_unknown_status")]

    operations = [
        migrations.AddField(
            "orderline",
            "taken",
            models.PositiveIntegerField(
                default=0, help_text="pieces that it takes from the lot at the marketplace"
            ),
        ),
        migrations.RunPython(take, migrations.RunPython.noop),
    ]

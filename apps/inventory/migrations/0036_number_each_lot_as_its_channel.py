from django.db import migrations
from django.db.models import F


def number_lots(apps, schema_editor):
    """Give each lot of a channel the number there that its rows have: no lot was in two channels."""
    ChannelLot = apps.get_model("inventory", "ChannelLot")
    ChannelLot.objects.filter(remote_lot_id=None).update(remote_lot_id=F("marketplace_lot_id"))


class Migration(migrations.Migration):
    dependencies = [("inventory", "0035_lots_of_several_channels")]

    operations = [migrations.RunPython(number_lots, migrations.RunPython.noop)]

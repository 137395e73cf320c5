from django.db import migrations
from django.db.models import OuterRef, Subquery

#: The marketplaces that there were: the least id of their lots.
FIRST_LOT_ID = {"bricklink": 1, "brickowl": 10**12 + 1}


def name_channels(apps, schema_editor):
    """Tie connections and calls to channels.

    Calls do not say where they went: they are of the owner's connection, else of BrickLink.
    """
    Channel = apps.get_model("inventory", "Channel")
    Connection = apps.get_model("marketplace", "MarketplaceConnection")
    CallDay = apps.get_model("marketplace", "CallDay")
    connected = dict(Connection.objects.values_list("owner_id", "marketplace"))
    called = CallDay.objects.order_by().values_list("owner_id", flat=True).distinct()
    for owner_id in {*connected, *called}:
        marketplace = connected.get(owner_id, "bricklink")
        channel, _ = Channel.objects.get_or_create(
            owner_id=owner_id,
            marketplace=marketplace,
            defaults={"first_lot_id": FIRST_LOT_ID[marketplace]},
        )
        for model in (Connection, CallDay):
            model.objects.filter(owner_id=owner_id, channel=None).update(channel=channel)


def name_marketplaces(apps, schema_editor):
    """Give each connection the marketplace of its channel back."""
    Channel = apps.get_model("inventory", "Channel")
    channels = Channel.objects.filter(pk=OuterRef("channel"))
    Connection = apps.get_model("marketplace", "MarketplaceConnection")
    Connection.objects.update(marketplace=Subquery(channels.values("marketplace")[:1]))


class Migration(migrations.Migration):
    dependencies = [("marketplace", "0010_connections_of_channels")]

    operations = [migrations.RunPython(name_channels, name_marketplaces)]

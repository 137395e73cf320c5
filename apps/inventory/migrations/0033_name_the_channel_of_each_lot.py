from django.db import migrations
from django.db.models import OuterRef, Subquery

IDS_OF_ONE = 10**12
#: The marketplaces that there were, by the least id of their lots.
MARKETPLACES = ((1, "bricklink"), (IDS_OF_ONE + 1, "brickowl"))


def name_channels(apps, schema_editor):
    """Tie each lot to the channel of its id; an id beyond all ranges came by a file."""
    Channel, ChannelLot = (apps.get_model("inventory", name) for name in ("Channel", "ChannelLot"))
    second = (IDS_OF_ONE + 1, 2 * IDS_OF_ONE)
    lots = ChannelLot.objects.filter(channel=None)
    theirs = (
        lots.exclude(marketplace_lot_id__range=second),
        lots.filter(marketplace_lot_id__range=second),
    )
    for (first, marketplace), some in zip(MARKETPLACES, theirs, strict=True):
        owners = some.order_by().values_list("owner_id", flat=True).distinct()
        Channel.objects.bulk_create(
            [
                Channel(owner_id=owner_id, marketplace=marketplace, first_lot_id=first)
                for owner_id in owners
            ],
            batch_size=500,
        )
        channels = Channel.objects.filter(owner=OuterRef("owner"), marketplace=marketplace)
        some.update(channel=Subquery(channels.values("pk")[:1]))


class Migration(migrations.Migration):
    dependencies = [("inventory", "0032_lots_of_channels")]

    operations = [migrations.RunPython(name_channels, migrations.RunPython.noop)]

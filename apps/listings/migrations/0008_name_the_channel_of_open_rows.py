from django.db import migrations
from django.db.models import OuterRef, Subquery


def name_channels(apps, schema_editor):
    """Name the channel of rows that are not done: each person had one connection."""
    Row = apps.get_model("listings", "StoreSyncRow")
    Connection = apps.get_model("marketplace", "MarketplaceConnection")
    theirs = Connection.objects.filter(owner=OuterRef("sync__owner")).values("channel")
    rows = Row.objects.filter(channel=None, state__in=["planned", "sending"])
    for pk, channel_id in rows.annotate(of=Subquery(theirs[:1])).values_list("pk", "of"):
        Row.objects.filter(pk=pk).update(channel=channel_id)


class Migration(migrations.Migration):
    dependencies = [
        ("listings", "0007_channel_of_a_row_of_a_sync"),
        ("marketplace", "0012_calls_of_channels"),
    ]

    operations = [migrations.RunPython(name_channels, migrations.RunPython.noop)]

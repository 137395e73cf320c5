"""Rename the tables of listings and store syncs for the app `listings`, which has them from now on."""

from django.db import migrations

MODELS = ("Listing", "ListingLine", "StoreSync", "StoreSyncRow")


class Migration(migrations.Migration):
    dependencies = [("marketplace", "0005_no_price_is_null")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.AlterModelTable(name, f"listings_{name.lower()}") for name in MODELS
            ],
            state_operations=[
                # The tables that name another first.
                migrations.DeleteModel(name)
                for name in ("ListingLine", "StoreSyncRow", "Listing", "StoreSync")
            ],
        ),
    ]

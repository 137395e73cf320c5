"""The tables come from `marketplace` with all their rows, and go back with them."""

import pytest
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, transaction

from apps.accounts.models import User

BEFORE = [("marketplace", "0005_no_price_is_null"), ("listings", None)]
AFTER = [("listings", "0001_initial")]


def a_listing(apps, app, owner_id):
    """A listing of unknown outcome with a line for an item that is gone, and a sync with a row."""
    listing = apps.get_model(app, "Listing").objects.create(
        owner_id=owner_id, kind="create", state="unknown", target="t", mark="#babcdefg", quantity=3
    )
    line = apps.get_model(app, "ListingLine").objects.create(
        listing=listing, batch_item_id=4711, quantity=3
    )
    sync = apps.get_model(app, "StoreSync").objects.create(owner_id=owner_id, batch_id=7)
    row = apps.get_model(app, "StoreSyncRow").objects.create(
        sync=sync, kind="sold", marketplace_lot_id=400_000_001, inventory_item_ids=[1, 2]
    )
    return listing, line, sync, row


def content_type(app):
    found = ContentType.objects.filter(app_label=app, model="listing")
    return list(found.values_list("pk", flat=True))


class TestTheMove:
    def test_keeps_every_row_its_ids_and_what_is_refused_there_and_back(self, migrate):
        before = migrate(BEFORE)
        ann = User.objects.create(email_address="ann@example.org")
        listing, line, sync, row = a_listing(before, "marketplace", ann.pk)
        ContentType.objects.filter(app_label="listings").delete()
        kept, _ = ContentType.objects.get_or_create(app_label="marketplace", model="listing")

        after = migrate(AFTER)

        assert (content_type("marketplace"), content_type("listings")) == ([], [kept.pk])
        listed = after.get_model("listings", "Listing").objects
        assert list(listed.values_list("pk", "mark", "state")) == [
            (listing.pk, "#babcdefg", "unknown")
        ]
        lines = after.get_model("listings", "ListingLine").objects
        assert list(lines.values_list("pk", "listing_id", "batch_item_id")) == [
            (line.pk, listing.pk, 4711)
        ]
        rows = after.get_model("listings", "StoreSyncRow").objects
        assert list(rows.values_list("pk", "sync_id", "sync__batch_id", "inventory_item_ids")) == [
            (row.pk, sync.pk, 7, [1, 2])
        ]
        with pytest.raises(IntegrityError), transaction.atomic():
            lines.create(listing_id=listing.pk, batch_item_id=4711, quantity=1)
        with pytest.raises(IntegrityError), transaction.atomic():
            listed.create(owner_id=ann.pk, kind="create", target="t", mark="#bother00", quantity=1)
        assert (
            listed.create(
                owner_id=ann.pk, kind="create", target="u", mark="#bnext000", quantity=1
            ).pk
            > listing.pk
        )

        again = migrate(BEFORE)

        back = again.get_model("marketplace", "Listing").objects
        assert set(back.values_list("mark", flat=True)) == {"#babcdefg", "#bnext000"}
        assert again.get_model("marketplace", "ListingLine").objects.get().batch_item_id == 4711
        assert again.get_model("marketplace", "StoreSyncRow").objects.count() == 1

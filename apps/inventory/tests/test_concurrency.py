"""Two at once, each with a connection of its own. Without the locks these fail on PostgreSQL."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.errors import DomainError
from apps.core.testing.threads import at_once
from apps.inventory.models import InventoryItem, InventorySync
from apps.inventory.services.bsx_sync import SyncOptions, start_sync
from apps.inventory.services.errors import SyncRunning
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.moves import MoveLine, move_items
from apps.inventory.services.stow import StowLine, TakeLine, stow_into, take_out
from apps.inventory.tests.bsx_files import bsx, lot
from apps.inventory.tests.factories import NOON, adjust_quantity, lot_fields, make_stock, quantities
from apps.locations.services.errors import LocationFull
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db(transaction=True)
PEOPLE = 20


def attempt(act):
    """Return what came of it: the result, or the refusal."""
    try:
        return act()
    except DomainError as refusal:
        return refusal


class TestTheLastPlaceOfABin:
    def test_goes_to_exactly_one_of_many(self, ann):
        bin_ = make_location(ann, "B", max_item_count=1)
        fields = [lot_fields() for _ in range(PEOPLE)]

        def stow(number):
            line = StowLine(fields=fields[number], location_id=bin_.pk, quantity=1)
            return stow_into(owner=ann, lines=[line], by=ann, now=NOON)

        results = at_once(stow, threads=PEOPLE)

        assert sum(len(result.stowed) for result in results) == 1
        refusals = [one.refusal for result in results for one in result.refused]
        assert [type(refusal) for refusal in refusals] == [LocationFull] * (PEOPLE - 1)
        bin_.refresh_from_db()
        assert (bin_.item_count, quantities(ann)) == (1, [("B", 1)])
        assert check_ledger().is_sound

    def test_is_shared_by_stowing_moving_and_editing(self, ann):
        bin_ = make_location(ann, "B", max_item_count=4)
        there = make_stock(ann, quantity=2, location=bin_)
        elsewhere = make_stock(ann, quantity=2, location=make_location(ann, "A"))
        fields = lot_fields()
        acts = [
            lambda: stow_into(
                owner=ann,
                lines=[StowLine(fields=fields, location_id=bin_.pk, quantity=2)],
                by=ann,
                now=NOON,
                all_or_nothing=True,
            ),
            lambda: move_items(
                owner=ann,
                lines=[MoveLine(item_id=elsewhere.pk, to_location_id=bin_.pk)],
                by=ann,
                now=NOON,
            ),
            lambda: adjust_quantity(owner=ann, item_id=there.pk, delta=2, by=ann, now=NOON),
        ]

        results = at_once(lambda number: attempt(acts[number]), threads=3)

        refused = [one for one in results if isinstance(one, DomainError)]
        assert [type(one) for one in refused] == [LocationFull, LocationFull]
        bin_.refresh_from_db()
        assert bin_.item_count == 4
        assert check_ledger().is_sound


class TestTheSameRow:
    def test_is_topped_up_by_all_of_many(self, ann):
        bin_ = make_location(ann, "B")
        lot_ = make_lot()

        def stow(number):
            line = StowLine(fields=lot_fields(lot_), location_id=bin_.pk, quantity=number + 1)
            return stow_into(owner=ann, lines=[line], by=ann, now=NOON)

        at_once(stow, threads=PEOPLE)

        assert quantities(ann) == [("B", sum(range(PEOPLE + 1)))]
        assert check_ledger().is_sound

    def test_gives_its_last_pieces_to_exactly_one(self, ann):
        row = make_stock(ann, quantity=3, location=make_location(ann, "B"))

        def take(_):
            line = TakeLine(item_id=row.pk, quantity=3)
            return take_out(owner=ann, lines=[line], by=ann, now=NOON)

        results = at_once(take, threads=PEOPLE)

        assert sum(len(result.taken) for result in results) == 1
        assert quantities(ann) == [("B", 0)]
        assert check_ledger().is_sound

    def test_survives_being_carried_back_and_forth(self, ann):
        a, b = make_location(ann, "A"), make_location(ann, "B")
        rows = [make_stock(ann, quantity=5, location=place) for place in (a, b, a, b)]

        def carry(number):
            to = (b, a)[number % 2]
            lines = [MoveLine(item_id=row.pk, to_location_id=to.pk) for row in rows]
            return attempt(lambda: move_items(owner=ann, lines=lines, by=ann, now=NOON))

        at_once(carry, threads=4)

        assert sum(quantity for _, quantity in quantities(ann)) == 20
        assert InventoryItem.objects.values("location").distinct().count() == 1
        assert check_ledger().is_sound


class TestTwoSyncs:
    def test_of_one_person_at_once_leave_one(self, ann):
        make_lot(make_item("3001"), make_color(5))
        content = bsx(lot())

        def upload(_):
            return attempt(
                lambda: start_sync(
                    owner=ann,
                    file=SimpleUploadedFile("a.bsx", content),
                    file_name="a.bsx",
                    options=SyncOptions(),
                    by=ann,
                )
            )

        results = at_once(upload, threads=4)

        assert sum(isinstance(one, InventorySync) for one in results) == 1
        assert sum(isinstance(one, SyncRunning) for one in results) == 3
        assert all(one.data for one in results if isinstance(one, SyncRunning))
        assert InventorySync.objects.count() == 1

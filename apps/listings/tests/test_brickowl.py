"""List, update and pull at BrickOwl: the same jobs behind the same interface."""

import pytest

from apps.accounts.models import User
from apps.accounts.tests.factories import make_user
from apps.core.clock import now
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.inventory.services.changes import changed_lots
from apps.inventory.services.ledger_check import check_ledger
from apps.listings.models import Listing
from apps.listings.services.listing import NothingToList
from apps.listings.services.sending import LOT_GONE
from apps.listings.tests.conftest import KeptStores
from apps.listings.tests.factories import make_intent
from apps.listings.tests.listing import items_of, list_items, look_again, part, stowed
from apps.listings.tests.test_stock_listing import put_up, take_off
from apps.listings.tests.test_stock_listing import row_of as make_row
from apps.listings.tests.test_store_cycle import cycle, done, edit, more
from apps.listings.tests.test_store_pull import pulled, row_of, told
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.providers.brickowl_wire import LOT_IDS
from apps.marketplace.services import connections
from apps.marketplace.services.wants import want_prices
from apps.marketplace.tests.factories import failing

pytestmark = pytest.mark.django_db


@pytest.fixture
def seller(owl, ann):
    """ann, connected to the demo store at BrickOwl."""
    connections.connect_demo_store(owner=ann, now=now(), marketplace="brickowl")
    return ann


@pytest.fixture
def shop(owl, seller):
    """Her lots there."""
    return owl.sellers.register(f"user-{seller.pk}").stock


def there_of(shop, number):
    return next(lot for lot in shop.all() if lot["number"] == str(number))


class TestList:
    def test_puts_up_what_was_stowed_with_ids_of_its_own(self, seller, shop):
        batch = stowed(seller, 6)

        job = list_items(batch)

        assert (job.state, job.failed_count) == ("succeeded", 0)
        assert all(item.is_listed for item in items_of(batch))
        ids = set(InventoryItem.objects.values_list("marketplace_lot_id", flat=True))
        assert ids == {LOT_IDS.ours(lot["inventory_id"]) for lot in shop.all()}
        assert len(ids) == 6

    @pytest.mark.parametrize("mode", ["cut_after", "half", "after"])
    @pytest.mark.parametrize(("path", "count"), [("create", 1), ("update", 1), ("batch", 6)])
    def test_is_listed_once_whatever_breaks_off(self, owl, seller, shop, count, mode, path):
        failing(owl, mode, method="POST", path=path)
        batch = stowed(seller, count)

        list_items(batch)
        look_again()

        assert all(item.is_listed for item in items_of(batch))
        assert len(shop.all()) == count
        assert set(Listing.objects.values_list("state", flat=True)) == {"listed"}

    def test_tells_which_item_brickowl_has_not_and_lists_the_rest(self, owl, seller, shop):
        owl.catalogue.several["Part", "3003"] = ["111111", "222222"]
        batch = stowed(seller, 6)

        job = list_items(batch)

        assert [row["reason"] for row in job.failed] == [
            "3003 is 2 items at BrickOwl: list it there by hand."
        ]
        assert len(shop.all()) == 5


@pytest.fixture(scope="class")
def stores(rows_of_class, owl_server):
    """ann's store there, which the tests of a class begin with: three rows, here and there."""
    kept = KeptStores(owl_server)
    with kept.change():
        kept.user = make_user("ann")
        connections.connect_demo_store(owner=kept.user, now=now(), marketplace="brickowl")
        rows = [make_row(kept.user, number, 10, price="0.1000") for number in (3001, 3002, 3003)]
        put_up(kept.user, rows)
        pulled(kept.user)
    return kept


class TestInStep:
    @pytest.fixture
    def seller(self, stores, owl):
        stores.begin()
        return User.objects.get(pk=stores.user.pk)

    @pytest.fixture
    def full(self, stores, owl, seller):
        """What is there."""
        return stores.stock(owl)

    def test_does_not_put_up_again_what_is_for_sale(self, seller, full):
        with pytest.raises(NothingToList):
            put_up(seller, list(InventoryItem.objects.all()))

        assert len(full.all()) == 3

    def test_pull_takes_in_what_is_new_there(self, seller, full, owl):
        part(3004)
        (boid,) = owl.catalogue.boids_of("Part", "3004")
        lot = {**there_of(full, 3001), "number": "3004", "boid": boid, "external_id": ""}
        del lot["inventory_id"]
        full.add([{**lot, "personal_note": "B-2", "quantity": 7}])

        assert told(pulled(seller)) == {"created": 1, "unchanged": 3}

        assert (row_of(3004).quantity, row_of(3004).remarks) == (7, "B-2")

    def test_pull_gives_no_lot_a_colour_that_was_not_understood(self, seller, full):
        part(3001, color_id=0)
        known = there_of(full, 3001)["inventory_id"]
        full.change(known, lambda lot: {**lot, "color_id": "9999", "quantity": 8})
        lot = {**there_of(full, 3002), "color_id": "9999", "external_id": ""}
        del lot["inventory_id"]
        full.add([lot])

        pulled(seller)

        row = row_of(3001)
        assert (row.lot.color_id, row.quantity) == (5, 8)
        new = InventoryItem.objects.get(lot=None)
        assert (new.raw_item_number, new.raw_color_id, new.raw_color_name) == (
            "3002",
            None,
            "Brick Owl 9999",
        )

    def test_sync_sends_what_changed_here_and_takes_what_was_sold_there(self, seller, full):
        edit(3001, price="0.2500", comments="Clean")
        more(seller, 3002, 4)
        full.sell(there_of(full, 3002)["inventory_id"], 3)

        sync = cycle(seller)

        assert (sync.state, sync.reason) == ("applied", "")
        assert done(sync) == {"changed": 1, "sent": 2}
        sent = there_of(full, 3001)
        assert (sent["price"], sent["public_note"]) == ("0.250", "Clean")
        assert (row_of(3002).quantity, there_of(full, 3002)["quantity"]) == (11, 11)
        assert changed_lots(owner=seller).lots == 0
        assert check_ledger(owner=seller).is_sound
        assert done(cycle(seller)) == {}

    def test_takes_off_sale_what_is_out_of_stock(self, seller, full):
        more(seller, 3001, -10)

        assert done(cycle(seller)) == {"removed": 1}

        assert [lot["number"] for lot in full.all()] == ["3002", "3003"]

    def test_leaves_lots_of_a_store_elsewhere_as_they_are(self, seller, full):
        elsewhere = make_row(seller, 3004, 10, price="0.1000")
        InventoryItem.objects.filter(pk=elsewhere.pk).update(marketplace_lot_id=400_000_001)

        cycle(seller)

        elsewhere.refresh_from_db()
        assert (elsewhere.quantity, elsewhere.marketplace_lot_id) == (10, 400_000_001)
        assert len(full.all()) == 3

    def test_does_not_reach_another_sellers_lots(self, seller, full, bo, owl):
        connections.connect_demo_store(owner=bo, now=now(), marketplace="brickowl")
        lot_id = LOT_IDS.ours(there_of(full, 3001)["inventory_id"])
        row = make_row(bo, 3001, 10, price="0.1000", place="X-1")
        InventoryItem.objects.filter(pk=row.pk).update(marketplace_lot_id=lot_id)

        job = take_off(bo, [row])

        assert [failed["reason"] for failed in job.failed] == [LOT_GONE]
        assert there_of(full, 3001)["for_sale"] == "1"


class TestTheConnection:
    def test_waits_until_it_is_known_what_became_of_each_call(self, seller, owl):
        make_intent(seller, state="unknown")

        with pytest.raises(connections.CallsOpen):
            connections.disconnect_store(owner=seller)

        MarketplaceConnection.objects.all().delete()
        with pytest.raises(connections.CallsOpen):
            connections.connect_demo_store(owner=seller, now=now(), marketplace="brickowl")

    def test_gets_no_prices_where_none_are_told(self, seller):
        with pytest.raises(connections.NoPricesThere, match=r"BrickOwl \(demo\) tells"):
            want_prices(owner=seller, wanted=[], now=now())

    def test_calls_nobody_unless_connected(self, ann, owl, store):
        part()
        connections.connect_demo_store(owner=ann, now=now())
        put_up(ann, [make_row(ann, 3001, 10, price="0.1000")])
        run_jobs()

        assert dict(owl.calls) == {}

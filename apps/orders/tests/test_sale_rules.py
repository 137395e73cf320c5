"""What is for sale on each of two channels by its rule, over real HTTP."""

from decimal import Decimal

import pytest

from apps.core.clock import now
from apps.core.errors import ValueRefused
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import ChannelLot, ChannelRule
from apps.inventory.services.changes import changed_lots
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.tests.factories import adjust_quantity
from apps.listings.models import StoreSync
from apps.listings.services.store_sync import start_plan
from apps.listings.tests.listing import part
from apps.listings.tests.test_store_pull import row_of
from apps.listings.tests.two_channels import (
    FIRST,
    SECOND,
    draft,
    pieces_here,
    pieces_there,
    pull_second,
    put_up_there,
    sync,
)
from apps.marketplace.api.sale_rules import _AS_MADE
from apps.marketplace.models import MarketplaceConnection
from apps.marketplace.services.sale_rules import change_sale_rule

pytestmark = pytest.mark.django_db


def rule(user, at=SECOND, **values):
    change_sale_rule(owner=user, marketplace=at, values={**_AS_MADE, **values}, now=now())


def price_there(second, number):
    (lot,) = (each for each in second.all() if each["number"] == str(number))
    return Decimal(lot["price"])


@pytest.mark.usefixtures("tied")
class TestPieces:
    def test_are_kept_back_on_the_channel_of_the_rule_only(self, both, first, second):
        rule(both, keep_back=2)

        sync(both)

        assert (pieces_there(first)["3001"], pieces_there(second)["3001"]) == (10, 8)

    def test_sold_there_are_taken_off_the_stock_as_they_are(self, both, first, second, buy_there):
        rule(both, keep_back=2)
        sync(both)
        buy_there(3001, 3)

        sync(both)

        assert pieces_here(both)["3001"] == pieces_there(first)["3001"] == 7
        assert pieces_there(second)["3001"] == 5
        assert check_ledger(owner=both).is_sound

    def test_sold_elsewhere_leave_the_last_ones_kept_back(self, store, both, first, second):
        rule(both, keep_back=2)
        sync(both)
        adjust_quantity(owner=both, item_id=row_of(3001).pk, delta=-8, by=both, now=now())

        sync(both)

        assert pieces_there(first)["3001"] == 2
        assert "3001" not in pieces_there(second)
        assert row_of(3001).marketplace_lot_id is not None

    def test_of_a_small_lot_are_for_sale_on_one_channel_only(self, both, first, second):
        rule(both, least_pieces=11)
        adjust_quantity(owner=both, item_id=row_of(3002).pk, delta=5, by=both, now=now())
        adjust_quantity(owner=both, item_id=row_of(3003).pk, delta=5, by=both, now=now())

        sync(both)

        assert pieces_there(first) == {"3001": 10, "3002": 15, "3003": 15}
        assert pieces_there(second) == {"3002": 15, "3003": 15}
        assert pieces_here(both)["3001"] == 10

    def test_of_no_lot_leave_a_store_that_was_read_in_the_next_syncs(self, both, first, second):
        MarketplaceConnection.objects.update(puts_up=False)  # no plan was applied to either
        sync(both)
        rule(both, FIRST, least_pieces=11)
        removed = StoreSync.objects.latest("pk").reason, sync(both, confirm_removals=3).reason
        assert pieces_there(first) == {}, removed

        ended = sync(both)

        assert (ended.state, ended.reason) == ("applied", "")


@pytest.mark.usefixtures("tied")
class TestPrices:
    def test_follow_from_the_persons_and_never_come_back(self, both, first, second):
        rule(both, percent=Decimal(110), rounding="0.05")

        sync(both)
        ended = sync(both)

        assert price_there(second, 3001) == Decimal("0.1")
        rule(both, percent=Decimal(130), rounding="0.05")
        sync(both)
        assert price_there(second, 3001) == Decimal("0.15")
        assert row_of(3001).price == Decimal("0.1")
        assert ended.counts["sent"] == 0

    def test_that_were_changed_there_are_set_again(self, both, second):
        rule(both, percent=Decimal(130), rounding="0.05")
        sync(both)
        (lot,) = (each for each in second.all() if each["number"] == "3001")
        second.change(lot["inventory_id"], lambda had: {**had, "price": "0.40"})

        sync(both)
        sync(both)

        assert row_of(3001).price == Decimal("0.1")
        assert price_there(second, 3001) == Decimal("0.15")

    def test_of_another_currency_become_the_persons_of_lots_that_only_it_has(self, both, second):
        part(3009)
        rule(both, currency="USD", rate=Decimal("1.25"))
        put_up_there(both, draft(3009, price=Decimal("0.5")))

        pull_second(both)

        assert row_of(3009).price == Decimal("0.4")
        assert row_of(3001).price == Decimal("0.1")


@pytest.mark.usefixtures("tied")
class TestARule:
    def test_is_counted_as_changed_lots_and_shown_in_a_plan_before_it_is_sent(self, both, second):
        assert changed_lots(owner=both).lots == 0
        rule(both, keep_back=1)

        plan = start_plan(owner=both, batch=None, now=now())
        run_jobs()

        assert changed_lots(owner=both).lots == 3
        rows = plan.rows.values_list("kind", "quantity_here", "quantity_there")
        assert set(rows) == {("lowered", 9, 10)}
        assert pieces_there(second)["3001"] == 10

    def test_that_is_undone_puts_all_back(self, both, second):
        rule(both, keep_back=1, percent=Decimal(200))
        sync(both)

        rule(both)
        sync(both)

        assert not ChannelRule.objects.exists()
        assert pieces_there(second) == {"3001": 10, "3002": 10, "3003": 10}
        assert price_there(second, 3001) == Decimal("0.1")

    @pytest.mark.parametrize(
        ("values", "field"),
        [
            ({"least_value": Decimal(2), "most_value": Decimal(1)}, "most_value"),
            ({"rate": Decimal(2)}, "currency"),
        ],
    )
    def test_that_contradicts_itself_is_refused_and_stored_nowhere(self, both, values, field):
        with pytest.raises(ValueRefused) as refused:
            rule(both, FIRST, **values)

        assert field in str(refused.value.data or refused.value.fields)
        assert not ChannelRule.objects.exists()


class TestAChannelOfWhichAllIsLeftOut:
    def test_asks_before_its_lots_leave(self, both, second, monkeypatch):
        monkeypatch.setattr("apps.listings.rules.cycle.FEW", 0)
        rule(both, left_out_types=["PART"])

        ended = sync(both)

        assert "would be removed" in ended.reason
        assert len(pieces_there(second)) == 3
        assert ChannelLot.objects.filter(channel__marketplace=SECOND).count() == 3


@pytest.mark.usefixtures("tied")
class TestALotThatAChannelLacks:
    def test_is_put_up_as_the_rule_lets_it_be(self, both, first, second):
        lots = {each["number"]: each["inventory_id"] for each in second.all()}
        rule(both, keep_back=3, percent=Decimal(150), rounding="0.01")
        (tied,) = ChannelLot.objects.filter(
            channel__marketplace=SECOND, remote_lot_id__endswith=lots["3001"]
        )
        second.delete(lots["3001"])
        tied.delete()

        sync(both)

        assert pieces_there(second)["3001"] == 7
        assert price_there(second, 3001) == Decimal("0.15")
        assert pieces_there(first)["3001"] == 10

    def test_is_not_put_up_where_it_is_not_for_sale(self, both, first, second):
        adjust_quantity(owner=both, item_id=row_of(3003).pk, delta=5, by=both, now=now())
        rule(both, keep_back=10)

        sync(both)
        ended = sync(both)

        assert pieces_there(second) == {"3003": 5}
        assert pieces_there(first) == {"3001": 10, "3002": 10, "3003": 15}
        assert (ended.counts["sent"], ended.reason) == (0, "")

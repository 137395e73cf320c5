import pytest

from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem, BatchOperation
from apps.batches.rules.states import status_of
from apps.batches.selectors import figures_of
from apps.batches.services._demo_lots import COLORS
from apps.batches.services.demo import PLANS, SOURCES, NoCatalogue, load_demo
from apps.batches.services.selection import Chosen
from apps.batches.services.stowing import StowOptions, stow_items
from apps.batches.tests.factories import NOON
from apps.catalog.models import Lot, PricePoint, PriceStat
from apps.catalog.services.starter import load_starter_catalog
from apps.core.clock import now
from apps.inventory.models import InventoryItem
from apps.inventory.selectors.ledger import counter_differences, quantity_differences
from apps.locations.models import Location
from apps.sets.models import SetRequirement, UserSet

pytestmark = pytest.mark.django_db


def lacking_of(user_set):
    """How many lots of a set are missing."""
    return SetRequirement.objects.filter(user_set=user_set).missing().count()


class TestLoadDemo:
    @pytest.mark.long("loads the starter catalogue and the demo store, as a first start does")
    def test_builds_a_lively_store_once(self, api):
        load_starter_catalog(now=NOON)

        owner = load_demo(now=now())

        assert owner == User.objects.get(is_demo=True)
        assert (owner.email_address, owner.has_usable_password()) == (
            "demo@brickstow.example",
            False,
        )
        assert 240 <= InventoryItem.objects.in_stock().count() <= 260
        assert list(quantity_differences(owner=owner)) == []
        assert list(counter_differences(owner=owner)) == []
        batches = Batch.objects.order_by("pk")
        figures = figures_of([batch.pk for batch in batches])
        assert [
            (
                batch.name,
                batch.is_archived,
                status_of(one.new_lots, one.stowed_lots, one.listed_lots).name
                if (one := figures.get(batch.pk))
                else "EMPTY",
            )
            for batch in batches
        ] == [
            ("Estate sale, 9 kg", True, "LISTED"),
            ("Castle and pirates", False, "LISTED"),
            ("Two kilos of plates", False, "STOWED"),
            ("Space lot", False, "IN_PROGRESS"),
            ("Shoe box", False, "NEW"),
            ("Empty crate", False, "EMPTY"),
        ]
        assert not BatchOperation.objects.filter(outcome="error").exists()
        # What was added last has a picture: Home begins with it.
        assert BatchItem.objects.order_by("created_at", "pk").last().lot is not None
        kinds = BatchItem.objects.values_list("lot__item__item_type", flat=True)
        assert set(kinds) == {"PART", "MINIFIG", "SET", None}
        assert Location.objects.count() == 78
        assert Location.objects.get(is_full=True).item_count > 0
        planned = BatchItem.objects.filter(is_stowed=False, location__isnull=False)
        assert planned.count() == 22
        assert [
            (row.item.number, row.state, row.requirements.count() > 0, lacking_of(row))
            for row in UserSet.objects.order_by("pk")
        ] == [
            ("10350-1", "to_check", False, 0),
            ("30246-1", "for_sale", True, 0),
            ("21015-1", "to_build", True, 32),
            ("21021-1", "in_progress", True, 21),
            ("31017-1", "in_progress", True, 5),
        ]
        used = set(InventoryItem.objects.values_list("lot_id", flat=True))
        priced = set(PriceStat.objects.values_list("lot_id", flat=True))
        assert used <= priced

        drawn = PricePoint.objects.filter(lot_id__in=used)
        assert drawn.count() == 12 * PriceStat.objects.filter(lot_id__in=used).count()  # weeks
        bricks = Lot.objects.filter(item__number="3001", color_id__in=COLORS)
        assert {lot.pk for lot in bricks} <= priced
        # "3001 red", as hints on pages name it.
        assert InventoryItem.objects.in_stock().filter(lot=bricks.get(color_id=5)).exists()
        for batch in batches.filter(pk__in=planned.values("batch")):
            ids = planned.filter(batch=batch).values_list("pk", flat=True)
            walked = stow_items(
                batch=batch,
                chosen=Chosen(item_ids=tuple(ids)),
                options=StowOptions(),
                by=owner,
                now=now(),
            )
            assert walked.results.failed == []
        before = (BatchItem.objects.count(), PriceStat.objects.count())

        assert load_demo(now=now()) is None
        assert (BatchItem.objects.count(), PriceStat.objects.count()) == before

    def test_needs_a_catalogue(self):
        with pytest.raises(NoCatalogue):
            load_demo(now=NOON)

        assert not User.objects.exists()


def test_every_plan_has_its_source():
    assert {plan.source for plan in PLANS} <= SOURCES.keys()

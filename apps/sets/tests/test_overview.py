from decimal import Decimal

import pytest

from apps.accounts.models import Preferences
from apps.catalog.models import PriceStat
from apps.catalog.tests.factories import make_lot
from apps.core.clock import now
from apps.core.testing.queries import count_queries
from apps.sets.models import SetRequirement, UserSet
from apps.sets.tests.factories import make_user_set

pytestmark = pytest.mark.django_db
URL = "/api/userSets/overview"


def overview_of(client):
    (row,) = client.get(URL).json()["data"]
    return row


def have(user_set, quantity):
    SetRequirement.objects.filter(user_set=user_set).update(quantity_on_hand=quantity)
    return user_set


def priced(owner, lot, amount, condition="U"):
    currency = Preferences.objects.get(user=owner).currency
    for region in ("us", "global"):
        PriceStat.objects.create(
            owner=owner,
            lot=lot,
            condition=condition,
            region=region,
            currency=currency,
            avg_sold_price=amount,
            synced_at=now(),
        )
    return lot


class TestOverview:
    def test_tells_how_far_open_sets_are_the_most_complete_first(self, ann, bo, api):
        lot = priced(ann, make_lot(), Decimal("0.5000"))
        begun = have(make_user_set(ann, contents={lot: 4}), 1)
        nearly = have(make_user_set(ann, contents={make_lot(): 9, lot: 9}), 8)
        UserSet.objects.filter(pk=make_user_set(ann, contents={lot: 5}).pk).update(state="sold")
        make_user_set(ann, contents={})
        make_user_set(bo, contents={lot: 7})

        row = overview_of(api(ann))

        assert [
            (one["id"], one["percent"], one["pieces_missing"], one["cost_of_missing"])
            for one in row["sets"]
        ] == [(nearly.pk, 88, 2, "0.5000"), (begun.pk, 25, 3, "1.5000")]
        assert (row["open_sets"], row["pieces_required"], row["pieces_on_hand"]) == (2, 22, 17)
        assert (row["cost_of_missing"], row["lots_without_price"]) == ("2.0000", 1)

    def test_asks_the_price_of_each_sets_condition(self, ann, api):
        lot = priced(ann, make_lot(), Decimal("0.5000"))
        priced(ann, lot, Decimal(2), condition="N")
        new = make_user_set(ann, contents={lot: 1})
        UserSet.objects.filter(pk=new.pk).update(condition="N")

        assert overview_of(api(ann))["cost_of_missing"] == "2.0000"

    def test_of_no_sets_is_nothing(self, ann, api):
        row = overview_of(api(ann))

        assert (row["open_sets"], row["sets"], row["cost_of_missing"]) == (0, [], "0.0000")

    def test_costs_the_same_for_few_and_many_and_draws_eight(self, ann, api):
        client = api(ann)
        make_user_set(ann)
        few, _ = count_queries(lambda: overview_of(client))
        for _ in range(11):
            make_user_set(ann)

        many, row = count_queries(lambda: overview_of(client))

        assert many == few
        assert (row["open_sets"], len(row["sets"])) == (12, 8)

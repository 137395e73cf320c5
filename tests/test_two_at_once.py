"""Two people in one store at the same moment: sorters in one batch, pickers in one walk."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db.models import Sum
from rest_framework.test import APIClient

from apps.accounts.models import Membership, Role
from apps.accounts.services.tokens import issue_tokens
from apps.batches.models import BatchItem, BatchOperation
from apps.batches.tests.factories import make_batch, make_location
from apps.catalog.tests.factories import make_color, make_lot
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.core.clock import now
from apps.core.testing.threads import at_once
from apps.inventory.models import InventoryItem, Movement
from apps.inventory.selectors.ledger import counter_differences, quantity_differences
from apps.inventory.tests.factories import make_stock
from apps.orders.models import OrderLine, PickWalk
from apps.orders.tests.factories import make_order, make_walk
from apps.recognition.models import StationSitting

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]

ADDS = 8


@pytest.fixture
def helpers(ann, make_user):
    """`helpers(role)` are two people who work in ann's store, each with a client signed in there."""

    def make(role):
        people = [make_user(name) for name in ("sam", "sue")]
        clients = []
        for person in people:
            Membership.objects.create(owner=ann, person=person, role=role)
            access = issue_tokens(user=person, store=ann, now=now()).access
            client = APIClient()
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {access}")
            clients.append(client)
        return people, clients

    return make


def sent(client, path, body):
    """Return the row of an answer."""
    answer = client.post(f"/api/{path}", body, format="json")
    assert answer.status_code in (200, 201), (path, answer.status_code, answer.content)
    return answer.json()["data"][0]


def assert_ledger_is_exact(owner):
    assert list(quantity_differences(owner=owner)) == []
    assert list(counter_differences(owner=owner)) == []


class TestTwoSortersInOneBatch:
    def test_lose_nothing_double_nothing_and_each_act_is_in_its_own_name(self, ann, helpers):
        _, clients = helpers(Role.SORTER)
        batch, place = make_batch(ann), make_location(ann)
        shared = make_lot(make_catalogue_item("3001"), make_color(5))
        own = [make_lot(make_catalogue_item(number), make_color(5)) for number in ("3002", "3003")]

        def sort(number):
            client, began = clients[number], now()
            for nth in range(ADDS):
                add = {"batch_id": batch.pk, "qty": 1 + number, "top_up": True}
                # In turn the lot that both have in hand, and one's own.
                lot = shared if nth % 2 else own[number]
                item = sent(client, "batchItems", {**add, "lot_id": lot.pk})
                if nth == ADDS - 2:
                    body = {"items": [item["id"]], "location_id": place.pk}
                    sent(client, f"batches/{batch.pk}/stow", body)
            figures = {"adds": ADDS, "pieces": ADDS * (1 + number), "keys": 1, "undos": 0}
            figures |= {"captures": 0, "not_found": 0, "started_at": began}
            acted = began + timedelta(minutes=1)
            sent(
                client,
                "stationSittings",
                {"key": f"sitting-{number}", "acted_at": acted, **figures},
            )

        at_once(sort, threads=2)

        half = ADDS // 2
        pieces = dict(BatchItem.objects.values_list("lot").annotate(n=Sum("quantity")))
        assert pieces == {shared.pk: half * 3, own[0].pk: half, own[1].pk: half * 2}
        assert BatchItem.objects.filter(lot=shared).count() == 1
        # What lies in the bin, and by whom it came there.
        stowed = dict(Movement.objects.values_list("by__name").annotate(n=Sum("delta")))
        assert stowed == {"Sam": half, "Sue": half * 2}
        by_whom = Counter(BatchOperation.objects.values_list("by__name", flat=True))
        assert set(by_whom) == {"Sam", "Sue"}
        sittings = StationSitting.objects.values_list("by__name", "adds", "pieces").order_by("key")
        assert list(sittings) == [("Sam", ADDS, ADDS), ("Sue", ADDS, ADDS * 2)]
        assert_ledger_is_exact(ann)

    def test_keep_each_a_stopwatch_of_his_own(self, ann, helpers):
        _, clients = helpers(Role.SORTER)
        at = now()
        figures = {"key": "the same", "started_at": at, "acted_at": at, "keys": 0, "undos": 0}
        figures |= {"captures": 0, "not_found": 0}

        for client, pieces in zip(clients, (3, 5), strict=True):
            sent(client, "stationSittings", {**figures, "adds": pieces, "pieces": pieces})

        kept = StationSitting.objects.order_by("pieces").values_list("by__name", "pieces")
        assert list(kept) == [("Sam", 3), ("Sue", 5)]


class TestTwoPickersInOneWalk:
    def test_take_each_piece_once_and_each_in_his_own_name(self, ann, helpers):
        _, clients = helpers(Role.PICKER)
        rows = [
            make_stock(ann, quantity=9, location=make_location(ann, f"A-{n}")) for n in range(6)
        ]
        orders = [make_order(ann, *((row, 2) for row in rows)) for _ in range(2)]
        walk = make_walk(ann, *orders)

        def pick(number):
            client = clients[number]
            stops = client.get(f"/api/pickWalks/{walk.pk}/stops").json()["data"]
            taken = already = 0
            for stop in stops:
                lines = [
                    {"line_id": tray["line_id"], "quantity": tray["quantity"]}
                    for tray in stop["trays"]
                ]
                body = {"item_id": stop["item_id"], "lines": lines}
                answer = client.post(f"/api/pickWalks/{walk.pk}/pick", body, format="json")
                if answer.status_code == 409:  # the other one has taken the last: it is over
                    break
                assert answer.status_code == 200, answer.content
                row = answer.json()["data"][0]
                taken += row["taken"]
                already += row["already"]
            return taken, already

        results = at_once(pick, threads=2)

        assert sum(taken for taken, _ in results) == 24
        assert set(OrderLine.objects.values_list("quantity", "picked", "short")) == {(2, 2, 0)}
        assert set(InventoryItem.objects.values_list("quantity", flat=True)) == {5}
        sales = Movement.objects.filter(reason="sale")
        by_whom = dict(sales.values_list("by__name").annotate(n=Sum("delta")))
        told = {name: -taken for name, (taken, _) in zip(("Sam", "Sue"), results, strict=True)}
        assert by_whom == {name: taken for name, taken in told.items() if taken}
        assert PickWalk.objects.get().ended_at is not None
        assert_ledger_is_exact(ann)

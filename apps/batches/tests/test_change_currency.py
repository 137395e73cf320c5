"""The account in another currency: all its own amounts, in stock, batches and sets, as one act."""

from decimal import Decimal

import pytest

from apps.accounts.models import Preferences
from apps.batches.models import Batch, BatchItem
from apps.batches.tests.factories import make_batch, make_item
from apps.core.jobs.models import Job, JobState
from apps.core.testing.jobs import run_jobs
from apps.core.testing.queries import count_queries
from apps.inventory.models import ChannelLot, InventoryItem
from apps.inventory.services import currency
from apps.inventory.services._sync_state import refuse_while_running
from apps.inventory.services.changes import changed_lots
from apps.inventory.services.channels import channel_of_files
from apps.inventory.services.errors import CurrencyChanging
from apps.inventory.tests.factories import NOON, make_stock
from apps.lots.models import KeptAct
from apps.sets.models import UserSet
from apps.sets.tests.factories import make_user_set

pytestmark = pytest.mark.django_db
URL = "/api/inventoryItems/changeCurrency"
D = Decimal


@pytest.fixture
def client(ann, api):
    return api(ann)


def ask(client, to="CHF", **how):
    response = client.post(URL, {"currency": to, **how}, format="json")
    return response, response.json()["data"][0] if response.json()["data"] else None


def undo(client, act_id):
    return client.post(f"/api/inventoryActs/{act_id}/undo")


def amounts(owner):
    """Every amount of the account, in an order, and its currency."""
    stock = InventoryItem.with_deleted.owned_by(owner).order_by("pk")
    items = BatchItem.objects.filter(owner=owner).order_by("pk")
    of_lots = [
        str(amount)
        for rows in (stock, items)
        for row in rows.values_list("price", "cost", "tp1")
        for amount in row
    ]
    return (
        Preferences.objects.get(user=owner).currency,
        of_lots,
        [str(batch.cost_total) for batch in Batch.objects.filter(owner=owner)],
        [str(one.price_paid) for one in UserSet.objects.filter(owner=owner)],
    )


@pytest.fixture
def account(ann):
    make_stock(ann, price=D("0.1000"), cost=D("0.0400"), tp1=D("0.0900"))
    batch = make_batch(ann, cost_total=D(30))
    make_item(batch, price="0.2000", cost=D("0.0500"), tp1=D(0))
    owned = make_user_set(ann)
    UserSet.objects.filter(pk=owned.pk).update(price_paid=D(99))
    return amounts(ann)


def test_multiplies_every_amount_and_takes_all_of_it_back(ann, client, account):
    response, row = ask(client, rate="0.5")

    assert response.status_code == 200
    assert amounts(ann) == (
        "CHF",
        ["0.0500", "0.0200", "0.0450", "0.1000", "0.0250", "0.0000"],
        ["15.0000"],
        ["49.5000"],
    )
    assert undo(client, row["act_id"]).status_code == 200
    assert amounts(ann) == account


def test_keeps_the_numbers_without_a_rate(ann, client, account):
    _, row = ask(client)

    assert amounts(ann) == ("CHF", *account[1:])
    undo(client, row["act_id"])
    assert amounts(ann) == account


def test_a_dry_run_tells_and_changes_nothing(ann, client, account):
    response, row = ask(client, rate="2", dry_run=True)

    assert response.status_code == 200
    assert amounts(ann) == account
    assert (row["currency_before"], row["currency"], row["act_id"]) == (account[0], "CHF", None)
    counts = ("lots", "batch_items", "batches", "sets", "on_sale")
    assert [row[name] for name in counts] == [1, 1, 1, 1, 0]
    assert (row["value_before"], row["value_after"]) == ("0.5000", "1.0000")
    assert [(one["before"], one["after"]) for one in row["examples"]] == [("0.1000", "0.2000")]


def test_no_price_stays_none_and_a_price_never_becomes_0(ann, client):
    make_stock(ann, price=None)
    make_stock(ann, price=D("0.0001"))

    ask(client, rate="0.01")

    prices = InventoryItem.objects.owned_by(ann).order_by("pk").values_list("price", flat=True)
    assert list(prices) == [None, D("0.0001")]


def test_lots_of_the_store_are_changed_since_it_received_them(ann, client):
    make_stock(ann, price=D("0.1000"), marketplace_lot_id=7)
    ChannelLot.objects.create(
        owner=ann,
        channel=channel_of_files(ann),
        marketplace_lot_id=7,
        remote_lot_id=7,
        received_at=NOON,
        quantity=5,
        price=D("0.1000"),
        cost=D(0),
        condition="U",
    )
    assert changed_lots(owner=ann).lots == 0

    ask(client, rate="1.1")

    assert ChannelLot.objects.get().price == D("0.1000")
    assert changed_lots(owner=ann).lots == 1


def test_listed_batch_items_are_changed_since_listing(ann, client):
    item = make_item(
        make_batch(ann), is_stowed=True, stowed_at=NOON, is_listed=True, listed_at=NOON
    )

    ask(client, rate="1.1")

    assert BatchItem.objects.get(pk=item.pk).is_changed_since_listing


def test_an_amount_that_changed_since_keeps_the_undo_from_mixing(ann, client, account):
    _, row = ask(client, rate="0.5")
    InventoryItem.objects.update(price=D(3))

    assert undo(client, row["act_id"]).status_code == 409
    assert Preferences.objects.get(user=ann).currency == "CHF"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"currency": "XXX"}, "currency"),
        ({"currency": "EUR"}, "currency"),
        ({"currency": "CHF", "rate": "0"}, "rate"),
        ({"currency": "CHF", "rate": "-1"}, "rate"),
        ({"currency": "CHF", "rate": "1000000"}, "rate"),
    ],
)
def test_bad_input_names_the_field(ann, client, body, field):
    make_stock(ann, price=D(10_000))

    response = client.post(URL, body, format="json")

    assert response.status_code == 400
    assert field in response.json()["meta"]["error"]["fields"]


def test_of_the_currency_that_it_is_depends_on_the_account(client, account):
    answer = client.post(URL, {"currency": "EUR"}, format="json")

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "VALUE_REFUSED")


def test_is_refused_while_an_import_runs(ann, client, account):
    Job.objects.create(owner=ann, kind="batches.import_bsx")

    response, _ = ask(client, rate="2")

    assert response.status_code == 409
    assert amounts(ann) == account


def test_syncs_and_imports_wait_for_the_end_of_it(ann):
    Job.objects.create(owner=ann, kind="inventory.change_currency")

    with pytest.raises(CurrencyChanging):
        refuse_while_running(ann)


def test_preferences_change_it_only_while_there_are_no_amounts(ann, client, account):
    response = client.patch("/api/preferences", {"currency": "CHF"})

    assert "currency" in response.json()["meta"]["error"]["fields"]
    assert amounts(ann) == account


def test_many_rows_are_a_job_whose_undo_is_one_too(ann, client, account, monkeypatch):
    monkeypatch.setattr("apps.inventory.services.acts.AT_ONCE", 1)
    monkeypatch.setattr(currency, "CHUNK", 1)

    response, job = ask(client, rate="0.5")
    run_jobs()

    assert response.status_code == 202
    assert Job.objects.get(pk=job["id"]).state == JobState.SUCCEEDED
    assert amounts(ann)[0] == "CHF"
    assert amounts(ann)[1][0] == "0.0500"
    assert undo(client, KeptAct.objects.get().pk).status_code == 202
    run_jobs()
    assert amounts(ann) == account


def test_a_cancelled_job_takes_back_what_it_did(ann, client, account, monkeypatch):
    monkeypatch.setattr("apps.inventory.services.acts.AT_ONCE", 1)
    monkeypatch.setattr(currency, "CHUNK", 1)
    _, job = ask(client, rate="0.5")
    multiply = currency._multiply

    def cancelled_after(*args):
        multiply(*args)
        client.post(f"/api/jobs/{job['id']}/cancel")

    monkeypatch.setattr(currency, "_multiply", cancelled_after)

    run_jobs()

    assert Job.objects.get(pk=job["id"]).state == JobState.CANCELLED
    assert amounts(ann) == account


def test_costs_the_same_for_one_lot_and_for_many(ann, bo, client, api):
    make_stock(ann)
    for _ in range(20):
        make_stock(bo)

    one, _ = count_queries(lambda: ask(client, rate="2"))
    many, _ = count_queries(lambda: ask(api(bo), rate="2"))

    assert one == many

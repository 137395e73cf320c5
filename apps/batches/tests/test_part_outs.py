import csv
import gzip
import io
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Preferences
from apps.batches.models import Batch, BatchItem, PartedOutSet
from apps.batches.tests.factories import make_batch
from apps.batches.tests.factories import make_item as make_batch_item
from apps.catalog.models import Component, ItemInventory, PriceStat
from apps.catalog.services.prices import record_figures
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now
from apps.marketplace.models import PriceWant
from apps.marketplace.services.connections import connect_demo_store
from apps.marketplace.tests.factories import make_part, sold
from apps.sets.tests.factories import make_contents, make_set_item, make_user_set

pytestmark = pytest.mark.django_db
MARKS = ("SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN")


def part_out(client, **body):
    return client.post("/api/batches/partOut", body)


def items():
    return dict(BatchItem.objects.values_list("lot_id", "quantity"))


def price(owner, lot, amount, condition="U", region="global"):
    PriceStat.objects.create(
        owner=owner,
        lot=lot,
        condition=condition,
        region=region,
        currency=Preferences.objects.get(user=owner).currency,
        avg_sold_price=amount,
        synced_at=now(),
    )


class TestPricesOfAPartOut:
    def test_are_asked_for_once_a_lot(self, api, ann, store):
        connect_demo_store(owner=ann, now=now())
        known, first, second = (make_part(number) for number in ("3001", "3002", "3003"))
        make_set_item("10255-1", contents={known: 1, first: 4, second: 2})
        currency = Preferences.objects.get(user=ann).currency
        record_figures(owner=ann, figures=[sold(known, currency=currency)], now=now())

        answer = api(ann).post("/api/batches/partOut/prices", {"number": "10255-1"})

        (row,) = answer.json()["data"]
        assert answer.status_code == 202
        assert (row["lots_wanted"], row["lots_known"], row["lots_left"]) == (2, 1, 2)
        assert dict(PriceWant.objects.values_list("lot_id", "condition")) == {
            first.pk: "U",
            second.pk: "U",
        }
        assert not BatchItem.objects.exists()


class TestPartOut:
    def test_puts_the_pieces_into_a_new_batch(self, api, ann):
        lot, minifig = make_lot(), make_lot(make_item("sw0001", item_type="MINIFIG"))
        make_set_item("10255-1", contents={lot: 4, minifig: 1})
        price(ann, lot, "0.25")

        answer = part_out(api(ann), number="10255", quantity=2)

        (row,) = answer.json()["data"]
        assert answer.status_code == 201
        assert items() == {lot.pk: 8, minifig.pk: 2}
        assert row["batch_name"] == "10255-1 Assembly Square, parted out"
        assert (row["value"], row["figures"]["pieces"]) == ("2.0000", 10)
        item = BatchItem.objects.get(lot=lot)
        assert (item.owner, item.batch_id, item.condition) == (ann, row["batch_id"], "U")

    def test_tells_the_batch_which_parts_it_can_hold(self, api, ann):
        lot, spare, torso, other, strange = (make_lot() for _ in range(5))
        minifig = make_lot(make_item("sw0001", item_type="MINIFIG"))
        make_contents(minifig.item, {torso: 1})
        item = make_set_item("10255-1", contents={lot: 4, minifig: 1})
        Component.objects.create(
            inventory=item.inventories.get(), lot=spare, quantity=1, is_spare=True
        )
        bought = make_batch(ann)
        make_batch_item(bought, lot=other)

        (first,) = part_out(api(ann), number="10255-1").json()["data"]
        part_out(api(ann), number="10255-1", batch_id=first["batch_id"])
        make_batch_item(Batch.objects.get(pk=first["batch_id"]), lot=strange)

        (row,) = api(ann).get(f"/api/batches/{first['batch_id']}/knownParts").json()["data"]
        assert row["sets"] == ["10255-1"]
        assert row["item_ids"] == sorted(each.item_id for each in (lot, spare, torso, strange))
        assert PartedOutSet.objects.get().quantity == 2
        (none,) = api(ann).get(f"/api/batches/{bought.pk}/knownParts").json()["data"]
        assert none == {"sets": [], "item_ids": []}

    def test_forgets_the_set_with_the_batch(self, api, ann):
        make_set_item("10255-1", contents={make_lot(): 4})
        (row,) = part_out(api(ann), number="10255-1").json()["data"]

        api(ann).delete(f"/api/batches/{row['batch_id']}?name={quote(row['batch_name'])}")

        assert not Batch.objects.exists()
        assert not PartedOutSet.objects.exists()

    def test_shows_what_it_would_be_worth_first(self, api, ann):
        lot, other = make_lot(), make_lot()
        make_set_item("1-1", contents={lot: 4, other: 1})
        price(ann, lot, "0.25")
        price(ann, lot, "0.50", condition="N", region="us")

        (row,) = part_out(api(ann), number="1-1", dry_run=True).json()["data"]

        assert {(v["condition"], v["region"]): v["value"] for v in row["values"]} == {
            ("N", "us"): "2.0000",
            ("N", "global"): None,
            ("U", "us"): None,
            ("U", "global"): "1.0000",
        }
        assert [(i["lot_id"], i["price"]) for i in row["items"]] == [
            (lot.pk, "0.2500"),
            (other.pk, None),
        ]
        assert (row["value"], row["lots_without_price"]) == ("1.0000", 1)
        assert not Batch.objects.exists()

    def test_breaks_up_minifigs_and_adds_extras_box_and_instructions(self, api, ann):
        lot, torso = make_lot(), make_lot()
        minifig = make_lot(make_item("sw0001", item_type="MINIFIG"))
        make_contents(minifig.item, {torso: 3})
        item = make_set_item("1-1", contents={lot: 4, minifig: 1})
        inventory = item.inventories.get()
        Component.objects.create(inventory=inventory, lot=lot, quantity=2, is_spare=True)
        make_color(0)
        paper = make_lot(make_item("1-1", item_type="INSTRUCTION"))

        (row,) = part_out(
            api(ann),
            number="1-1",
            minifigs_in_parts=True,
            extras=True,
            box=True,
            instructions=True,
            pricing="zero",
        ).json()["data"]

        assert items() == {lot.pk: 6, torso.pk: 3, paper.pk: 1}
        assert row["not_there"] == ["box"]

    def test_adds_to_a_batch_that_is_there(self, api, ann):
        lot = make_lot()
        make_set_item("1-1", contents={lot: 4})
        batch = make_batch(ann)

        part_out(api(ann), number="1-1", batch_id=batch.pk)

        assert BatchItem.objects.get().batch == batch

    def test_takes_what_is_on_hand_of_ones_own_set_with_its_cost(self, api, ann):
        lot, other = make_lot(), make_lot()
        owned = make_user_set(ann, contents={lot: 4, other: 1}, number="1-1")
        api(ann).patch(f"/api/userSets/{owned.pk}", {"price_paid": "12.5"})
        api(ann).post(f"/api/userSets/{owned.pk}/putAside", {"lot_id": lot.pk, "quantity": 3})

        part_out(api(ann), user_set_id=owned.pk, only_on_hand=True)

        assert items() == {lot.pk: 3}
        assert str(Batch.objects.get().cost_total) == "12.5000"

    @pytest.mark.parametrize(
        ("body", "status", "said"),
        [
            ({"number": "99999"}, 400, "is no set that the catalogue knows"),
            ({"number": "3001"}, 400, "3001 is a part (Brick 2 x 4), not a set."),
            ({"number": "2-1"}, 409, "does not list what 2-1 is made of"),
            ({}, 400, "give either number or user_set_id"),
        ],
    )
    def test_refuses_what_has_no_parts(self, api, ann, body, status, said):
        make_item("3001")
        make_item("2-1", item_type="SET")

        answer = part_out(api(ann), **body)

        assert answer.status_code == status
        assert said in answer.content.decode()
        assert not Batch.objects.exists()

    def test_refuses_an_archived_batch(self, api, ann):
        make_set_item("1-1", contents={make_lot(): 4})
        batch = make_batch(ann)
        Batch.objects.update(is_archived=True, archived_at=now())

        assert part_out(api(ann), number="1-1", batch_id=batch.pk).status_code == 409
        assert not BatchItem.objects.exists()

    def test_costs_at_most_fifteen_statements(self, api, ann):
        minifig = make_lot(make_item("sw0001", item_type="MINIFIG"))
        make_contents(minifig.item, {make_lot(): 3})
        make_set_item("1-1", contents={**{make_lot(): 2 for _ in range(1_200)}, minifig: 1})
        make_lot(make_item("1-1", item_type="INSTRUCTION"))
        client = api(ann)

        with CaptureQueriesContext(connection) as captured:
            answer = part_out(client, number="1", minifigs_in_parts=True, instructions=True)

        sql = [q["sql"] for q in captured if not q["sql"].startswith(MARKS)]
        assert answer.status_code == 201
        assert len(sql) <= 15, sql
        assert BatchItem.objects.count() == 1_202


def rebrickable_counts(folder, number):
    """How many parts each minifig of a set has, and the set with them."""

    def table(name):
        return csv.DictReader(io.TextIOWrapper(gzip.open(folder / f"{name}.csv.gz"), "utf-8"))

    (inventory,) = (row["id"] for row in table("inventories") if row["set_num"] == number)
    inside = {
        row["fig_num"]
        for row in table("inventory_minifigs")
        if row["inventory_id"] == inventory and row["quantity"] == "1"
    }
    figs = [int(row["num_parts"]) for row in table("minifigs") if row["fig_num"] in inside]
    (told,) = (int(row["num_parts"]) for row in table("sets") if row["set_num"] == number)
    return figs, told


class TestTheRealSet:
    def test_has_the_pieces_that_its_list_tells(self, api, ann, shared_data):
        """10350-1: 3,231 parts, 8 minifigs; 117 extra and 6 counterpart rows left out."""
        source = shared_data("catalog") / "bricklink" / "S-10350-1.txt.gz"
        lines = [
            row.split("\t") for row in gzip.decompress(source.read_bytes()).decode().split("\n")
        ]
        item = make_item("10350-1", name="Tudor Corner", item_type="SET")
        inventory = ItemInventory.objects.create(item=item, catalogue="B", has_components=True)
        made, lots = {}, {}
        for kind, number, name, quantity, color, extra, alternate, match, counterpart, *_ in (
            line for line in lines[1:] if len(line) > 8
        ):
            if (kind, number) not in made:
                made[kind, number] = make_item(
                    number,
                    name=name,
                    item_type={"P": "PART", "M": "MINIFIG"}[kind],
                )
            if (kind, number, color) not in lots:
                lots[kind, number, color] = make_lot(made[kind, number], make_color(int(color)))
            Component.objects.create(
                inventory=inventory,
                lot=lots[kind, number, color],
                quantity=int(quantity),
                is_spare=extra == "Y",
                is_alternate=alternate == "Y",
                match_id=int(match),
                is_counterpart=counterpart == "Y",
            )

        (row,) = part_out(api(ann), number="10350-1").json()["data"]

        figures = row["figures"]
        # The catalogue does not list the parts of its minifigs; Rebrickable counts them.
        figs, told = rebrickable_counts(shared_data("catalog") / "rebrickable", "10350-1")
        assert (sum(figs), len(figs), told) == (35, 8, 3_266)
        assert figures["parts_of_one"] + sum(figs) == told
        assert (figures["parts_of_one"], figures["minifigs_of_one"]) == (3_231, 8)
        assert (figures["extra_rows"], figures["counterpart_rows"]) == (117, 6)
        assert sum(BatchItem.objects.values_list("quantity", flat=True)) == 3_239

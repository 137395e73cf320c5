"""Other prices for many rows: by a person's hand, by the market; shown, done, taken back."""

import datetime as dt
from decimal import Decimal

import pytest

from apps.catalog.models import PriceSetting, PriceStat
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.jobs.registry import periods
from apps.core.testing.jobs import run_jobs
from apps.core.testing.queries import count_queries
from apps.inventory.models import InventoryItem, Movement
from apps.inventory.services import acts
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.reprice import REPRICE_KIND, reprice_by_night
from apps.inventory.tests.factories import NOON, make_stock
from apps.locations.tests.factories import make_location
from apps.lots.models import KeptAct

pytestmark = pytest.mark.django_db
URL = "/api/inventoryItems/reprice"
D = Decimal


@pytest.fixture
def client(ann, api):
    return api(ann)


def data(response):
    return response.json()["data"][0]


def done(client, rows, **how):
    body = {"ids": [row.pk for row in rows], **how}
    response = client.post(URL, body, format="json")
    assert response.status_code == 200, response.json()
    return data(response)


def undo(client, act_id):
    return client.post(f"/api/inventoryActs/{act_id}/undo")


def prices(owner):
    found = InventoryItem.objects.owned_by(owner).order_by("pk")
    return [str(price) for price in found.values_list("price", flat=True)]


def sold_at(owner, price):
    lot = make_lot(make_item("3001", "Brick 2 x 4"), make_color(5, name="Red"))
    PriceStat.objects.create(
        owner=owner,
        lot=lot,
        condition="U",
        region="global",
        currency="EUR",
        avg_sold_price=D(price),
        synced_at=NOON,
    )
    return lot


class TestReprice:
    def test_by_the_rule_follows_the_market(self, ann, client):
        row = make_stock(ann, sold_at(ann, "0.2000"), 10, make_location(ann, "A-01"))

        answer = done(client, [row], by="rule", percent="10", rounding="0.05")

        assert prices(ann) == ["0.2000"]
        assert answer.pop("largest") == answer["rows"]
        assert answer == {
            "dry_run": False,
            "act_id": KeptAct.objects.get().pk,
            "row_count": 1,
            "changed": 1,
            "without_data": 0,
            "without_figures": 0,
            "locked": 0,
            "shown_count": 1,
            "old_figures": 0,
            "figuresSince": None,
            "being_fetched": 0,
            "value_before": "1.0000",
            "lots_without_price_before": 0,
            "value_after": "2.0000",
            "lots_without_price_after": 0,
            "rows": [
                {
                    "id": row.pk,
                    "item_number": "3001",
                    "part_name": "Brick 2 x 4",
                    "color_name": "Red",
                    "condition": "U",
                    "location_name": "A-01",
                    "before": "0.1000",
                    "after": "0.2000",
                    "percent": "100.0",
                    "limited_by": "",
                    "is_left": False,
                    "quantity": 10,
                    "found_by": "sold",
                    "is_marked": False,
                    "figureAt": None,
                }
            ],
        }

    @pytest.mark.parametrize(
        ("how", "price"),
        [
            ({"by": "fixed", "price": "0.25"}, "0.2500"),
            ({"by": "percent", "percent": "-10"}, "0.1111"),
            ({"by": "percent", "percent": "-10", "rounding": "0.01"}, "0.1100"),
            ({"by": "percent", "percent": "-50", "minimum": "0.1"}, "0.1000"),
        ],
    )
    def test_by_hand(self, ann, client, how, price):
        done(client, [make_stock(ann, price=D("0.1234"))], **how)

        assert prices(ann) == [price]

    @pytest.mark.parametrize(
        ("without_data", "price", "marked"),
        [("keep", "0.1000", 0), ("zero", "None", 0), ("mark", "0.1000", 1)],
    )
    def test_without_data_does_what_was_asked(self, ann, client, without_data, price, marked):
        answer = done(client, [make_stock(ann)], by="rule", without_data=without_data)

        assert prices(ann) == [price]
        assert answer["without_data"] == marked
        assert answer["without_figures"] == 1
        assert [row["is_marked"] for row in answer["rows"] if row["is_marked"]] == [True] * marked

    @pytest.mark.parametrize(
        ("rule", "price", "limit"),
        [
            ({"minimum": "0.5"}, "0.5000", "least"),
            ({"maximum": "0.15"}, "0.1500", "most"),
            ({"max_step": "25"}, "0.1200", "step"),
            ({"max_step": "25", "rounding": "0"}, "0.1250", "step"),
            ({"rounding": "0.1", "ending": "0.01"}, "0.1900", ""),
            ({"basis": "asked_median", "fallback": "sold"}, "0.2000", ""),
        ],
    )
    def test_tells_what_decided_the_price(self, ann, client, rule, price, limit):
        row = make_stock(ann, sold_at(ann, "0.2000"))

        (change,) = done(client, [row], by="rule", **rule)["rows"]

        assert (change["after"], change["limited_by"], prices(ann)) == (price, limit, [price])

    def test_takes_all_that_a_filter_lets_through(self, ann, client):
        make_stock(ann, condition="N")
        make_stock(ann, condition="U")
        body = {"filter": {"condition": "N"}, "by": "fixed", "price": "2"}

        assert client.post(URL, body, format="json").status_code == 200
        assert prices(ann) == ["2.0000", "0.1000"]

    def test_a_dry_run_changes_nothing(self, ann, client):
        row = make_stock(ann)

        answer = done(client, [row], by="fixed", price="9", dry_run=True)

        assert (answer["act_id"], answer["changed"]) == (None, 1)
        assert (answer["rows"][0]["before"], answer["rows"][0]["after"]) == ("0.1000", "9.0000")
        assert prices(ann) == ["0.1000"]
        assert not KeptAct.objects.exists()

    def test_shows_rows_by_a_figure_of_their_change_and_the_ten_largest(self, ann, client):
        rows = [
            make_stock(ann, quantity=pieces, price=D(price))
            for pieces, price in ((1, "1"), (9, "0.2"), (2, "5"), (1, "0"))
        ]

        def shown(**how):
            answer = done(client, rows, by="fixed", price="0.5", dry_run=True, **how)
            return [rows.index(InventoryItem.objects.get(pk=row["id"])) for row in answer["rows"]]

        assert shown(order="percent") == [2, 0, 1, 3]
        assert shown(order="-change") == [1, 3, 0, 2]
        assert shown(order="-before", start=1) == [0, 1, 3]
        answer = done(client, rows, by="fixed", price="0.5", dry_run=True, start=3)
        largest = [row["id"] for row in answer["largest"]]
        assert largest == [rows[place].pk for place in (2, 1, 0, 3)]
        assert answer["shown_count"] == 4

    def test_a_row_that_is_left_keeps_its_price_and_counts_nowhere(self, ann, client):
        rows = [make_stock(ann, quantity=2) for _ in range(3)]
        how = {"by": "fixed", "price": "1", "leave": [rows[1].pk]}

        shown = done(client, rows, dry_run=True, **how)
        answer = done(client, rows, **how)

        assert [row["is_left"] for row in shown["rows"]].count(True) == 1
        assert rows[1].pk not in [row["id"] for row in shown["largest"]]
        assert (shown["changed"], shown["value_after"]) == (2, "4.2000")
        assert (answer["changed"], prices(ann)) == (2, ["1.0000", "0.1000", "1.0000"])

    def test_keeps_no_act_where_no_price_changes(self, ann, client):
        assert done(client, [make_stock(ann)], by="fixed", price="0.1")["act_id"] is None
        assert not KeptAct.objects.exists()

    def test_leaves_other_peoples_rows_alone(self, ann, bo, client):
        mine, theirs = make_stock(ann), make_stock(bo)

        answer = done(client, [mine, theirs], by="fixed", price="9")

        assert (answer["row_count"], prices(bo)) == (1, ["0.1000"])
        body = {"ids": [theirs.pk], "by": "fixed", "price": "9"}
        assert client.post(URL, body, format="json").status_code == 400

    def test_costs_the_same_for_one_and_for_a_thousand(self, ann, client):
        lot = make_lot()
        InventoryItem.objects.bulk_create(InventoryItem(owner=ann, lot=lot) for _ in range(1_000))
        rows = list(InventoryItem.objects.owned_by(ann))

        costs = [
            count_queries(lambda some=some: done(client, some, by="fixed", price="3"))[0]
            for some in (rows[:1], rows[1:])
        ]

        assert costs[0] == costs[1]

    @pytest.mark.parametrize(
        ("how", "field"),
        [
            ({}, "by"),
            ({"by": "fixed"}, "price"),
            ({"by": "percent"}, "percent"),
            ({"by": "percent", "percent": "-100"}, "percent"),
            ({"by": "fixed", "price": "-1"}, "price"),
            ({"by": "rule", "basis": "dice"}, "basis"),
            ({"by": "rule", "region": "mars"}, "region"),
            ({"by": "rule", "nth": 0}, "nth"),
            ({"by": "rule", "maximum": "0.005"}, "maximum"),
            ({"by": "rule", "minimum": "2", "maximum": "1"}, "maximum"),
            ({"by": "rule", "ending": "0.05"}, "ending"),
            ({"by": "rule", "max_step": "0"}, "max_step"),
            ({"by": "rule", "leave": ["x"]}, "leave.0"),
            ({"by": "rule", "order": "colour"}, "order"),
            ({"by": "fixed", "price": "1", "filter": {}}, "ids"),
            ({"by": "fixed", "price": "1", "ids": []}, "ids"),
        ],
    )
    def test_bad_input_names_the_field(self, ann, client, how, field):
        body = {"ids": [make_stock(ann).pk], **how}

        response = client.post(URL, body, format="json")

        assert response.status_code == 400
        assert field in response.json()["meta"]["error"]["fields"]
        assert prices(ann) == ["0.1000"]


class TestLockedPrices:
    """A lot with a locked price is never re-priced."""

    @pytest.mark.parametrize(
        "how",
        [{"by": "rule"}, {"by": "percent", "percent": "50"}, {"by": "fixed", "price": "9"}],
    )
    def test_stay_as_they_are(self, ann, client, how):
        lot = sold_at(ann, "0.5")
        rows = [make_stock(ann, lot, 2, price_locked=locked) for locked in (True, False)]

        answer = done(client, rows, **how)

        assert (answer["locked"], answer["changed"], prices(ann)[0]) == (1, 1, "0.1000")
        assert [row["id"] for row in answer["rows"]] == [rows[1].pk]

    def test_are_set_filtered_and_undone_like_any_field(self, ann, client):
        rows = [make_stock(ann) for _ in range(3)]
        body = {"ids": [row.pk for row in rows[:2]], "set": {"price_locked": True}}

        edited = client.post("/api/inventoryItems/bulk", body, format="json").json()["data"]

        def locked():
            answer = client.get("/api/inventoryItems", {"price_locked": "true"}).json()
            return sorted(row["id"] for row in answer["data"])

        assert locked() == [row.pk for row in rows[:2]]
        undo(client, edited[0]["act_id"])
        assert locked() == []

    def test_come_along_when_pieces_are_split_off(self, ann, client):
        row = make_stock(ann, None, 5, make_location(ann, "A"), price_locked=True)
        to = make_location(ann, "B")

        client.post(f"/api/inventoryItems/{row.pk}/move", {"to": to.pk, "quantity": 2})

        found = InventoryItem.objects.owned_by(ann).values_list("quantity", "price_locked")
        assert sorted(found) == [(2, True), (3, True)]

    def test_are_kept_by_a_consolidation(self, ann, client):
        lot = make_lot()
        one, other = (
            make_stock(
                ann, lot, pieces, make_location(ann, name), price=D(price), price_locked=lock
            )
            for pieces, name, price, lock in ((9, "A", "1", True), (1, "B", "3", False))
        )
        body = {"ids": [one.pk, other.pk]}

        assert client.post("/api/inventoryItems/consolidate", body).status_code == 200

        row = InventoryItem.objects.owned_by(ann).get(quantity=10)
        assert (str(row.price), row.price_locked) == ("1.0000", True)


class TestEveryNight:
    @pytest.fixture
    def nightly(self, ann):
        PriceSetting.objects.create(user=ann, is_nightly=True, max_step=D(50))

    def test_re_prices_the_stock_by_the_rule_as_an_act(self, ann, client, nightly):
        lot = sold_at(ann, "0.5")
        rows = [
            make_stock(ann, lot, 2),
            make_stock(ann, lot, 2, price_locked=True),
            make_stock(ann, lot, 0),
        ]

        assert reprice_by_night() == 1
        (job,) = run_jobs()

        assert (job.kind, job.state, job.total) == (REPRICE_KIND, "succeeded", 1)
        assert prices(ann) == ["0.1500", "0.1000", "0.1000"]
        act = KeptAct.objects.get()
        assert (act.note, act.row_count) == ("every night", 1)
        assert undo(client, act.pk).status_code == 200
        assert prices(ann) == ["0.1000"] * len(rows)

    def test_leaves_no_act_where_nothing_changed(self, ann, nightly):
        make_stock(ann, sold_at(ann, "0.1"), 2)

        reprice_by_night()
        (job,) = run_jobs()

        assert (job.state, job.result["act_id"]) == ("succeeded", None)
        assert not KeptAct.objects.exists()

    def test_begins_once_while_one_is_at_work_and_for_nobody_who_did_not_ask(
        self, ann, bo, nightly
    ):
        make_stock(ann, sold_at(ann, "0.5"), 2)
        make_stock(bo, make_lot(), 2)

        assert [reprice_by_night(), reprice_by_night()] == [1, 0]

    def test_is_due_every_day(self):
        assert periods()["inventory.reprice_by_night"] == dt.timedelta(days=1)


class TestUndo:
    def test_puts_every_price_back_and_moves_nothing(self, ann, client):
        bin_ = make_location(ann, "A")
        rows = [make_stock(ann, None, 3, bin_, price=D(price)) for price in ("1", "2")]
        booked = Movement.objects.count()
        answer = done(client, rows, by="percent", percent="50")
        assert prices(ann) == ["1.5000", "3.0000"]

        assert undo(client, answer["act_id"]).status_code == 200

        assert prices(ann) == ["1.0000", "2.0000"]
        assert Movement.objects.count() == booked
        assert check_ledger().is_sound
        assert undo(client, answer["act_id"]).status_code == 409

    def test_minds_the_price_and_not_the_pieces(self, ann, client):
        row = make_stock(ann, None, 3, make_location(ann, "A"))
        answer = done(client, [row], by="fixed", price="2")
        client.patch(f"/api/inventoryItems/{row.pk}", {"quantity": 2}, format="json")
        to = make_location(ann, "B")
        client.post(f"/api/inventoryItems/{row.pk}/move", {"to": to.pk}, format="json")

        assert undo(client, answer["act_id"]).status_code == 200

        row = InventoryItem.objects.owned_by(ann).get(quantity__gt=0)
        assert (str(row.price), row.quantity, row.location_id) == ("0.1000", 2, to.pk)
        assert check_ledger().is_sound

    def test_is_refused_where_a_price_changed_since(self, ann, client):
        row, other = make_stock(ann), make_stock(ann)
        answer = done(client, [row, other], by="fixed", price="2")
        client.patch(f"/api/inventoryItems/{row.pk}", {"price": "3"}, format="json")

        response = undo(client, answer["act_id"])

        assert (response.status_code, response.json()["data"]) == (409, [{"id": row.pk}])
        assert prices(ann) == ["3.0000", "2.0000"]


class TestTheJob:
    @pytest.fixture
    def many(self, ann, monkeypatch):
        monkeypatch.setattr(acts, "AT_ONCE", 2)
        monkeypatch.setattr(acts, "CHUNK", 2)
        return [make_stock(ann) for _ in range(5)]

    def test_does_more_than_a_thousand_by_the_rule_that_was_chosen(self, ann, client, many):
        body = {"ids": [row.pk for row in many], "by": "percent", "percent": "100"}

        assert client.post(URL, body, format="json").status_code == 202
        (job,) = run_jobs()

        assert (job.state, job.result["item_count"]) == ("succeeded", 5)
        assert prices(ann) == ["0.2000"] * 5
        assert undo(client, job.result["act_id"]).status_code == 202
        run_jobs()
        assert prices(ann) == ["0.1000"] * 5

    def test_keeps_the_settings_of_the_moment_it_was_asked(self, ann, client, many):
        lot = sold_at(ann, "0.5")
        InventoryItem.objects.owned_by(ann).update(lot=lot)
        body = {"ids": [row.pk for row in many], "by": "rule", "minimum": "0.7"}

        client.post(URL, body, format="json")
        PriceSetting.objects.update_or_create(user=ann, defaults={"percent": D(900)})
        run_jobs()

        assert prices(ann) == ["0.7000"] * 5


def test_too_many_ids_are_counted_before_they_are_read(ann, api):
    answer = api(ann).post(URL, {"ids": ["x"] * 200_001, "by": "rule"}, format="json")

    assert answer.status_code == 400
    assert list(answer.json()["meta"]["error"]["fields"]) == ["ids"]
    assert "no more than 100000" in answer.json()["meta"]["error"]["fields"]["ids"][0]

"""The books of a period: what each sale cost, by which rule it is taxed, and the files of it."""

import csv
import datetime as dt
import io
from decimal import Decimal as D
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command
from django.db.models import Sum

from apps.accounts.models import User
from apps.accounts.selectors import currency_of
from apps.auctions.models import BuyerOptions
from apps.batches.models import Batch
from apps.batches.tests.factories import make_batch, make_item, stow_all
from apps.books.models import BooksSetting
from apps.books.services.files import LISTS
from apps.catalog.services.starter import load_starter_catalog
from apps.catalog.tests.factories import make_lot
from apps.core.clock import now
from apps.core.testing.queries import assert_query_budget
from apps.inventory.models import InventoryItem, Movement
from apps.inventory.tests.factories import make_stock
from apps.locations.tests.factories import make_location
from apps.orders.models import Order
from apps.orders.services.handling import refund_order, take_back
from apps.orders.tests.factories import sell
from apps.sources.models import Source

pytestmark = pytest.mark.django_db

URL = "/api/books"
YEAR = {"first": "2026-01-01", "last": "2026-12-31"}
LEDGER = Path(__file__).parent / "query_counts.json"


@pytest.fixture
def stock(ann):
    """A row of 20 used pieces at 1.00 of a batch that cost 10.00, bought of Vera."""
    batch = make_batch(
        ann, "Attic", cost_total=D(10), source=Source.objects.create(owner=ann, name="Vera")
    )
    make_item(batch, quantity=20, price="1.0000", condition="U")
    stow_all(batch, location=make_location(ann, "A-1"))
    return InventoryItem.objects.get()


def taxed(user, mode="margin", country="DE", **also):
    row = {"since": "2020-01-01", "mode": mode, "country": country, "uses_oss": False, **also}
    BooksSetting.objects.update_or_create(user=user, defaults={"modes": [row]})


def books_of(client, **period):
    answer = client.get(URL, {**YEAR, **period})
    assert answer.status_code == 200, answer.json()
    (row,) = answer.json()["data"]
    return row


def file_of(client, name, **period):
    answer = client.get(f"{URL}/{name}/file", {**YEAR, **period})
    assert answer.status_code == 200, answer.content
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


class TestASale:
    def test_knows_its_cost_and_its_margin(self, ann, api, stock):
        taxed(ann)
        sell(ann, stock, 4, country="DE", shipping=D("2.00"), total=D("6.00"), channel="store")

        row = books_of(api(ann))

        assert (row["pieces"], row["sold"], row["extras"]) == (4, "4.0000", "2.0000")
        assert (row["cost"], row["margin"]) == ("2.0000", "4.0000")
        # 19/119 of the margin of 4.00, in which what was charged for shipping counts.
        (rule,) = row["rules"]
        assert (rule["rule"], rule["country"], rule["percent"]) == ("margin", "DE", "19.00")
        assert rule["tax"] == row["tax"] == "0.6387"

    def test_of_unknown_cost_is_counted_and_never_of_none(self, ann, api):
        taxed(ann)
        row = make_stock(
            ann, quantity=5, price=D(1), condition="U", location=make_location(ann, "A")
        )
        sell(ann, row, 2, country="DE")

        found = books_of(api(ann))

        assert (found["cost"], found["margin"], found["tax"]) == ("0.0000", "0.0000", "0.0000")
        assert found["missing"]["sales_without_cost"] == 1
        assert found["missing"]["sales_without_source"] == 1
        assert found["rules"][0]["lines_without_tax"] == 1
        (line,) = file_of(api(ann), "margin")
        assert (line["cost"], line["difference"], line["tax"]) == ("", "", "")

    def test_into_an_unknown_country_is_counted(self, ann, api, stock):
        taxed(ann)
        sell(ann, stock, 1, channel="store")

        row = books_of(api(ann))

        assert row["rules"][0]["rule"] == "unknown"
        assert row["missing"]["sales_without_country"] == 1

    def test_of_another_period_does_not_count(self, ann, api, stock):
        sell(ann, stock, 1, ordered_on=dt.date(2026, 1, 31))

        assert books_of(api(ann), first="2026-02-01")["pieces"] == 0
        assert books_of(api(ann), last="2026-01-31")["pieces"] == 1

    def test_without_a_date_is_counted(self, ann, api, stock):
        sell(ann, stock, 1, is_dated=False)

        row = books_of(api(ann))

        assert (row["pieces"], row["missing"]["orders_without_date"]) == (0, 1)

    def test_that_came_back_with_all_its_money_brings_nothing(self, ann, api, stock):
        order = sell(ann, stock, 4, shipping=D(2), total=D(6))
        line = order.lines.get()
        take_back(
            order=order, pieces={line.pk: 4}, location_id=None, by=ann, now=now(), refund=D(6)
        )

        row = books_of(api(ann))

        assert (row["sold"], row["extras"], row["refunds"]) == ("0.0000", "0.0000", "6.0000")


class TestTheMarginRecord:
    def test_says_of_whom_when_for_what_and_to_whom(self, ann, api, stock):
        taxed(ann)
        Batch.objects.update(created_at=dt.datetime(2026, 2, 3, 12, tzinfo=dt.UTC))
        sell(ann, stock, 4, country="DE", buyer="bo", address_name="Bo Brick")

        (line,) = file_of(api(ann), "margin")

        assert (line["bought_on"], line["bought_from"], line["cost"]) == (
            "2026-02-03",
            "Vera",
            "2.0000",
        )
        assert (line["sold_to"], line["sold_for"], line["difference"], line["tax"]) == (
            "Bo Brick",
            "4.0000",
            "2.0000",
            "0.3193",
        )

    def test_has_no_new_lots(self, ann, api):
        taxed(ann)
        row = make_stock(
            ann, quantity=5, price=D(1), condition="N", location=make_location(ann, "A")
        )
        sell(ann, row, 2, country="DE")

        assert file_of(api(ann), "margin") == []
        assert books_of(api(ann))["rules"][0]["rule"] == "normal"


def total(rows, name):
    return sum((D(row[name]) for row in rows if row[name]), D())


def a_year(user):
    """Sales on each other week of a year, of three batches, with discounts, refunds and returns."""
    chance = Random(42)
    home = make_location(user, "A-1")
    sources = [Source.objects.create(owner=user, name=name) for name in ("Vera", "Market")]
    for number, cost in enumerate((D("33.33"), D("10.00"), None)):
        batch = make_batch(user, f"Batch {number}", cost_total=cost, source=sources[number % 2])
        for condition in "NU":
            make_item(batch, quantity=200, price="0.1337", condition=condition, lot=make_lot())
        stow_all(batch, location=home)
    rows = list(InventoryItem.objects.owned_by(user).order_by("pk"))
    for place in range(25):
        pieces = chance.randint(1, 9)
        order = sell(user, chance.choice(rows), pieces)
        subtotal = sum(line.price * line.quantity for line in order.lines.all())
        shipping = D(chance.randint(0, 500)) / 100
        credit = D("0.0300") if place % 7 == 0 else D()
        Order.objects.filter(pk=order.pk).update(
            channel="store" if place % 3 else "hand",
            ordered_on=dt.date(2026, 1, 1) + dt.timedelta(days=place * 14),
            country=chance.choice(["DE", "France", "US", "NL", ""]),
            subtotal=subtotal,
            shipping=shipping,
            credit=credit,
            total=subtotal + shipping - credit,
        )
        order.refresh_from_db()
        if place % 10 == 0:
            refund_order(order=order, amount=D("0.0500"), now=now())
        if place % 11 == 0:
            line = order.lines.get()
            take_back(order=order, pieces={line.pk: 1}, location_id=None, by=user, now=now())


@pytest.mark.postgres
class TestTheBooksOfAYear:
    def test_agree_with_reports_orders_and_files_to_the_cent(self, ann, api):
        taxed(ann, uses_oss=True)
        BuyerOptions.objects.create(user=ann, fee_percent=D("5.7"))
        a_year(ann)
        client = api(ann)

        row = books_of(client)
        (reports,) = client.get("/api/reports").json()["data"]
        sales = file_of(client, "sales")

        def same(found, *others):
            assert {round(D(one), 2) for one in others} == {round(D(found), 2)}

        profit = reports["profit"]
        same(row["sold"], total(profit, "sold"), total(sales, "sold"))
        same(row["fees"], total(profit, "fees"), total(file_of(client, "fees"), "amount"))
        same(row["cost"], total(profit, "cost"), total(sales, "cost"))
        assert row["pieces"] == sum(one["pieces"] for one in profit)
        same(row["extras"], total(file_of(client, "shipping"), "amount"), total(sales, "extras"))
        orders = Order.objects.filter(lines__picked__gt=0).distinct()
        same(row["extras"], sum(one.shipping for one in orders))
        same(row["refunds"], total(file_of(client, "refunds"), "refunded"))
        same(row["refunds"], sum(one.refunded for one in orders))
        same(row["purchases"], "43.33", total(file_of(client, "purchases"), "cost"))
        same(row["tax"], total(row["rules"], "tax"), total(sales, "tax"))
        without = len([one for one in sales if not one["cost"] and one["pieces"] != "0"])
        assert row["missing"]["sales_without_cost"] == without > 0
        assert {one["rule"] for one in row["rules"]} == {
            *("margin", "normal", "oss", "outside", "unknown")
        }

    def test_are_booked_to_the_cent(self, ann, api):
        taxed(ann, uses_oss=True)
        a_year(ann)
        client = api(ann)
        row = books_of(client)

        answer = client.get(f"{URL}/datev/file", YEAR)

        lines = answer.content.decode("cp1252").split("\r\n")[2:-1]
        sums = {"sales": D(), "fees": D(), "purchases": D()}
        for line in lines:
            amount, side, *_ = line.split(";")
            text = line.split(";")[13].strip('"')
            kind = text.split()[-1] if text.startswith("Rounding") else ""
            kind = kind or {"S": "sales", "F": "fees", "B": "purchases"}[text[0]]
            sign = -1 if side == '"H"' else 1
            sums[kind] += sign * D(amount.replace(",", "."))
        assert sums["sales"] == round(D(row["sold"]) + D(row["extras"]), 2)
        assert sums["fees"] == round(D(row["fees"]), 2)
        assert sums["purchases"] == D("43.33")

        journal = list(
            csv.DictReader(io.StringIO(client.get(f"{URL}/xero/file", YEAR).content.decode()))
        )
        assert len(journal) == 2 * len(lines)
        assert total(journal, "*Amount") == 0


@pytest.mark.long("builds the demo store and sells from it for a year")
class TestTheBooksOfTheDemoYear:
    """What each sum must be is added up from the orders, the percentage of fees and the ledger."""

    def test_are_those_of_orders_fees_and_ledger_to_the_cent(self, api):
        load_starter_catalog(now=now())
        call_command("load_demo", stdout=io.StringIO())
        demo = User.objects.get(is_demo=True)
        taxed(demo, mode="normal")
        BuyerOptions.objects.update_or_create(user=demo, defaults={"fee_percent": D("5.7")})
        chance = Random(2026)
        rows = list(
            InventoryItem.objects.owned_by(demo)
            .filter(location__isnull=False, price__gt=0, quantity__gte=6)
            .order_by("pk")
        )
        for place in range(26):
            order = sell(demo, rows[place], chance.randint(2, 4))
            (line,) = order.lines.all()
            subtotal, shipping = line.price * line.quantity, D(chance.randint(0, 500)) / 100
            Order.objects.filter(pk=order.pk).update(
                channel="store" if place % 3 else "hand",
                ordered_on=dt.date(2026, 1, 1) + dt.timedelta(days=place * 14),
                country=chance.choice(["DE", "FR", "NL", "US"]),
                currency=currency_of(demo),
                subtotal=subtotal,
                shipping=shipping,
                total=subtotal + shipping,
            )
            order.refresh_from_db()
            if place % 5 == 0:  # a piece comes back, and its price is given back
                take_back(order=order, pieces={line.pk: 1}, location_id=None, by=demo, now=now())
                refund_order(order=order, amount=line.price, now=now())

        row = books_of(api(demo))

        orders = list(Order.objects.owned_by(demo).exclude(state="paid"))  # three wait to be picked
        brought = {one.pk: one.total - one.shipping - one.refunded for one in orders}
        by_stores = sum(brought[one.pk] for one in orders if one.channel == "store")
        moved = Movement.objects.filter(item__owner=demo, cause_kind="order")
        assert row["orders"] == len(orders) == 26
        assert D(row["sold"]) == sum(brought.values())
        assert D(row["extras"]) == sum(one.shipping for one in orders)
        assert D(row["refunds"]) == sum(one.refunded for one in orders) > 0
        assert abs(D(row["fees"]) - by_stores * D("0.057")) < D("0.01")
        assert row["pieces"] == -moved.aggregate(sum=Sum("delta"))["sum"]
        assert row["pieces"] == sum(int(one["pieces"]) for one in file_of(api(demo), "sales"))
        taxes = {
            one["country"] + one["rule"]: (D(one["gross"]), D(one["tax"])) for one in row["rules"]
        }
        gross, tax = taxes["DEnormal"]
        assert abs(tax - gross * 19 / 119) < D("0.01")
        assert taxes["DEoutside"][1] == 0
        assert sum(one for one, _ in taxes.values()) == D(row["sold"]) + D(row["extras"])


class TestARequest:
    @pytest.mark.parametrize("name", [*LISTS])
    def test_for_a_list_of_nothing_has_its_head(self, ann, api, name):
        answer = api(ann).get(f"{URL}/{name}/file", YEAR)

        assert answer.content.decode("utf-8-sig").strip().split(",") == list(LISTS[name][1])

    def test_that_names_no_period_is_refused(self, ann, api):
        answer = api(ann).get(URL, {"last": "2026-01-01"})

        assert answer.status_code == 400
        assert list(answer.json()["meta"]["error"]["fields"]) == ["first"]

    def test_take_the_days_of_a_period_in_either_order(self, ann, api):
        answer = api(ann).get(URL, {"first": "2026-02-01", "last": "2026-01-01"})

        (row,) = answer.json()["data"]
        assert (row["first"], row["last"]) == ("2026-01-01", "2026-02-01")

    def test_for_a_batch_of_two_years_is_refused(self, ann, api):
        answer = api(ann).get(f"{URL}/datev/file", {"first": "2025-12-01", "last": "2026-01-31"})

        assert answer.status_code == 400

    def test_makes_the_same_number_of_queries_for_more_sales(self, ann, api, stock):
        client = api(ann)
        sell(ann, stock, 1)
        assert_query_budget(LEDGER, "books", lambda: books_of(client))

        for _ in range(3):
            sell(ann, stock, 1)

        assert_query_budget(LEDGER, "books", lambda: books_of(client))


class TestTheSettings:
    URL = f"{URL}/settings"

    def test_begin_with_the_rates_of_the_app_and_no_mode(self, ann, api):
        (row,) = api(ann).get(self.URL).json()["data"]

        assert row["modes"] == []
        assert {"country": "DE", "since": "2021-01-01", "percent": "19.00", "is_own": False} in row[
            "rates"
        ]

    def test_keep_modes_and_corrected_rates_by_day(self, ann, api):
        mode = {"since": "2026-01-01", "mode": "margin", "country": "FR", "uses_oss": True}
        rate = {"country": "FR", "since": "2026-06-01", "percent": "20.6"}

        answer = api(ann).patch(self.URL, {"modes": [mode], "rates": [rate]}, format="json")

        (row,) = answer.json()["data"]
        assert row["modes"] == [mode]
        assert [one for one in row["rates"] if one["is_own"]] == [
            {**rate, "percent": "20.60", "is_own": True}
        ]

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"modes": [{"since": "2026-01-01", "mode": "x", "country": "FR"}]}, "modes"),
            ({"modes": [{"since": "2026-01-01", "mode": "none", "country": "fr"}]}, "modes"),
            ({"modes": [{"since": "2026-01-01", "mode": "none", "country": "FR"}] * 2}, "modes"),
            ({"rates": [{"country": "FR", "since": "2026-01-01", "percent": 101}]}, "rates"),
            ({"accounts": {"money": "12;00"}}, "accounts"),
            ({"first_serial": 0}, "first_serial"),
            ({"modes": [{"since": "2020-01-01"}]}, "modes"),
            ({"rates": [{"country": "DE", "since": "2020-01-01"}]}, "rates"),
        ],
    )
    def test_name_the_field_that_is_wrong(self, ann, api, body, field):
        answer = api(ann).patch(self.URL, body, format="json")

        assert answer.status_code == 400
        named = answer.json()["meta"]["error"]["fields"]
        assert named
        assert all(one.startswith(field) for one in named)
        assert not BooksSetting.objects.exists()

    def test_fill_in_that_there_is_no_one_stop_shop(self, ann, api):
        mode = {"since": "2020-01-01", "mode": "normal", "country": "DE"}

        (row,) = api(ann).patch(self.URL, {"modes": [mode]}, format="json").json()["data"]

        assert row["modes"] == [{**mode, "uses_oss": False}]

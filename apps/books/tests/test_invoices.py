"""Invoices: their numbers, what they say, and that nothing of them changes."""

import datetime as dt
import io
from decimal import Decimal as D

import pytest
from django.db import DatabaseError, transaction
from pypdf import PdfReader

from apps.accounts.services.closing import erasing
from apps.books.models import BooksSetting, Invoice, InvoicedOrder
from apps.books.services.invoice_paper import invoices_pdf
from apps.books.services.invoices import (
    NotInvoiceable,
    cancel_invoice,
    forget_old_invoices,
    issue_invoices,
)
from apps.books.tests.factories import UTC, make_invoice
from apps.books.tests.test_books import taxed
from apps.core.clock import now
from apps.core.testing.threads import at_once
from apps.inventory.tests.factories import make_stock
from apps.locations.tests.factories import make_location
from apps.orders.models import Order
from apps.orders.rules.papers import tongue_of
from apps.orders.services.forgetting import forget_buyer
from apps.orders.services.papers import Seller
from apps.orders.tests.factories import make_order, sell

pytestmark = pytest.mark.django_db

URL = "/api/invoices"


def sold(user, pieces=4, *, condition="N", **also):
    home = user.pk and make_location(user, f"A-{Order.objects.count()}")
    row = make_stock(user, quantity=9, price=D("0.50"), condition=condition, location=home)
    subtotal = D("0.50") * pieces
    return sell(
        user,
        row,
        pieces,
        **{
            "subtotal": subtotal,
            "shipping": D("2.00"),
            "total": subtotal + 2,
            "currency": "EUR",
            "buyer": "bo",
            "address_name": "Bo Brick",
            "address": "5 Lane",
            "country": "DE",
            **also,
        },
    )


def printed(invoice):
    pages = PdfReader(io.BytesIO(invoices_pdf([invoice]))).pages
    return "\n".join(page.extract_text() for page in pages).replace("\xa0", " ")


class TestTheSeries:
    def test_counts_from_the_first_number_without_a_gap(self, ann):
        BooksSetting.objects.create(user=ann, first_serial=117, invoice_prefix="R-")
        orders = [sold(ann), sold(ann)]
        new = make_order(ann)
        Order.objects.filter(pk=new.pk).update(state="new")

        first = make_invoice(ann, orders[0])
        with pytest.raises(NotInvoiceable):
            make_invoice(ann, new)
        second = make_invoice(ann, orders[1])
        credit = cancel_invoice(invoice=first, zone=UTC, now=now())

        assert [one.number for one in (first, second, credit)] == ["R-117", "R-118", "R-119"]

    def test_of_one_is_not_that_of_another(self, ann, bo):
        assert [make_invoice(user, sold(user)).serial for user in (ann, bo)] == [1, 1]

    def test_cannot_begin_elsewhere_once_it_has_begun(self, ann, api):
        make_invoice(ann, sold(ann))

        answer = api(ann).patch("/api/books/settings", {"first_serial": 7}, format="json")

        assert answer.status_code == 400
        assert list(answer.json()["meta"]["error"]["fields"]) == ["first_serial"]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
class TestTheSeriesUnderParallelPrints:
    def test_has_no_gap_and_no_twin(self, ann):
        orders = [sold(ann) for _ in range(20)]

        numbers = at_once(lambda place: make_invoice(ann, orders[place]).serial, threads=20)

        assert sorted(numbers) == list(range(1, 21))
        assert Invoice.objects.count() == 20

    def test_has_none_where_ten_make_an_invoice_each_of_many(self, ann):
        orders = [sold(ann).pk for _ in range(20)]
        # Each of them shares two of its four orders with the next one.
        wanted = [[orders[(2 * place + step) % 20] for step in range(4)] for place in range(10)]

        def make(place):
            made = issue_invoices(
                owner=ann,
                order_ids=wanted[place],
                seller=Seller("Ann's bricks", "1 Road", "DE123"),
                tongue=tongue_of("en"),
                zone=UTC,
                now=now(),
            )
            return list(zip(wanted[place], (one.serial for one in made), strict=True))

        pairs = {pair for made in at_once(make, threads=10) for pair in made}

        assert sorted(serial for _, serial in pairs) == list(range(1, 21))
        assert {order for order, _ in pairs} == set(orders)
        assert Invoice.objects.count() == InvoicedOrder.objects.count() == 20

    def test_gives_one_order_one_number(self, ann):
        order = sold(ann)

        numbers = at_once(lambda _: make_invoice(ann, order).serial, threads=20)

        assert set(numbers) == {1}
        assert InvoicedOrder.objects.count() == 1


class TestAnInvoice:
    def test_says_who_sold_what_to_whom_and_whose_tax_is_in_it(self, ann):
        taxed(ann, "normal")
        order = sold(ann)

        invoice = make_invoice(ann, order)

        text = printed(invoice)
        for part in ("Rechnung 1", "Ann's bricks", "USt-IdNr.: DE123", "Bo Brick", order.number):
            assert part in text
        assert "Gesamt: 4,00 €" in text
        # 19/119 of 4.00.
        assert "MwSt. DE 19 %: 0,64 € (Netto 3,36 €)" in text
        assert invoice.total == 4

    @pytest.mark.parametrize(
        ("country", "title", "note"),
        [
            ("DE", "Rechnung", "Gebrauchtgegenstände/Sonderregelung"),
            ("FR", "Facture", "Régime particulier – Biens d’occasion"),
            ("NL", "Factuur", "Bijzondere regeling – gebruikte goederen"),
            ("IE", "Invoice", "Margin scheme – second-hand goods"),
            ("US", "Invoice", "VAT exempt: export"),
        ],
    )
    def test_is_in_the_buyers_language_with_its_rule(self, ann, country, title, note):
        taxed(ann, "margin")

        text = printed(make_invoice(ann, sold(ann, condition="U", country=country)))

        assert f"{title} 1" in text
        assert note in text
        assert "19 %" not in text

    def test_of_used_and_new_lots_shares_the_rest_among_their_rules(self, ann):
        taxed(ann, "margin")
        one, other = sold(ann, condition="U"), sold(ann, condition="N")

        invoice = make_invoice(ann, one, other)

        assert [(row["rule"], row["gross"], row["tax"]) for row in invoice.content["taxes"]] == [
            ("margin", "4.00", "0.00"),
            ("normal", "4.00", "0.64"),
        ]
        assert invoice.total == 8

    def test_is_less_what_was_refunded(self, ann):
        invoice = make_invoice(ann, sold(ann, refunded=D("0.25")))

        assert invoice.total == D("3.75")
        assert invoice.content["sums"]["refunded"] == "-0.25"

    def test_comes_again_as_it_was(self, ann):
        order = sold(ann)
        invoice = make_invoice(ann, order)
        Order.objects.filter(pk=order.pk).update(total=D(99), address_name="Somebody")

        again = make_invoice(ann, order)

        assert again == invoice
        assert printed(again) == printed(invoice)

    def test_is_of_one_buyer(self, ann):
        orders = [sold(ann), sold(ann, address="9 Lane")]

        with pytest.raises(NotInvoiceable, match="its buyer or currency"):
            make_invoice(ann, *orders)

        assert not Invoice.objects.exists()

    def test_has_no_order_of_another_invoice(self, ann):
        orders = [sold(ann), sold(ann)]
        make_invoice(ann, orders[0])

        with pytest.raises(NotInvoiceable, match="it is on invoice 1"):
            make_invoice(ann, *orders)

    def test_needs_a_country_for_its_tax(self, ann):
        taxed(ann, "normal")

        with pytest.raises(NotInvoiceable, match="country is not known"):
            make_invoice(ann, sold(ann, channel="store", country=""))

    def test_needs_the_day_of_its_order(self, ann):
        taxed(ann, "normal")

        with pytest.raises(NotInvoiceable, match="import its file again with a column Order Date"):
            make_invoice(ann, sold(ann, is_dated=False))

        assert not Invoice.objects.exists()

    def test_is_issued_anew_after_its_credit_note(self, ann):
        order = sold(ann)
        first = make_invoice(ann, order)
        credit = cancel_invoice(invoice=first, zone=UTC, now=now())

        assert "Storniert Rechnung: 1" in printed(credit)
        assert "Gesamt: -4,00 €" in printed(credit)
        assert cancel_invoice(invoice=first, zone=UTC, now=now()) == credit
        assert make_invoice(ann, order).serial == 3

    @pytest.mark.postgres
    @pytest.mark.parametrize("change", ["number", "total", "content", "buyer", "issued_on"])
    def test_is_kept_by_the_database(self, ann, change):
        invoice = make_invoice(ann, sold(ann))
        value = {
            "number": "2",
            "total": 1,
            "content": {},
            "buyer": "Somebody",
            "issued_on": dt.date(2020, 1, 1),
        }[change]

        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            Invoice.objects.update(**{change: value})
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            Invoice.objects.all()._raw_delete("default")

        assert Invoice.objects.get().number == invoice.number

    @pytest.mark.postgres
    def test_goes_with_its_account(self, ann):
        make_invoice(ann, sold(ann))
        InvoicedOrder.objects.all().delete()

        with transaction.atomic(), erasing(ann):
            Invoice.objects.all().delete()

        assert not Invoice.objects.exists()


class TestTheBuyer:
    def test_stays_on_the_invoice_when_the_orders_forget(self, ann, api):
        order = sold(ann)
        Order.objects.update(state="done")
        order.refresh_from_db()
        make_invoice(ann, order)

        forget_buyer(order=order, now=now())

        assert Invoice.objects.get().buyer == "Bo Brick\n5 Lane\nDE"
        (line,) = (
            api(ann)
            .get("/api/books/sales/file", {"first": "2020-01-01", "last": "2030-01-01"})
            .content.decode()
            .splitlines()[1:]
        )
        assert "Bo Brick" not in line  # only the record of margins names whom a lot was sold to

    @pytest.mark.postgres
    def test_leaves_the_invoice_after_its_years(self, ann):
        invoice = make_invoice(ann, sold(ann))

        assert forget_old_invoices(now=now() + dt.timedelta(days=3650 - 10)) == 0
        assert forget_old_invoices(now=now() + dt.timedelta(days=3653 + 10)) == 1

        assert Invoice.objects.get().buyer == ""
        assert Invoice.objects.get().total == invoice.total

    def test_leaves_the_invoice_of_who_has_no_settings_after_ten_years(self, ann):
        make_invoice(ann, sold(ann))
        BooksSetting.objects.all().delete()

        assert forget_old_invoices(now=now() + dt.timedelta(days=3653 + 10)) == 1

        assert Invoice.objects.get().buyer == ""


class TestTheApi:
    def test_issues_prints_lists_and_cancels(self, ann, api):
        order = sold(ann)
        client = api(ann)

        made = client.post(URL, {"order_ids": [order.pk]}, format="json")

        assert made.status_code == 201, made.json()
        (row,) = made.json()["data"]
        assert (row["number"], row["total"], row["kind"]) == ("1", "4.0000", "invoice")
        answer = client.get(f"{URL}/{row['id']}/file")
        assert answer["Content-Type"] == "application/pdf"
        credit = client.post(f"{URL}/{row['id']}/cancel").json()["data"][0]
        assert (credit["number"], credit["total"], credit["cancels"]) == ("2", "-4.0000", row["id"])
        found = client.get(URL, {"order": order.pk}).json()["data"]
        assert [(one["number"], one["cancelled_by"]) for one in found] == [
            ("2", None),
            ("1", credit["id"]),
        ]

    def test_issues_one_each_and_prints_them_on_pages_of_their_own(self, ann, api):
        orders = [sold(ann, country=to, address_name=to) for to in ("DE", "FR", "IE")]
        ids = [order.pk for order in orders]
        make_invoice(ann, orders[1])

        answer = api(ann).post(f"{URL}/each", {"order_ids": ids}, format="json")
        again = api(ann).post(f"{URL}/each", {"order_ids": ids}, format="json")

        assert answer["Content-Type"] == "application/pdf"
        pages = [page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages]
        for page, title in zip(pages, ("Rechnung 2", "Facture 1", "Invoice 3"), strict=True):
            assert title in page
        assert [page.extract_text() for page in PdfReader(io.BytesIO(again.content)).pages] == pages
        assert list(Invoice.objects.order_by("serial").values_list("serial", flat=True)) == [
            1,
            2,
            3,
        ]

    def test_issues_none_where_one_of_many_is_refused(self, ann, api):
        orders = [sold(ann), sold(ann, is_dated=False)]

        answer = api(ann).post(
            f"{URL}/each", {"order_ids": [order.pk for order in orders]}, format="json"
        )

        assert answer.status_code == 409
        assert f"Order {orders[1].number} cannot be" in answer.json()["message"]
        assert not Invoice.objects.exists()
        assert make_invoice(ann, orders[0]).serial == 1

    def test_refuses_an_order_of_somebody_else(self, ann, bo, api):
        order = sold(ann)

        assert api(bo).post(URL, {"order_ids": [order.pk]}, format="json").status_code == 404
        assert not Invoice.objects.exists()

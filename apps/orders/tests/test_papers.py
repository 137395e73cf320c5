"""Packing slips, pick lists, address labels and tray cards, read again from their PDF."""

import io
from decimal import Decimal

import pytest
from pypdf import PdfReader

from apps.catalog.tests.factories import make_lot
from apps.core.clock import now
from apps.core.testing.queries import count_queries
from apps.orders.models import Order, OrderLine
from apps.orders.providers.paper_pdf import BLANK, markup, printable
from apps.orders.rules.papers import tongue_of
from apps.orders.selectors.walks import stops_of
from apps.orders.services.picking import pick_stop
from apps.orders.tests.factories import make_order, make_walk, stock_in

pytestmark = pytest.mark.django_db

URL = "/api/orders/papers"


def read(answer):
    """The pages of a PDF as text."""
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf"), answer.content
    return [page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages]


class TestAPackingSlip:
    def test_has_the_buyer_the_lines_and_the_money(self, ann, api):
        row = stock_in(ann, "A-1", 9, price=Decimal("0.25"))
        order = make_order(ann, (row, 4), buyer="Bo Brick", address="5 Lane\nTown", country="UK")

        (page,) = read(
            api(ann).post(URL, {"kind": "packing_slip", "order_ids": [order.pk]}, format="json")
        )

        assert "Packing slip" in page
        for part in (order.number, "Bo Brick", "5 Lane", "Brick 2 x 4", "Pieces: 4"):
            assert part in page
        assert "Total" in page

    def test_names_what_is_not_in_the_parcel(self, ann, api):
        order = make_order(ann, (stock_in(ann, "A-1", 5), 4))
        walk = make_walk(ann, order)
        (stop,) = stops_of(walk=walk)
        line = stop["trays"][0]["line_id"]
        pick_stop(
            walk=walk,
            item_id=stop["item_id"],
            picked={line: 1},
            by=ann,
            now=now(),
            reason="damaged",
        )

        (page,) = read(
            api(ann).post(URL, {"kind": "packing_slip", "order_ids": [order.pk]}, format="json")
        )

        assert "Not included" in page
        assert "3 × Brick 2 x 4" in page

    def test_adds_up_without_what_is_missing(self, ann, api):
        row, other = (
            stock_in(ann, f"A-{n}", 9, price=Decimal(p)) for n, p in enumerate((".09", ".08"))
        )
        order = make_order(ann, (row, 10 - 1), (other, 4))
        Order.objects.filter(pk=order.pk).update(subtotal="1.13", total="1.63", shipping="0.5")
        one, two = order.lines.order_by("pk")
        OrderLine.objects.filter(pk=one.pk).update(short=1)
        OrderLine.objects.filter(pk=two.pk).update(short=2)
        body = {"kind": "packing_slip", "order_ids": [order.pk]}

        (page,) = read(api(ann).post(URL, body, format="json"))

        for part in ("€0.72", "€0.16", "Sum: €0.88", "Shipping: €0.50", "Total: €1.38"):
            assert part in page
        assert "€1.13" not in page
        Order.objects.filter(pk=order.pk).update(refunded="0.75")
        (page,) = read(api(ann).post(URL, body, format="json"))
        assert "Refunded: -€0.50" in page
        assert "Total: €0.88" in page

    def test_lacks_nothing_that_the_store_took_off_since(self, ann, api, shop):
        (row,) = shop.put(make_lot(), 10)
        number = shop.buy(place={row.marketplace_lot_id: 5})
        shop.pull()
        order = Order.objects.get()
        walk = make_walk(ann, order)
        pick_stop(
            walk=walk,
            item_id=row.pk,
            picked={order.lines.get().pk: 3},
            by=ann,
            now=now(),
            reason="too_few",
        )
        shop.buy(order_id=number, take_off={row.marketplace_lot_id: 2})
        shop.pull()

        (page,) = read(
            api(ann).post(URL, {"kind": "packing_slip", "order_ids": [order.pk]}, format="json")
        )

        assert "Pieces: 3" in page
        assert "Not included" not in page

    @pytest.mark.parametrize(
        ("country", "word"),
        [
            ("DE", "Lieferschein"),
            ("Germany", "Lieferschein"),
            ("Österreich", "Lieferschein"),
            ("France", "Bon de livraison"),
            ("Netherlands", "Pakbon"),
            ("Belgium, Gent", "Pakbon"),
            ("UK", "Packing slip"),
            ("Japan", "Packing slip"),
            ("Nowhere", "Packing slip"),
        ],
    )
    def test_speaks_the_language_of_the_buyers_country(self, ann, api, country, word):
        order = make_order(ann, (stock_in(ann, "A-1", 9), 1), country=country)
        body = {"kind": "packing_slip", "order_ids": [order.pk]}

        (page,) = read(
            api(ann).post(URL, body, format="json", headers={"accept-language": "it-IT"})
        )

        assert word in page

    def test_names_the_sellers_address_and_vat_id(self, ann, api):
        order = make_order(ann, (stock_in(ann, "A-1", 9), 1), country="DE")
        told = {"seller_address": "Ziegelweg 1\n10115 Berlin", "vat_id": "DE123456789"}
        assert api(ann).patch("/api/users/me", told, format="json").status_code == 200
        ann.refresh_from_db()

        (page,) = read(
            api(ann).post(URL, {"kind": "packing_slip", "order_ids": [order.pk]}, format="json")
        )

        assert "Ziegelweg 1" in page
        assert "USt-IdNr.: DE123456789" in page

    def test_counts_the_pages_of_each_order(self, ann, api):
        row = stock_in(ann, "A-1", 9)
        orders = [make_order(ann, (row, 1), country="DE"), make_order(ann, (row, 2))]
        body = {"kind": "packing_slip", "order_ids": [order.pk for order in orders]}

        first, second = read(api(ann).post(URL, body, format="json"))

        assert f"{orders[0].number} – Seite 1" in first
        assert f"{orders[1].number} – Page 1" in second

    def test_flows_over_pages_with_texts_of_any_length(self, ann, api):
        order = make_order(ann, (stock_in(ann, "A-1", 9), 4), address="line\n" * 190)
        other = make_order(ann, (stock_in(ann, "A-2", 9), 4))
        Order.objects.filter(pk=order.pk).update(payment_method="word " * 790)
        OrderLine.objects.filter(order=order).update(lot=None, item_name="name " * 790)
        body = {"kind": "packing_slip", "order_ids": [order.pk, other.pk]}

        pages = read(api(ann).post(URL, body, format="json"))

        whole = " ".join(pages[:-1])
        assert len(pages) > 3
        assert [whole.count(word) for word in ("line", "word", "name")] == [190, 790, 790]
        assert other.number in pages[-1]

    def test_speaks_the_language_of_the_browser_where_no_country_is_named(self, ann, api):
        order = make_order(ann, (stock_in(ann, "A-1", 9, price=Decimal("1234.5")), 1))
        body = {"kind": "packing_slip", "order_ids": [order.pk]}

        (page,) = read(
            api(ann).post(URL, body, format="json", headers={"accept-language": "de-DE,en;q=0.8"})
        )

        assert "Lieferschein" in page
        assert "1.234,50" in page

    def test_costs_the_same_queries_for_one_order_and_for_many(self, ann, api):
        row = stock_in(ann, "A-1", 9)
        ids = [make_order(ann, (row, 1)).pk for _ in range(4)]

        def queries(some: list[int]) -> int:
            body = {"kind": "packing_slip", "order_ids": some}
            return count_queries(lambda: api(ann).post(URL, body, format="json"))[0]

        assert queries(ids) == queries(ids[:1])

    def test_takes_words_of_400_letters_emoji_and_markup(self, ann, api):
        order = make_order(ann, (stock_in(ann, "A-1", 9), 4), buyer="🧱 <b>Bo", address="W" * 400)

        (page,) = read(
            api(ann).post(URL, {"kind": "packing_slip", "order_ids": [order.pk]}, format="json")
        )

        assert page.count("W") >= 400
        assert "<b>Bo" in page

    def test_of_two_orders_begins_each_on_its_own_page(self, ann, api):
        row = stock_in(ann, "A-1", 9)
        ids = [make_order(ann, (row, 1)).pk, make_order(ann, (row, 2)).pk]

        assert (
            len(read(api(ann).post(URL, {"kind": "packing_slip", "order_ids": ids}, format="json")))
            == 2
        )


class TestAPickList:
    def test_of_a_walk_leads_by_bins_to_trays(self, ann, api):
        far, near = stock_in(ann, "A-10", 9), stock_in(ann, "A-2", 9)
        walk = make_walk(ann, make_order(ann, (far, 3), (near, 1)), make_order(ann, (far, 2)))

        (page,) = read(api(ann).post(URL, {"kind": "pick_list", "walk_id": walk.pk}, format="json"))

        assert page.index("A-2") < page.index("A-10")
        assert "3 → A" in page
        assert "2 → B" in page


class TestAddressLabels:
    @pytest.mark.parametrize(
        "address",
        [
            "Улица 5",
            "Αθήνα 7",
            "רחוב 7",
            "شارع 5",
            "ถนน 5",
            "सड़क 5",
            "東京都 5",
            "서울 5",
            "İ " + "x " * 200,
        ],
    )
    def test_take_any_script_and_length(self, ann, api, address):
        order = make_order(ann, buyer="Bo", address=address, country="UK")

        pages = read(
            api(ann).post(URL, {"kind": "address_label", "order_ids": [order.pk]}, format="json")
        )

        assert len(pages) == 1
        assert "Bo" in pages[0]
        assert printable(address) == address

    @pytest.mark.parametrize(
        ("told", "printed"),
        [
            ("Zoë 🧱🚀👍🏽🇩🇪 Brick", "Zoë  Brick"),
            ("👨\u200d👩\u200d👧 Bo", "\u200d\u200d Bo"),
            ("𝓐nn ㈱", "Ann (株)"),
            ("தமிழ் நாடு, Chennai", f"{BLANK} {BLANK}, Chennai"),
        ],
    )
    def test_leave_out_emoji_and_a_line_for_words_that_no_font_has(self, told, printed):
        assert printable(told) == printed
        assert "\u200d" not in markup(told)

    @pytest.mark.parametrize(
        ("layout", "size"), [("roll_62x100", (62, 100)), ("roll_4x6", (101.6, 152.4))]
    )
    def test_are_as_large_as_their_paper(self, ann, api, layout, size):
        order = make_order(ann, buyer="Bo", address="5 Lane " * 60, country="UK")
        body = {"kind": "address_label", "order_ids": [order.pk], "layout": layout}

        pdf = PdfReader(io.BytesIO(api(ann).post(URL, body, format="json").content))

        box = pdf.pages[0].mediabox
        assert (float(box.width), float(box.height)) == pytest.approx(
            [mm * 72 / 25.4 for mm in size]
        )

    def test_are_no_markup(self):
        assert "&lt;b&gt;" in markup("<b>")


class TestTrayCards:
    def test_are_a_to_h(self, ann, api):
        (page,) = read(api(ann).post(URL, {"kind": "tray_cards"}, format="json"))

        assert [letter for letter in "ABCDEFGH" if letter in page] == list("ABCDEFGH")


class TestPapers:
    def test_of_nothing_or_of_others_are_refused(self, ann, bo, api):
        order = make_order(ann)

        nothing = api(ann).post(URL, {"kind": "packing_slip"}, format="json")
        foreign = api(bo).post(
            URL, {"kind": "packing_slip", "order_ids": [order.pk]}, format="json"
        )

        assert (nothing.status_code, foreign.status_code) == (400, 404)
        assert "order_ids" in nothing.json()["meta"]["error"]["fields"]

    def test_are_english_where_the_language_is_not_known(self):
        assert tongue_of("xx,*;q=0.1").words["pick_list"] == "Pick list"
        assert tongue_of("en-US").is_letter

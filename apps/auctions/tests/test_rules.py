import datetime as dt
from decimal import Decimal

import pytest

from apps.auctions.providers.texts import (
    Shipping,
    plain_text,
    read_shipping,
    site_instant,
    weight_in,
)
from apps.auctions.rules.links import external_id_in
from apps.auctions.rules.money import CENT, cost_per_kg, landed_cost
from apps.auctions.rules.status import Status, status_of, time_remaining
from apps.auctions.rules.worth import Brought, highest_bid, worth_of

NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


class TestLandedCost:
    def test_is_price_shipping_handling_and_tax(self):
        cost = landed_cost(
            price=Decimal(20), shipping=Decimal(11), handling=Decimal(3), tax_percent=Decimal("8.5")
        )

        assert cost == Decimal("36.89")

    def test_is_unknown_while_shipping_is(self):
        cost = landed_cost(
            price=Decimal(20), shipping=None, handling=Decimal(3), tax_percent=Decimal(0)
        )

        assert cost is None

    def test_takes_shipping_that_is_free(self):
        assert landed_cost(
            price=Decimal(20), shipping=Decimal(0), handling=None, tax_percent=Decimal(0)
        ) == Decimal(20)

    @pytest.mark.parametrize(
        ("cost", "grams", "per_kg"),
        [
            (Decimal(30), Decimal(5000), Decimal("6.00")),
            (None, Decimal(5000), None),
            (Decimal(30), None, None),
            (Decimal(30), Decimal(0), None),
        ],
    )
    def test_by_the_kilogram_needs_a_weight(self, cost, grams, per_kg):
        assert cost_per_kg(cost, grams) == per_kg


class TestWeightIn:
    @pytest.mark.parametrize(
        ("text", "grams"),
        [
            ("12 lbs of LEGO", "5443.11"),
            ("LEGO 5.5 lb Lot", "2494.76"),
            ("5,5 lb", "2494.76"),
            ("1,204 lbs", None),  # one thousand, or a little more than one
            ("20+ lbs LEGO", "9071.85"),
            ("8 lbs 4 oz unsorted", "3742.14"),
            ("8 pounds and 4 ounces", "3742.14"),
            ("3 kg", "3000.00"),
            ("40oz of bricks", "1133.98"),
            ("LEGO Friends Lot (4.2 pounds)", "1905.09"),
            ("LEGO Set 10030", None),
            ("$12 lbs", None),
            ("0 lbs", None),
            ("9999 kg", None),
            ("", None),
        ],
    )
    def test_reads_what_sellers_write(self, text, grams):
        assert weight_in(text) == (Decimal(grams) if grams else None)


class TestReadShipping:
    def test_reads_the_sites_odd_currency_sign(self):
        html = (
            "Shipping: <span id='shipping-span'>¤11.04 (GROUND_HOME_DELIVERY)</span>"
            "<br>Handling: ¤3.00<br>Total Shipping and Handling: ¤14.04"
        )

        assert read_shipping(html) == Shipping(
            method="Ground home delivery", cost=Decimal("11.04"), handling=Decimal("3.00")
        )

    def test_reads_thousands_and_another_sign(self):
        html = 'Shipping: <span id="shipping-span">$1,204.50 (FREIGHT)</span>'

        assert read_shipping(html) == Shipping("Freight", Decimal("1204.50"), None)

    def test_never_strips_a_decimal_comma(self):
        html = "Shipping: <span id='shipping-span'>$12,50 (GROUND)</span>Handling: $1,204<br>"

        assert read_shipping(html) == Shipping("Ground", Decimal("12.50"), None)

    @pytest.mark.parametrize("html", ["", "Shipping could not be calculated.", "Shipping: ¤0"])
    def test_knows_nothing_where_it_cannot_read(self, html):
        assert read_shipping(html) is None


class TestSiteInstant:
    @pytest.mark.parametrize(
        ("text", "instant"),
        [
            ("2026-11-21T12:00:00", dt.datetime(2026, 11, 21, 20, 0, tzinfo=dt.UTC)),
            ("2026-07-01T12:00:00.5", dt.datetime(2026, 7, 1, 19, 0, 0, 500_000, tzinfo=dt.UTC)),
            # The clock shows 1:30 twice on this day; the first is meant.
            ("2026-11-01T01:30:00", dt.datetime(2026, 11, 1, 8, 30, tzinfo=dt.UTC)),
            # and 2:30 never on this one
            ("2026-03-08T02:30:00", dt.datetime(2026, 3, 8, 10, 30, tzinfo=dt.UTC)),
            ("0001-01-01T00:00:00", dt.datetime(1, 1, 1, 7, 52, 58, tzinfo=dt.UTC)),
            ("soon", None),
            ("", None),
        ],
    )
    def test_is_pacific_time(self, text, instant):
        assert site_instant(text) == instant

    @pytest.mark.parametrize(
        "text",
        ["9999-12-31T23:00:00", "9999-12-31T23:00:00-05:00", "0001-01-01T00:00:00+05:00"],
    )
    def test_is_none_that_no_calendar_has_in_utc(self, text):
        with pytest.raises(OverflowError):
            site_instant(text)


class TestPlainText:
    def test_keeps_words_and_drops_markup(self):
        html = "<p>Big &amp; <b>mixed</b></p><script>steal()</script><p>As is<br>No returns</p>"

        assert plain_text(html) == "Big & mixed\nAs is\nNo returns"

    def test_survives_broken_markup(self):
        assert plain_text("<p <b>12 lbs</p </div>&lt;i&gt;") in {"12 lbs<i>", "12 lbs\n<i>"}

    def test_is_cut_at_its_limit(self):
        assert plain_text("word " * 100, limit=9) == "word word"


class TestExternalIdIn:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("https://shopgoodwill.com/item/302217423", "302217423"),
            ("https://www.shopgoodwill.com/item/302217423?x=1", "302217423"),
            ("shopgoodwill.com/item/302217423/", "302217423"),
            (" 302217423 ", "302217423"),
            ("https://evil.example/shopgoodwill.com/item/1", None),
            ("https://shopgoodwill.com/item/", None),
            ("https://shopgoodwill.com.evil.example/item/1", None),
            ("٣٠٢", None),
            ("", None),
        ],
    )
    def test_takes_the_sites_own_addresses_only(self, text, found):
        assert external_id_in(text) == found


class TestStatusOf:
    @pytest.mark.parametrize(
        ("told", "status"),
        [
            ({}, Status.OPEN),
            ({"watch": "watching"}, Status.WATCHING),
            ({"watch": "rejected"}, Status.REJECTED),
            ({"my_bid": Decimal(20)}, Status.LEADING),
            ({"my_bid": Decimal(19)}, Status.OUTBID),
            ({"my_bid": Decimal(25), "end_time": NOON}, Status.ENDED),
            ({"outcome": "won", "end_time": NOON}, Status.WON),
            ({"outcome": "lost"}, Status.LOST),
            ({"end_time": None}, Status.OPEN),
        ],
    )
    def test_is_one_word(self, told, status):
        values = {
            "outcome": "",
            "watch": "",
            "my_bid": None,
            "current_price": Decimal(20),
            "end_time": NOON + dt.timedelta(hours=1),
        }

        assert status_of(**{**values, **told}, now=NOON) == status


class TestTimeRemaining:
    @pytest.mark.parametrize(
        ("seconds", "text"),
        [
            (2 * 86_400 + 4 * 3600 + 59, "2d 4h"),
            (3 * 3600 + 12 * 60, "3h 12m"),
            (570, "9m 30s"),
            (9, "9s"),
            (0, "Ended"),
            (-5, "Ended"),
        ],
    )
    def test_is_short(self, seconds, text):
        assert time_remaining(NOON + dt.timedelta(seconds=seconds), NOON) == text

    def test_is_nothing_without_an_end(self):
        assert time_remaining(None, NOON) == ""


class TestHighestBid:
    def test_lands_at_the_worth_and_a_cent_more_would_cost_more(self):
        bid = highest_bid(
            Decimal("57.31"),
            shipping=Decimal("11.04"),
            handling=Decimal(3),
            tax_percent=Decimal("8.875"),
        )

        assert bid == Decimal("38.59")
        with_tax = Decimal("1.08875")
        assert (bid + Decimal("14.04")) * with_tax <= Decimal("57.31")
        assert (bid + CENT + Decimal("14.04")) * with_tax > Decimal("57.31")

    def test_is_unknown_while_shipping_is(self):
        bid = highest_bid(Decimal(50), shipping=None, handling=Decimal(3), tax_percent=Decimal(0))

        assert bid is None

    def test_is_nothing_where_sending_alone_costs_more(self):
        bid = highest_bid(
            Decimal(10), shipping=Decimal(9), handling=Decimal(3), tax_percent=Decimal(0)
        )

        assert bid == 0

    @pytest.mark.parametrize(
        ("minutes", "worth"), [(None, "45.00"), (Decimal(30), "25.00"), (Decimal(300), "0.00")]
    )
    def test_of_a_worth_that_counts_fees_and_known_work(self, minutes, worth):
        brought = Brought(
            value_per_kg=Decimal(10),
            minutes_per_kg=minutes,
            fee_percent=Decimal(10),
            hourly_rate=Decimal(8),
        )

        assert worth_of(Decimal(5000), brought) == Decimal(worth)

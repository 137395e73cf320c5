"""Rules, rates and roundings, without a database."""

import datetime as dt
from decimal import Decimal as D

import pytest

from apps.books.rules.bookings import Booking, datev_file, to_cents, xero_file
from apps.books.rules.tax import (
    Mode,
    ModeFrom,
    RateFrom,
    Ruled,
    TaxRule,
    TaxTable,
    cents,
    members,
    shared_out,
    tax_of,
)

DAY = dt.date(2026, 3, 1)
LONG_AGO = dt.date(2020, 1, 1)


def table(mode=Mode.NORMAL, country="DE", uses_oss=False, rates=()):
    return TaxTable([ModeFrom(LONG_AGO, mode, country, uses_oss)], rates)


def rule(made, to="DE", *, is_used=False, day=DAY, **also):
    return made.rule_of(day=day, buyer_country=to, is_used=is_used, **also)


class TestTheRule:
    @pytest.mark.parametrize(
        ("made", "to", "is_used", "expected"),
        [
            (TaxTable([]), "DE", True, (TaxRule.NONE, "", 0)),
            (table(Mode.SMALL), "FR", True, (TaxRule.SMALL, "DE", 0)),
            (table(), "DE", True, (TaxRule.NORMAL, "DE", 19)),
            (table(), "FR", False, (TaxRule.NORMAL, "DE", 19)),
            (table(uses_oss=True), "FR", False, (TaxRule.OSS, "FR", 20)),
            (table(uses_oss=True), "DE", False, (TaxRule.NORMAL, "DE", 19)),
            (table(), "US", False, (TaxRule.OUTSIDE, "DE", 0)),
            (table(Mode.MARGIN), "DE", True, (TaxRule.MARGIN, "DE", 19)),
            (table(Mode.MARGIN), "DE", False, (TaxRule.NORMAL, "DE", 19)),
            (table(Mode.MARGIN, uses_oss=True), "FR", True, (TaxRule.MARGIN, "DE", 19)),
            (table(Mode.MARGIN, uses_oss=True), "FR", False, (TaxRule.OSS, "FR", 20)),
            (table(Mode.MARGIN), "US", True, (TaxRule.OUTSIDE, "DE", 0)),
            (table(), "", False, (TaxRule.UNKNOWN, "", None)),
            (table(country="US"), "US", False, (TaxRule.UNKNOWN, "US", None)),
        ],
    )
    def test_is_of_the_sellers_mode_and_the_buyers_country(self, made, to, is_used, expected):
        found = rule(made, to, is_used=is_used)

        assert (found.rule, found.country, found.percent) == expected

    def test_of_a_sale_by_hand_without_a_country_is_of_the_sellers(self):
        assert rule(table(), "", by_hand=True) == Ruled(TaxRule.NORMAL, "DE", D(19))

    def test_is_of_the_mode_of_the_day(self):
        made = TaxTable([ModeFrom(LONG_AGO, Mode.SMALL, "DE"), ModeFrom(DAY, Mode.NORMAL, "DE")])

        assert rule(made, day=DAY - dt.timedelta(days=1)).rule == TaxRule.SMALL
        assert rule(made).rule == TaxRule.NORMAL

    def test_takes_the_rate_of_the_day(self):
        assert table().percent_on("EE", dt.date(2025, 6, 30)) == 22
        assert table().percent_on("EE", dt.date(2025, 7, 1)) == 24

    def test_takes_a_corrected_rate(self):
        own = RateFrom("DE", dt.date(2026, 1, 1), D("18"), is_own=True)

        assert rule(table(rates=[own])).percent == 18
        assert rule(table(rates=[own]), day=dt.date(2025, 12, 31)).percent == 19

    def test_knows_each_member_state(self):
        assert len(members()) == 27


class TestTheTax:
    def test_is_contained_in_the_price(self):
        found = tax_of(Ruled(TaxRule.NORMAL, "DE", D(19)), gross=D("1.19"), cost=None)

        assert found == D("0.19")

    def test_by_the_margin_scheme_is_contained_in_the_margin(self):
        margin = Ruled(TaxRule.MARGIN, "DE", D(19))

        assert tax_of(margin, gross=D("2.19"), cost=D(1)) == D("0.19")
        assert tax_of(margin, gross=D(1), cost=D(3)) == 0
        assert tax_of(margin, gross=D(1), cost=None) is None

    def test_is_unknown_by_an_unknown_rule(self):
        assert tax_of(Ruled(TaxRule.UNKNOWN), gross=D(1), cost=D(1)) is None


class TestRounding:
    def test_is_half_up_to_the_cent(self):
        assert [str(cents(D(text))) for text in ("0.005", "0.0049", "-0.005")] == [
            "0.01",
            "0.00",
            "-0.01",
        ]

    def test_shares_out_all_of_a_sum(self):
        weights = {Ruled(TaxRule.OSS, name, D(20)): D(1) for name in ("AT", "BE", "FR")}

        assert list(shared_out(D("1.00"), weights).values()) == [D("0.33"), D("0.33"), D("0.34")]

    def test_of_bookings_is_a_booking_of_its_own(self):
        rows = [Booking(DAY, f"{n}", "Sale", D("0.3333"), "1360", "8400") for n in range(3)]

        found = to_cents(rows, last=DAY, money="1360", rounding="4900", name="sales")

        assert [one.amount for one in found] == [D("0.33")] * 3 + [D("0.01")]
        assert (found[-1].debit, found[-1].credit) == ("1360", "4900")

    def test_of_bookings_that_pay_out_gives_from_the_money(self):
        rows = [Booking(DAY, "1", "Fees", D("0.3333"), "4760", "1360")] * 3

        found = to_cents(rows, last=DAY, money="1360", rounding="4900", name="fees")

        assert (found[-1].debit, found[-1].credit) == ("4900", "1360")


class TestLayouts:
    BOOKINGS = (
        Booking(DAY, "17", 'Sale "new", normal', D("1234.50"), "1360", "8400"),
        Booking(DAY, "18", "Sale, normal", D("-2.00"), "1360", "8400"),
    )

    def test_of_datev_have_its_head_its_columns_and_amounts_with_commas(self):
        content = datev_file(
            self.BOOKINGS,
            first=dt.date(2026, 1, 1),
            last=dt.date(2026, 3, 31),
            currency="EUR",
            made_at=dt.datetime(2026, 4, 1, 12, tzinfo=dt.UTC),
            office=("1001", "1"),
            account_length=4,
        )

        head, columns, *rows = content.decode("cp1252").split("\r\n")[:-1]
        fields = head.split(";")
        assert len(fields) == 31
        assert fields[:6] == ['"EXTF"', "700", "21", '"Buchungsstapel"', "13", "20260401120000000"]
        assert fields[10:16] == ["1001", "1", "20260101", "4", "20260101", "20260331"]
        assert len(columns.split(";")) == 125
        assert rows[0].startswith(
            '1234,50;"S";"EUR";;;"";1360;8400;"";0103;"17";"";;"Sale ""new"",'
        )
        assert rows[1].startswith('2,00;"H";"EUR"')
        assert {len(row.split(";")) for row in rows} == {125}

    def test_of_xero_post_each_amount_twice(self):
        lines = xero_file(self.BOOKINGS).decode().split("\r\n")

        assert lines[0] == "*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount"
        assert lines[3] == '"18 Sale, normal",01/03/2026,"Sale, normal",1360,Tax Exempt,-2.00'
        assert lines[4].endswith("8400,Tax Exempt,2.00")

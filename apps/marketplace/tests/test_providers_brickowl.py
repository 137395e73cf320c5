"""The BrickOwl client against its simulator over HTTP: ids, forms, failures."""

import io
import logging
from collections import Counter
from dataclasses import replace
from decimal import Decimal

import pytest

from apps.marketplace.providers.base import (
    CallKind,
    NoAnswer,
    NotOffered,
    NotThere,
    Refused,
    SecretsRefused,
    Throttled,
)
from apps.marketplace.providers.brickowl_wire import (
    LOT_IDS,
    BrickOwlSecrets,
    OwlColors,
    list_rows,
    read_boids,
    read_items,
    read_lot,
)
from apps.marketplace.providers.known import MARKETPLACES
from apps.marketplace.providers.lots import LotChange, LotDraft
from apps.marketplace.tests.factories import MARK, draft, failing, query, wait_for_late_calls


class TestCreate:
    def test_comes_back_as_it_was_sent(self, owl_client):
        sent = draft(
            cost=Decimal("0.03"),
            sale=20,
            bulk=2,
            stockroom="A",
            tiers=((10, Decimal("0.1")), (100, Decimal("0.05")), (0, Decimal())),
        )

        made = owl_client().create_lot(sent)

        (there,) = owl_client().lots()
        told = {name: getattr(there, name) for name in LotDraft.__dataclass_fields__}
        assert LotDraft(**told) == replace(sent, price=Decimal("0.123"))
        assert there.lot_id == made.lot_id

    @pytest.mark.parametrize(
        ("condition", "completeness"), [("N", "C"), ("U", "C"), ("N", "I"), ("U", "I"), ("N", "M")]
    )
    def test_keeps_the_completeness_of_a_set(self, owl_client, condition, completeness):
        sent = draft(
            item_type="SET",
            number="7644-1",
            color_id=0,
            condition=condition,
            completeness=completeness,
        )

        owl_client().create_lot(sent)

        (there,) = owl_client().lots()
        assert (there.item_type, there.number) == ("SET", "7644-1")
        assert (there.condition, there.completeness) == (condition, completeness)

    @pytest.mark.parametrize(
        ("given", "why"),
        [
            ({"item_type": "BOOK"}, "no items of this type"),
            ({"number": "nosuchpart"}, "no item with the number"),
            ({"color_id": 9_999}, "no such colour"),
            ({"price": Decimal("0.0004")}, "no price below"),
            ({"tiers": ((10, Decimal("0.0001")),) * 3}, "no price below"),
            ({"item_type": "SET", "number": "7644-1", "completeness": "M"}, "sealed"),
        ],
    )
    def test_sends_nothing_of_what_brickowl_cannot_hold(self, owl_client, owl, given, why):
        with pytest.raises(Refused, match=why):
            owl_client().create_lot(draft(**given))

        assert "POST inventory/create" not in owl.calls

    def test_refuses_a_number_that_is_several_items_there(self, owl_client, owl):
        owl.catalogue.several["Part", "3001"] = ["111111", "222222"]

        with pytest.raises(Refused, match="2 items"):
            owl_client().create_lot(draft())

    def test_makes_many_with_one_call_and_their_texts_with_another(self, owl_client, owl):
        marks = [f"#babcdef{letter}" for letter in "abcdefgh"]

        owl_client().create_lots([draft(remarks=f"A-1 {mark}") for mark in marks])

        assert [lot.remarks for lot in owl_client().lots()] == [f"A-1 {mark}" for mark in marks]
        assert (owl.calls["POST bulk/batch"], owl.calls["GET catalog/id_lookup"]) == (2, 1)

    def test_keeps_and_describes_what_was_taken_before_one_was_refused(self, owl_client):
        client = owl_client()
        drafts = [draft(), draft(quantity=0, remarks="A-2 #bbbbbbbb")]

        with pytest.raises(Refused, match="quantity"):
            client.create_lots(drafts)

        assert [lot.remarks for lot in client.lots()] == [f"A-12 {MARK}"]

    @pytest.mark.parametrize("mode", ["cut_before", "throttled_bare", "before"])
    def test_is_unknown_once_the_lot_is_made_and_its_texts_are_not(self, owl_client, owl, mode):
        failing(owl, mode, path="inventory/update")
        client = owl_client()

        with pytest.raises(NoAnswer, match="did not take its texts"):
            client.create_lot(draft())

        (there,) = client.lots()
        assert there.remarks == MARK  # by which its call is found

    @pytest.mark.parametrize("mode", ["cut_after", "half", "after"])
    def test_is_never_sent_twice(self, owl_client, owl, mode):
        failing(owl, mode, path="inventory/create")
        client = owl_client()

        with pytest.raises(NoAnswer):
            client.create_lot(draft())

        assert [lot.remarks for lot in client.lots()] == [MARK]

    def test_counts_all_its_calls_before_the_first(self, owl_client, owl):
        left = Counter({CallKind.LOOKUP: 9, CallKind.STOCK: 1})

        def spend(kind):
            if not left[kind]:
                raise RuntimeError("no calls left")
            left[kind] -= 1

        with pytest.raises(RuntimeError):
            owl_client(spend=spend).create_lot(draft())

        assert "POST inventory/create" not in owl.calls


class TestChange:
    def test_changes_what_it_names_and_pieces_by_a_delta(self, owl_client):
        client = owl_client()
        lot_id = client.create_lot(draft()).lot_id
        change = LotChange(
            comments="new words",
            delta=-2,
            price=Decimal("0.2"),
            remarks="B-1 #bbbbbbbb",
            stockroom="A",
        )

        client.change_lot(lot_id, change)

        there = client.lot(lot_id)
        assert (there.quantity, there.price, there.stockroom) == (10, Decimal("0.200"), "A")
        assert (there.comments, there.remarks) == ("new words", "B-1 #bbbbbbbb")

    def test_tells_that_a_lot_is_gone(self, owl_client):
        client = owl_client()
        lot_id = client.create_lot(draft()).lot_id
        client.delete_lot(lot_id)
        client.delete_lot(lot_id)

        with pytest.raises(NotThere):
            client.change_lot(lot_id, LotChange(comments="", delta=1))

    @pytest.mark.parametrize("lot_id", [400_000_001, MARKETPLACES["brickowl"].ids[1] + 1])
    def test_leaves_a_lot_of_another_marketplace_alone(self, owl_client, owl, lot_id):
        client = owl_client()

        for act in (
            lambda: client.change_lot(lot_id, LotChange(comments="", delta=1)),
            lambda: client.delete_lot(lot_id),
            lambda: client.lot(lot_id),
        ):
            with pytest.raises(Refused, match="another marketplace"):
                act()

        assert not owl.calls

    def test_does_not_reach_another_sellers_lot(self, owl_client):
        lot_id = owl_client("ann").create_lot(draft()).lot_id

        with pytest.raises(NotThere):
            owl_client("bo").change_lot(lot_id, LotChange(comments="", delta=-1))

        assert owl_client("ann").lot(lot_id).quantity == 12
        assert owl_client("bo").lots() == []


class TestList:
    def test_has_its_own_ids_beside_the_same_numbers_of_bricklink(self, owl_client, client_of):
        theirs = client_of().create_lot(draft()).lot_id
        ours = owl_client().create_lot(draft()).lot_id

        assert (theirs, ours) == (400_000_001, 10**12 + 400_000_001)

    def test_shows_lots_without_pieces_and_hidden_ones(self, owl_client):
        client = owl_client()
        sold_out = client.create_lot(draft()).lot_id
        client.change_lot(sold_out, LotChange(comments="", delta=-12))
        client.create_lot(draft(color_id=1, stockroom="A"))

        assert [lot.quantity for lot in client.lots()] == [0, 12]
        assert [lot.color_id for lot in client.lots(item_types=["PART"], color_ids=[1])] == [1]

    def test_reads_a_colour_whose_number_there_ends_in_0(self, owl_client):
        client = owl_client()
        client.create_lot(draft(color_id=10))  # 510 there

        assert [lot.color_id for lot in client.lots()] == [10]

    def test_is_of_the_stocks_number_where_an_item_is_several(self, owl_client, owl):
        (boid,) = owl.catalogue.boids_of("Part", "3001")
        owl.catalogue.know(boid, "Part", "3001old")
        lot_id = owl_client().create_lot(draft()).lot_id

        (there,) = owl_client(known=lambda ids: {lot_id: ("3001old", 5)}).lots()

        assert there.number == "3001old"

    def test_names_the_item_of_a_lot_that_it_cannot_read(self, owl_client, owl):
        owl_client().create_lot(draft())
        stock = owl.sellers.register("ann").stock
        (lot,) = stock.all()
        stock.change(lot["inventory_id"], lambda one: {**one, "bulk_qty": "a few"})
        assert [one.identity for one in owl_client().lots()] == [("PART", "3001", 5)]

        owl.catalogue.know(lot["boid"], "Part", "3001old")
        assert [one.identity for one in owl_client().lots()] == [None]

    @pytest.mark.parametrize(
        ("kind", "item_type"), [("Sticker", "PART"), ("Minibuild", "UNSORTED_LOT")]
    )
    def test_has_the_type_of_each_of_brickowls_words(self, owl_client, owl, kind, item_type):
        _stock(owl, kind)

        assert [lot.item_type for lot in owl_client().lots()] == [item_type]
        assert [lot.number for lot in owl_client().lots(item_types=[item_type])] == ["3001"]

    def test_looks_its_items_up_by_the_hundred(self, owl_client, owl):
        stock = owl.sellers.register("ann").stock
        for number in range(3000, 3150):
            (boid,) = owl.catalogue.boids_of("Part", str(number))
            stock.add([{**_bare(boid), "number": str(number)}])

        found = owl_client().lots()

        assert [lot.number for lot in found] == [str(number) for number in range(3000, 3150)]
        assert owl.calls["GET catalog/bulk_lookup"] == 2

    @pytest.mark.parametrize("boid", [None, "", "-505"])
    def test_reads_no_lot_without_its_item(self, boid):
        lot = read_lot(_told(boid=boid), {}, NO_OWL_COLORS, {})

        assert (lot.lot_id, lot.reason) == (LOT_IDS.ours(7), "boid is missing.")

    def test_asks_for_no_item_of_a_lot_without_one(self, owl_client, owl):
        _stock(owl, "Part", boid="")
        _stock(owl, "Part")

        one, two = owl_client().lots()

        assert (one.reason, two.number) == ("boid is missing.", "3001")

    def test_names_no_item_by_a_number_that_is_missing(self):
        told = [
            {"boid": "1", "ids": [{"id": None, "type": "bl_item_no"}]},
            {"boid": None, "ids": []},
        ]

        assert {boid: item.numbers for boid, item in read_items({"items": told}).items()} == {
            "1": ()
        }
        assert read_boids({"boids": [None, "1-5"]}) == ["1"]

    @pytest.mark.parametrize(
        ("name", "value"),
        [("my_cost", "-1"), ("base_price", "-0.1"), ("tier_price", [["10", "-1"]])],
    )
    def test_reads_no_lot_with_an_amount_below_zero(self, name, value):
        assert "not below 0" in read_lot(_told(**{name: value}), {}, NO_OWL_COLORS, {}).reason

    @pytest.mark.parametrize("number", ["1e999999999999999999999", "7" * 5_000])
    def test_takes_no_list_with_a_number_that_no_program_reads(self, number):
        with pytest.raises(NoAnswer):
            list(list_rows(io.BytesIO(b'[{"qty":%s}]' % number.encode())))

    @pytest.mark.parametrize("mode", ["half", "half_unsaid", "html", "empty"])
    def test_never_passes_half_an_answer_for_a_store(self, owl_client, owl, mode):
        owl_client().create_lots([draft(remarks=f"A-1 #babcdef{letter}") for letter in "abcdefgh"])
        failing(owl, mode, times=3, path="inventory/list")

        with pytest.raises(NoAnswer):
            owl_client().lots()


class TestCall:
    @pytest.mark.parametrize("mode", ["before", "cut_before", "cut_after", "html", "empty", "half"])
    def test_reads_again_what_was_not_answered(self, owl_client, owl, mode):
        failing(owl, mode, times=2)
        pauses = []

        owl_client(pause=pauses.append).check()

        assert pauses == [0.5, 2.0]

    def test_tells_a_key_that_is_not_taken(self, owl_client):
        with pytest.raises(SecretsRefused, match="does not take this key"):
            owl_client(secrets=BrickOwlSecrets(key="0" * 32)).check()

    @pytest.mark.parametrize("mode", ["throttled_in_200", "throttled_bare"])
    def test_does_not_press_who_wants_fewer_calls(self, owl_client, owl, mode):
        failing(owl, mode)
        spent = []

        with pytest.raises(Throttled):
            owl_client(spend=spent.append).check()

        assert len(spent) == 1

    def test_is_refused_beyond_600_a_minute(self, owl_client, owl):
        seller = owl.sellers.register("ann")
        for _ in range(600):
            owl.count_call(seller, is_batch=False)

        with pytest.raises(Throttled, match="Rate limit"):
            owl_client().check()

    def test_stops_waiting(self, owl_client, owl):
        failing(owl, "slow", times=9, seconds=0.5)

        with pytest.raises(NoAnswer, match="in time"):
            owl_client(read_seconds=0.05).check()
        wait_for_late_calls(owl, left=6)

    def test_never_prints_the_key(self, owl_client, owl, caplog):
        caplog.set_level(logging.DEBUG)
        client = owl_client()
        client.check()
        failing(owl, "cut_before", times=3)

        with pytest.raises(NoAnswer) as problem:
            client.check()

        logging.getLogger("apps").error("it failed", exc_info=problem.value)
        key = owl.key_of("ann")
        assert key not in caplog.text + repr(BrickOwlSecrets(key=key))

    def test_offers_neither_prices_nor_messages(self, owl_client, owl):
        client = owl_client()

        for act in (
            lambda: client.price_guide(query()),
            lambda: client.item("PART", "3001"),
            lambda: client.order_messages(1),
        ):
            with pytest.raises(NotOffered, match="BrickOwl"):
                act()

        assert (client.orders(filed=True), client.currency(), dict(owl.calls)) == ([], "", {})


NO_OWL_COLORS = OwlColors({}, {}, {})


def _told(**also):
    return {
        "lot_id": "7",
        "boid": "1",
        "type": "Part",
        "con": "new",
        "qty": "1",
        "price": "1",
    } | also


def _stock(owl, kind, **also):
    owl.catalogue.know("111111", kind, "3001")
    stock = owl.sellers.register("ann").stock
    stock.add([{**_bare("111111"), "kind": kind, "number": "3001", **also}])


def _bare(boid):
    return {
        "boid": boid,
        "kind": "Part",
        "color_id": "505",
        "quantity": 1,
        "is_retain": True,
        "price": "0.100",
        "condition": "new",
        "external_id": "",
        "for_sale": "1",
        "sale_percent": "0",
        "my_cost": None,
        "lot_weight": None,
        "personal_note": "",
        "public_note": "",
        "bulk_qty": None,
        "tier_price": "",
    }

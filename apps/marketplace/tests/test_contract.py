"""What the app relies on when it lists, updates and pulls: every client against its simulator."""

from collections import Counter
from dataclasses import fields, replace
from decimal import Decimal

import pytest

from apps.marketplace.providers.base import (
    AnsweredAsBefore,
    NoAnswer,
    NotThere,
    Refused,
    SecretsRefused,
    Throttled,
)
from apps.marketplace.providers.known import MARKETPLACES
from apps.marketplace.providers.lots import LotChange, LotDraft
from apps.marketplace.tests.factories import MARK, draft, failing, secrets_named
from apps.marketplace.tests.fair_client import FAIR, FairSecrets

BROKEN_LISTS = ["half", "half_unsaid", "cut_before", "html", "empty"]


@pytest.fixture(params=[*(info.id.value for info in MARKETPLACES.values()), FAIR])
def marketplace(request):
    """Each that there is a client for, and one made up for these tests, of another shape."""
    if request.param == FAIR:
        request.getfixturevalue("fair")
    return request.param


@pytest.fixture
def server(marketplace, request):
    """The simulator of the marketplace."""
    return request.getfixturevalue(
        {"bricklink": "store", "brickowl": "owl", FAIR: "fair"}[marketplace]
    )


@pytest.fixture
def client(marketplace, request, server):
    """`client()` is a client of a seller there, who has nothing for sale yet."""
    return request.getfixturevalue(
        {"bricklink": "client_of", "brickowl": "owl_client", FAIR: "fair_client"}[marketplace]
    )


@pytest.fixture
def wrong_secrets(marketplace, server):
    if marketplace == "bricklink":
        return replace(secrets_named("ann"), token_secret="0" * 32)
    if marketplace == FAIR:
        return FairSecrets(key="0" * 64)
    from apps.marketplace.providers.brickowl_wire import BrickOwlSecrets

    return BrickOwlSecrets(key="0" * 64)


@pytest.fixture
def list_path(marketplace):
    return {"bricklink": "/inventories", "brickowl": "inventory/list", FAIR: "lots"}[marketplace]


@pytest.fixture
def change_path(marketplace):
    return {"bricklink": "/inventories/", "brickowl": "inventory/update", FAIR: "change"}[
        marketplace
    ]


def as_draft(lot):
    return LotDraft(**{one.name: getattr(lot, one.name) for one in fields(LotDraft)})


def writes(server):
    return sum(count for name, count in server.calls.items() if not name.startswith("GET"))


class TestList:
    def test_a_lot_is_there_as_it_was_sent_with_an_id_of_the_marketplace(self, marketplace, client):
        sent = draft(
            price=Decimal("0.125"),
            cost=Decimal("0.03"),
            sale=20,
            bulk=2,
            stockroom="A",
            tiers=((10, Decimal("0.1")), (100, Decimal("0.05")), (0, Decimal())),
        )

        made = client().create_lot(sent)

        least, largest = MARKETPLACES[marketplace].ids
        assert least <= made.lot_id <= largest
        assert as_draft(client().lot(made.lot_id)) == sent
        assert [(lot.lot_id, as_draft(lot)) for lot in client().lots()] == [(made.lot_id, sent)]

    def test_many_lots_are_there_with_their_marks(self, client):
        marks = [f"A-1 #babcdef{letter}" for letter in "abcdefgh"]

        client().create_lots([draft(remarks=mark) for mark in marks])

        assert sorted(lot.remarks for lot in client().lots()) == marks
        assert len({lot.lot_id for lot in client().lots()}) == len(marks)

    def test_what_the_marketplace_does_not_know_is_refused(self, client):
        with pytest.raises(Refused):
            client().create_lot(draft(number="nosuchpart"))

        assert client().lots() == []

    @pytest.mark.parametrize("mode", ["cut_after", "half", "after"])
    def test_a_call_without_an_answer_is_not_sent_again_and_found_by_its_mark(
        self, client, server, mode
    ):
        failing(server, mode, method="POST")

        with pytest.raises(NoAnswer):
            client().create_lot(draft())

        (there,) = client().lots()
        assert MARK in there.remarks


class TestUpdate:
    def test_changes_what_it_names_and_pieces_by_a_delta(self, client):
        lot_id = client().create_lot(draft()).lot_id
        before = as_draft(client().lot(lot_id))
        change = LotChange(
            comments="new words",
            delta=-2,
            price=Decimal("0.2"),
            remarks=f"B-1 {MARK}",
            stockroom="A",
            sale=10,
        )

        client().change_lot(lot_id, change)

        assert as_draft(client().lot(lot_id)) == replace(
            before,
            quantity=10,
            price=Decimal("0.2"),
            comments="new words",
            remarks=f"B-1 {MARK}",
            stockroom="A",
            sale=10,
        )

    def test_a_delta_is_sent_once_though_no_answer_comes(self, client, server, change_path):
        lot_id = client().create_lot(draft()).lot_id
        failing(server, "cut_after", path=change_path)

        with pytest.raises(NoAnswer):
            client().change_lot(lot_id, LotChange(comments="", delta=-5))

        assert client().lot(lot_id).quantity == 7

    def test_a_lot_leaves_the_store_and_is_told_as_gone(self, client):
        lot_id = client().create_lot(draft()).lot_id

        client().delete_lot(lot_id)
        client().delete_lot(lot_id)

        assert client().lots() == []
        with pytest.raises(NotThere):
            client().lot(lot_id)
        with pytest.raises(NotThere):
            client().change_lot(lot_id, LotChange(comments="", delta=1))

    def test_of_another_marketplaces_lot_is_refused_before_it_is_sent(
        self, marketplace, client, server
    ):
        others = [info for info in MARKETPLACES.values() if info.id != marketplace]

        for info in others:
            with pytest.raises(Refused, match="another marketplace"):
                client().change_lot(info.first_id, LotChange(comments="", delta=1))
            with pytest.raises(Refused, match="another marketplace"):
                client().delete_lot(info.first_id)

        assert writes(server) == 0

    def test_of_another_sellers_lot_finds_nothing(self, client):
        lot_id = client("ann").create_lot(draft()).lot_id

        with pytest.raises(NotThere):
            client("bo").change_lot(lot_id, LotChange(comments="", delta=-1))

        assert client("ann").lot(lot_id).quantity == 12


class TestPull:
    def test_yields_each_lot_once(self, client):
        client().create_lots([draft(remarks=f"A-1 #babcdef{letter}") for letter in "abc"])

        assert list(client().each_lot()) == client().lots()

    def test_keeps_to_types_and_colours(self, client):
        client().create_lot(draft())
        client().create_lot(draft(color_id=1))

        found = client().lots(item_types=["PART"], color_ids=[1])

        assert [lot.color_id for lot in found] == [1]

    def test_reads_no_answer_again_that_is_as_before(self, client):
        lot_id = client().create_lot(draft()).lot_id
        seen = []

        def note(digest):
            seen.append(digest)
            return len(seen) > 1 and digest == seen[0]

        list(client().each_lot(is_known=note))
        with pytest.raises(AnsweredAsBefore):
            list(client().each_lot(is_known=note))
        client().change_lot(lot_id, LotChange(comments="", delta=-1))

        assert [lot.quantity for lot in client().each_lot(is_known=note)] == [11]

    @pytest.mark.parametrize("mode", BROKEN_LISTS)
    def test_never_passes_half_an_answer_for_a_store(self, client, server, list_path, mode):
        client().create_lots([draft(remarks=f"A-1 #babcdef{letter}") for letter in "abcdefgh"])
        failing(server, mode, times=3, path=list_path)

        with pytest.raises(NoAnswer):
            list(client().each_lot())


class TestCall:
    def test_is_counted_before_it_is_sent(self, client, server):
        def forbid(kind):
            raise RuntimeError("no calls left")

        with pytest.raises(RuntimeError):
            client(spend=forbid).create_lot(draft())

        assert server.calls == {}

    def test_is_counted_as_often_as_it_is_sent(self, client, server):
        spent = Counter()
        shop = client(spend=lambda kind: spent.update([kind]))

        shop.change_lot(shop.create_lot(draft()).lot_id, LotChange(comments="x", delta=1))
        shop.lots()

        assert sum(spent.values()) == sum(server.calls.values())

    @pytest.mark.parametrize("mode", ["throttled_bare"])
    def test_does_not_press_who_wants_fewer_calls(self, client, server, mode):
        failing(server, mode, times=9)
        spent = []

        with pytest.raises(Throttled):
            client(spend=spent.append).lots()

        assert len(spent) == 1

    def test_with_wrong_secrets_says_so(self, client, wrong_secrets):
        with pytest.raises(SecretsRefused):
            client(secrets=wrong_secrets).check()

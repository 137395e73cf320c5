"""Orders, their lines and walks on the wire."""

import datetime as dt
from decimal import Decimal
from typing import Annotated, Any, Final, Literal

from rest_framework import serializers

from apps.core.api.fields import Amount, ListOf, OwnedRow, RowId, Text, WholeNumber, YesOrNo
from apps.core.api.serializers import AnswerSerializer, DataSerializer, RelatedFields, RowSerializer
from apps.core.money import MONEY, Digits, Total
from apps.locations.models import Location
from apps.locations.rules.label_layouts import CHOICES
from apps.lots.models import LotCondition
from apps.marketplace.providers.known import MarketplaceId
from apps.orders.models import (
    Order,
    OrderEvent,
    OrderIntent,
    OrderLine,
    PickWalk,
    ShortReason,
    WalkOrder,
)
from apps.orders.services.files import FileTaken
from apps.orders.services.picking import ShortLine, Uncounted

MOST_LINES: Final = 2_000
PIECES: Final[dict[str, Any]] = {"min_value": 1, "max_value": 1_000_000}
GRAMS: Final[dict[str, Any]] = {"max_digits": 14, "decimal_places": 2}


class OrderRow(RowSerializer):
    """An order with the sums of its lines."""

    model = Order
    columns = """
        id number channel marketplace_order_id state payment_status payment_method paidAt
        orderedAt orderedOn is_dated changedAt buyer buyer_email remarks address_name address country
        shipping_method tracking_number currency subtotal shipping insurance fees credit tax
        vat total refunded grams weighed_grams is_filed packedAt shippedAt note createdAt
        updatedAt
    """

    marketplace = serializers.ChoiceField(
        choices=[each.value for each in MarketplaceId],
        allow_blank=True,
        help_text="where it was sold; empty: a sale by hand",
    )
    status: Annotated[str, "the marketplace's own word"]
    is_status_unknown: Annotated[bool, "the word is none that is known here; the order is new"]
    lots: int
    pieces: int
    picked: int
    short: Annotated[int, "pieces that will not be sent"]
    to_pick: int
    lacking: Annotated[int, "pieces to pick that nothing in stock serves"]
    expected_grams: Annotated[
        Annotated[Decimal, Digits(14, 2)] | None, "of the pieces that are sent"
    ]
    pieces_without_weight: int
    sold_twice: Annotated[
        Literal["", "later", "earlier"],
        "a buyer at another marketplace bought the same pieces: the later order goes without",
    ]
    differences: Annotated[int, "changes that nobody has looked at"]
    walk_id: Annotated[int | None, "where it is picked just now"]
    tray: Annotated[str, "where its pieces are until it is packed"]

    computed = (
        "marketplace",
        "is_status_unknown",
        "lots",
        "pieces",
        "picked",
        "short",
        "to_pick",
        "lacking",
        "expected_grams",
        "pieces_without_weight",
        "differences",
        "walk_id",
        "tray",
    )


class LinePlaceRow(AnswerSerializer):
    item_id: int
    location_name: Annotated[str, "empty: in no bin"]
    quantity: int


class OrderLineRow(RowSerializer):
    """A line with its picture and the bins that serve it."""

    model = OrderLine
    columns = """
        id lot_id marketplace_lot_id item_type item_number item_name color_id color_name
        condition sub_condition quantity price remarks comments piece_grams picked short
        short_reason returned is_checked
    """

    color_html: str
    image_url: str
    to_pick: int
    lacking: int
    places: list[LinePlaceRow]


class OrderEventRow(RowSerializer):
    model = OrderEvent
    columns = "id at by_name=by.name program kind text is_difference seenAt"


class OrderIntentRow(RowSerializer):
    """A step sent to the marketplace, and its result."""

    model = OrderIntent
    columns = "id step state value reason"


class OrderMessageRow(RowSerializer):
    sentAt: dt.datetime | None
    sender: str
    subject: str
    text: str


class WaitingRow(RowSerializer):
    """How many orders wait for what."""

    to_pick: int
    to_pack: int
    to_ship: int
    overdue: Annotated[int, "paid three days ago and not shipped"]
    open: int
    total: int
    pieces_to_pick: int
    pickable: Annotated[int, "orders that a walk can begin with now"]
    next_to_pack: int | None
    next_to_ship: int | None
    is_shown: Annotated[bool, "a store is connected or an order exists"]


class HandLineWrite(serializers.Serializer[Any]):
    item_id = RowId()
    quantity = WholeNumber(**PIECES)
    price = Amount(**MONEY, min_value=Decimal(0), required=False)


class OrderWrite(serializers.Serializer[Any]):
    """A sale by hand: rows of stock, who bought them."""

    lines = ListOf(child=HandLineWrite(), min_length=1, max_length=MOST_LINES)
    buyer = Text(max_length=200, allow_blank=True, required=False)
    address = Text(max_length=1_000, allow_blank=True, required=False)
    country = Text(max_length=60, allow_blank=True, required=False)
    remarks = Text(max_length=1_000, allow_blank=True, required=False)
    shipping = Amount(**MONEY, min_value=Decimal(0), required=False)


class OrderFileWrite(serializers.Serializer[Any]):
    file = serializers.FileField(max_length=None, help_text="BrickLink's XML or CSV of orders")


class OrderFileRow(DataSerializer):
    """What became of the orders of a file."""

    shape = FileTaken


class OrderChange(serializers.Serializer[Any]):
    note = Text(max_length=4_000, allow_blank=True, required=False)
    weighed_grams = Amount(**GRAMS, min_value=Decimal(0), required=False, allow_null=True)


class PackWrite(serializers.Serializer[Any]):
    weighed_grams = Amount(**GRAMS, min_value=Decimal(0), required=False, allow_null=True)


class ShipWrite(serializers.Serializer[Any]):
    tracking_number = Text(max_length=100, allow_blank=True, required=False)


class CancelOrderWrite(serializers.Serializer[Any]):
    tell_marketplace = YesOrNo(required=False)
    put_back = YesOrNo(required=False, help_text="picked pieces go back into their bins")


class ReturnedLine(serializers.Serializer[Any]):
    line_id = RowId()
    quantity = WholeNumber(**PIECES)


class ReturnWrite(serializers.Serializer[Any]):
    lines = ListOf(child=ReturnedLine(), min_length=1, max_length=MOST_LINES)
    location_id = OwnedRow(
        queryset=Location.objects.all(), required=False, allow_null=True, help_text="else their own"
    )
    override_reason = Text(max_length=500, allow_blank=True, required=False)
    refund = Amount(
        **MONEY, min_value=Decimal(0), required=False, help_text="money given back for them"
    )


class RefundWrite(serializers.Serializer[Any]):
    """Money refunded to the buyer; not sent to the marketplace."""

    amount = Amount(**MONEY, min_value=Decimal("0.0001"))
    note = Text(max_length=500, allow_blank=True, required=False)


class SoldTwiceOrder(AnswerSerializer):
    id: int
    number: str
    marketplace_name: str
    orderedAt: dt.datetime


class SoldTwiceRow(AnswerSerializer):
    """Pieces that buyers at two marketplaces bought: the later order goes without them."""

    line_id: Annotated[int, "of the later order"]
    item: str
    pieces: int
    amount: Total
    currency: str
    later = SoldTwiceOrder()
    earlier = SoldTwiceOrder()
    language: Annotated[str, "of the later buyer's country"]
    message: Annotated[str, "to the later buyer, to be sent at the store"]


class LeaveOutWrite(serializers.Serializer[Any]):
    """Pieces of a line."""

    line_id = RowId()
    pieces = WholeNumber(min_value=1, max_value=2**31 - 1)


class UnrefundWrite(serializers.Serializer[Any]):
    amount = Amount(**MONEY, min_value=Decimal("0.0001"))


class CheckLinesWrite(serializers.Serializer[Any]):
    line_ids = ListOf(child=RowId(), min_length=1, max_length=MOST_LINES)
    checked = YesOrNo(required=False)


class WalkOrderRow(RowSerializer):
    """An order of a walk and its tray."""

    model = WalkOrder
    columns = "order_id number=order.number state=order.state tray"

    is_open: Annotated[bool, "still picked in this walk"]


class WalkRow(RowSerializer):
    model = PickWalk
    columns = "id by_name=by.name program createdAt endedAt stops_done"


class WalkWrite(serializers.Serializer[Any]):
    order_ids = ListOf(
        child=RowId(),
        min_length=1,
        max_length=200,
        required=False,
        help_text="without it, all that can be picked, the oldest first",
    )


class TrayRow(AnswerSerializer):
    line_id: int
    order_id: int
    order_number: str
    tray: str
    quantity: int


class OtherBinRow(AnswerSerializer):
    item_id: int
    location_name: Annotated[str, "empty: in no bin"]
    free: Annotated[int, "pieces that nobody was promised"]


class StopRow(RowSerializer):
    """A stop of a walk: one row of stock, and how many of it go into which tray."""

    item_id: int
    location_id: int | None
    location_name: Annotated[str, "empty: in no bin"]
    item_number: str
    item_name: str
    color_name: str
    color_html: str
    condition: LotCondition
    image_url: str
    in_bin: Annotated[int, "pieces that should be there"]
    quantity: int
    trays: list[TrayRow]
    others: Annotated[list[OtherBinRow], "where pieces that are missing here may lie"]


class PickedLine(serializers.Serializer[Any]):
    line_id = RowId()
    quantity = WholeNumber(min_value=0, max_value=1_000_000)


class PickWrite(serializers.Serializer[Any]):
    """The pieces taken at one stop; `reason` explains missing ones.

    `left` is how many remain in the bin. Without it none does, but where pieces were damaged the
    others stay.
    """

    item_id = RowId()
    lines = ListOf(child=PickedLine(), min_length=1, max_length=200)
    reason = serializers.ChoiceField(choices=ShortReason.choices, required=False)
    left = WholeNumber(min_value=0, max_value=1_000_000, required=False)


class UncountedRow(DataSerializer):
    """Pieces beside a row that the stock had booked out before."""

    shape = Uncounted


class ShortLineRow(DataSerializer):
    """Pieces that a line fell short at a stop."""

    shape = ShortLine


class PickedRow(RowSerializer):
    """The result of a stop, in pieces.

    `movement_ids`, `uncounted`, `dropped` and `short_lines` undo it.
    """

    taken: int
    already: Annotated[int, "somebody else has taken them"]
    elsewhere: Annotated[int, "to be taken from another bin"]
    short: int
    movement_ids: list[int]
    uncounted: Annotated[list[UncountedRow], "taken"]
    dropped: Annotated[list[UncountedRow], "not found, or no longer to be taken from there"]
    short_lines: list[ShortLineRow]
    count_location_id: Annotated[int | None, "the bin to count: pieces were missing in it"]
    is_over: Annotated[bool, "nothing is left to pick in this walk"]


class UncountedWrite(serializers.Serializer[Any]):
    item_id = RowId()
    line_id = RowId()
    quantity = WholeNumber(min_value=1, max_value=1_000_000)


class ShortLineWrite(serializers.Serializer[Any]):
    line_id = RowId()
    quantity = WholeNumber(min_value=1, max_value=1_000_000)


class UndoPickWrite(serializers.Serializer[Any]):
    """What the stop was answered with."""

    movement_ids = ListOf(child=RowId(), max_length=200)
    uncounted = ListOf(child=UncountedWrite(), max_length=200, required=False)
    dropped = ListOf(child=UncountedWrite(), max_length=200, required=False)
    short_lines = ListOf(child=ShortLineWrite(), max_length=200, required=False)


class PapersWrite(RelatedFields):
    """Which papers: of orders, or of a walk's."""

    kind = serializers.ChoiceField(
        choices=[
            (name, name) for name in ("packing_slip", "pick_list", "address_label", "tray_cards")
        ],
        help_text="tray_cards need neither orders nor a walk",
    )
    order_ids = ListOf(child=RowId(), min_length=1, max_length=200, required=False)
    walk_id = RowId(required=False)
    layout = serializers.ChoiceField(
        choices=CHOICES, required=False, help_text="of labels and cards: an id of /api/labelLayouts"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        if attrs["kind"] != "tray_cards" and not {"order_ids", "walk_id"} & set(attrs):
            told = "name the orders, or a walk in walk_id"
            raise serializers.ValidationError({"order_ids": [told]})
        return attrs


class CombineWrite(serializers.Serializer[Any]):
    order_ids = ListOf(child=RowId(), min_length=1, max_length=50)


class CountRow(RowSerializer):
    count: int

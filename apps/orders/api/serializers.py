"""Orders, their lines and walks on the wire."""

from decimal import Decimal
from typing import Any, Final

from rest_framework import serializers

from apps.core.api.fields import Amount, OwnedRow, RowId, Text, WholeNumber, YesOrNo
from apps.core.api.serializers import RelatedFields, RowSerializer
from apps.core.money import MONEY
from apps.locations.models import Location
from apps.locations.rules.label_layouts import CHOICES
from apps.lots.models import Condition
from apps.orders.models import (
    Order,
    OrderEvent,
    OrderIntent,
    OrderLine,
    PickWalk,
    ShortReason,
    WalkOrder,
)

MOST_LINES: Final = 2_000
PIECES: Final[dict[str, Any]] = {"min_value": 1, "max_value": 1_000_000}
GRAMS: Final[dict[str, Any]] = {"max_digits": 14, "decimal_places": 2}


class OrderRow(RowSerializer):
    """An order with the sums of its lines."""

    model = Order
    columns = """
        id number channel marketplace_order_id state payment_status payment_method paidAt
        orderedAt changedAt buyer buyer_email remarks address_name address country
        shipping_method tracking_number currency subtotal shipping insurance fees credit tax
        vat total refunded grams weighed_grams is_filed packedAt shippedAt note createdAt
        updatedAt
    """

    status = serializers.CharField(help_text="the marketplace's own word")
    lots = serializers.IntegerField()
    pieces = serializers.IntegerField()
    picked = serializers.IntegerField()
    short = serializers.IntegerField(help_text="pieces that will not be sent")
    to_pick = serializers.IntegerField()
    lacking = serializers.IntegerField(help_text="pieces to pick that nothing in stock serves")
    expected_grams = serializers.DecimalField(
        **GRAMS, allow_null=True, help_text="of the pieces that are sent"
    )
    pieces_without_weight = serializers.IntegerField()
    differences = serializers.IntegerField(help_text="changes that nobody has looked at")
    walk_id = serializers.IntegerField(allow_null=True, help_text="where it is picked just now")
    tray = serializers.CharField(help_text="where its pieces are until it is packed")

    computed = (
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


class LinePlaceRow(serializers.Serializer[Any]):
    item_id = serializers.IntegerField()
    location_name = serializers.CharField(help_text="empty: in no bin")
    quantity = serializers.IntegerField()


class OrderLineRow(RowSerializer):
    """A line with its picture and the bins that serve it."""

    model = OrderLine
    columns = """
        id lot_id marketplace_lot_id item_type item_number item_name color_id color_name
        condition sub_condition quantity price remarks comments piece_grams picked short
        short_reason returned is_checked
    """

    color_html = serializers.CharField()
    image_url = serializers.CharField()
    to_pick = serializers.IntegerField()
    lacking = serializers.IntegerField()
    places = LinePlaceRow(many=True)


class OrderEventRow(RowSerializer):
    model = OrderEvent
    columns = "id at kind text is_difference seenAt"


class OrderIntentRow(RowSerializer):
    """A step sent to the marketplace, and its result."""

    model = OrderIntent
    columns = "id step state value reason"


class OrderMessageRow(RowSerializer):
    sentAt = serializers.DateTimeField(allow_null=True)
    sender = serializers.CharField()
    subject = serializers.CharField()
    text = serializers.CharField()


class WaitingRow(RowSerializer):
    """How many orders wait for what."""

    to_pick = serializers.IntegerField()
    to_pack = serializers.IntegerField()
    to_ship = serializers.IntegerField()
    overdue = serializers.IntegerField(help_text="paid three days ago and not shipped")
    open = serializers.IntegerField()
    total = serializers.IntegerField()
    pieces_to_pick = serializers.IntegerField()
    pickable = serializers.IntegerField(help_text="orders that a walk can begin with now")
    next_to_pack = serializers.IntegerField(allow_null=True)
    next_to_ship = serializers.IntegerField(allow_null=True)
    is_shown = serializers.BooleanField(help_text="a store is connected or an order exists")


class HandLineWrite(serializers.Serializer[Any]):
    item_id = RowId()
    quantity = WholeNumber(**PIECES)
    price = Amount(**MONEY, min_value=Decimal(0), required=False)


class OrderWrite(serializers.Serializer[Any]):
    """A sale by hand: rows of stock, who bought them."""

    lines = serializers.ListField(child=HandLineWrite(), min_length=1, max_length=MOST_LINES)
    buyer = Text(max_length=200, allow_blank=True, required=False)
    address = Text(max_length=1_000, allow_blank=True, required=False)
    country = Text(max_length=60, allow_blank=True, required=False)
    remarks = Text(max_length=1_000, allow_blank=True, required=False)
    shipping = Amount(**MONEY, min_value=Decimal(0), required=False)


class OrderFileWrite(serializers.Serializer[Any]):
    file = serializers.FileField(max_length=None, help_text="BrickLink's XML or CSV of orders")


class RefusedOrderRow(serializers.Serializer[Any]):
    number = serializers.CharField()
    line = serializers.IntegerField(help_text="of the file")
    reason = serializers.CharField()


class OrderFileRow(RowSerializer):
    """What became of the orders of a file."""

    order_ids = serializers.ListField(child=serializers.IntegerField())
    new = serializers.IntegerField()
    changed = serializers.IntegerField()
    same = serializers.IntegerField(help_text="known already, or told by the store")
    lacking = serializers.IntegerField(help_text="pieces that nothing in stock serves")
    refused = RefusedOrderRow(many=True)


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
    lines = serializers.ListField(child=ReturnedLine(), min_length=1, max_length=MOST_LINES)
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


class UnrefundWrite(serializers.Serializer[Any]):
    amount = Amount(**MONEY, min_value=Decimal("0.0001"))


class CheckLinesWrite(serializers.Serializer[Any]):
    line_ids = serializers.ListField(child=RowId(), min_length=1, max_length=MOST_LINES)
    checked = YesOrNo(required=False)


class WalkOrderRow(RowSerializer):
    """An order of a walk and its tray."""

    model = WalkOrder
    columns = "order_id number=order.number state=order.state tray"

    is_open = serializers.BooleanField(help_text="still picked in this walk")


class WalkRow(RowSerializer):
    model = PickWalk
    columns = "id createdAt endedAt stops_done"


class WalkWrite(serializers.Serializer[Any]):
    order_ids = serializers.ListField(
        child=RowId(),
        min_length=1,
        max_length=200,
        required=False,
        help_text="without it, all that can be picked, the oldest first",
    )


class TrayRow(serializers.Serializer[Any]):
    line_id = serializers.IntegerField()
    order_id = serializers.IntegerField()
    order_number = serializers.CharField()
    tray = serializers.CharField()
    quantity = serializers.IntegerField()


class OtherBinRow(serializers.Serializer[Any]):
    item_id = serializers.IntegerField()
    location_name = serializers.CharField(help_text="empty: in no bin")
    free = serializers.IntegerField(help_text="pieces that nobody was promised")


class StopRow(RowSerializer):
    """A stop of a walk: one row of stock, and how many of it go into which tray."""

    item_id = serializers.IntegerField()
    location_id = serializers.IntegerField(allow_null=True)
    location_name = serializers.CharField(help_text="empty: in no bin")
    item_number = serializers.CharField()
    item_name = serializers.CharField()
    color_name = serializers.CharField()
    color_html = serializers.CharField()
    condition = serializers.ChoiceField(choices=Condition.choices)
    image_url = serializers.CharField()
    in_bin = serializers.IntegerField(help_text="pieces that should be there")
    quantity = serializers.IntegerField()
    trays = TrayRow(many=True)
    others = OtherBinRow(many=True, help_text="where pieces that are missing here may lie")


class PickedLine(serializers.Serializer[Any]):
    line_id = RowId()
    quantity = WholeNumber(min_value=0, max_value=1_000_000)


class PickWrite(serializers.Serializer[Any]):
    """The pieces taken at one stop; `reason` explains missing ones."""

    item_id = RowId()
    lines = serializers.ListField(child=PickedLine(), min_length=1, max_length=200)
    reason = serializers.ChoiceField(choices=ShortReason.choices, required=False)


class PickedRow(RowSerializer):
    """The result of a stop, in pieces."""

    taken = serializers.IntegerField()
    already = serializers.IntegerField(help_text="somebody else has taken them")
    elsewhere = serializers.IntegerField(help_text="to be taken from another bin")
    short = serializers.IntegerField()
    movement_ids = serializers.ListField(child=serializers.IntegerField())
    is_over = serializers.BooleanField(help_text="nothing is left to pick in this walk")


class UndoPickWrite(serializers.Serializer[Any]):
    movement_ids = serializers.ListField(child=RowId(), min_length=1, max_length=200)


class PapersWrite(RelatedFields):
    """Which papers: of orders, or of a walk's."""

    kind = serializers.ChoiceField(
        choices=[
            (name, name) for name in ("packing_slip", "pick_list", "address_label", "tray_cards")
        ],
        help_text="tray_cards need neither orders nor a walk",
    )
    order_ids = serializers.ListField(child=RowId(), min_length=1, max_length=200, required=False)
    walk_id = RowId(required=False)
    layout = serializers.ChoiceField(
        choices=CHOICES, required=False, help_text="of labels and cards: an id of /api/labelLayouts"
    )

    relations = (
        {
            "anyOf": [
                {"properties": {"kind": {"const": "tray_cards"}}},
                {"required": ["order_ids"]},
                {"required": ["walk_id"]},
            ]
        },
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        if attrs["kind"] != "tray_cards" and not {"order_ids", "walk_id"} & set(attrs):
            told = "name the orders, or a walk in walk_id"
            raise serializers.ValidationError({"order_ids": [told]})
        return attrs


class CountRow(RowSerializer):
    count = serializers.IntegerField()

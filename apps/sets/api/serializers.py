"""Sets and their parts on the wire."""

import datetime as dt
from decimal import Decimal
from typing import Annotated, Any, Final

from rest_framework import serializers

from apps.catalog.api.repricing import RegionField
from apps.catalog.models.choices import ITEM_TYPES
from apps.catalog.models.price import Region
from apps.catalog.selectors.faces import ITEM_PICTURE, LOT_PICTURE, item_image, paint
from apps.catalog.selectors.pricing import amount_of
from apps.core.api.fields import UNKNOWN, Amount, Day, ListOf, RowId, Text, WholeNumber, YesOrNo
from apps.core.api.serializers import AnswerSerializer, DataSerializer, RelatedFields, RowSerializer
from apps.core.errors import NO_SUCH_ROW
from apps.core.money import MONEY, Total
from apps.locations.models import Location
from apps.lots.models import Condition, SubCondition
from apps.sets.models import (
    BuildableSet,
    BuildSearch,
    MinifigsAs,
    SetRequirement,
    SetState,
    UserSet,
)
from apps.sets.rules import LineKind
from apps.sets.selectors.parts import Summary
from apps.sources.models import Source

ID: Final[dict[str, Any]] = {"min_value": 1, "max_value": 2**63 - 1}
SUM: Final[dict[str, Any]] = {"max_digits": 24, "decimal_places": 4}
MOST_OF_A_SET: Final = 1_000
MOST_PIECES: Final = 2_147_483_647


class UserSetRow(RowSerializer):
    """A set of the caller's, with how many of its pieces are on hand."""

    model = UserSet
    columns = """
        id item_id number=item.number name=item.name year=item.year_released
        theme=item.category_path state quantity condition sub_condition minifigs_as
        location_id location_name=location.name source_id source_name=source.name price_paid
        acquired_on notes createdAt updatedAt
    """

    image_url: str | None
    pieces_required: int
    pieces_on_hand: int
    pieces_missing: int
    percent: Annotated[int | None, "on hand, rounded down; null where no contents are known"]
    minifigs_required: int
    minifigs_on_hand: int
    value: Annotated[Total | None, "of all of them, by the price rule; null: unknown"]
    parts_value: Annotated[Total | None, "of the required parts, by the price rule"]
    lots_without_price: Annotated[int, "required lots not in parts_value"]
    figuresAt: Annotated[dt.datetime | None, "when the market told the oldest price of both"]

    computed = ("image_url", "percent", "figuresAt")
    also_select = ("item__item_type", *ITEM_PICTURE, "value_at", "parts_value_at")

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        picture = map(row.pop, ITEM_PICTURE)
        row["image_url"] = item_image(row.pop("item__item_type"), row["number"], *picture)
        for name in ("value", "parts_value"):
            row[name] = amount_of(row[name])
        told = [row.pop(name) for name in ("value_at", "parts_value_at")]
        row["figuresAt"] = min((at for at in told if at is not None), default=None)
        required = row["pieces_required"]
        row["percent"] = row["pieces_on_hand"] * 100 // required if required else None
        return row


class _Details(serializers.Serializer[Any]):
    """The fields of a set that a person edits."""

    state = serializers.ChoiceField(choices=SetState.choices, required=False)
    condition = serializers.ChoiceField(choices=Condition.choices, required=False)
    sub_condition = serializers.ChoiceField(
        choices=SubCondition.choices, allow_blank=True, required=False
    )
    location_id = WholeNumber(**ID, allow_null=True, required=False)
    source_id = WholeNumber(**ID, allow_null=True, required=False)
    price_paid = Amount(**MONEY, min_value=Decimal(0), allow_null=True, required=False)
    acquired_on = Day(allow_null=True, required=False)
    notes = Text(max_length=10_000, allow_blank=True, required=False)

    def validate(self, attrs: Any) -> Any:
        owner = self.context["request"].user
        for name, model in (("location", Location), ("source", Source)):
            if f"{name}_id" not in attrs:
                continue
            pk = attrs.pop(f"{name}_id")
            found = None if pk is None else model.objects.owned_by(owner).filter(pk=pk).first()
            if pk is not None and found is None:
                raise serializers.ValidationError({f"{name}_id": [NO_SUCH_ROW]}, UNKNOWN)
            attrs[name] = found
        return attrs


class UserSetWrite(_Details):
    """A set is added by its number."""

    number = Text(max_length=50)
    quantity = WholeNumber(min_value=1, max_value=MOST_OF_A_SET, required=False)
    minifigs_as = serializers.ChoiceField(choices=MinifigsAs.choices, required=False)
    again = YesOrNo(
        required=False, help_text="add it although it is among the caller's sets already"
    )


class UserSetChange(_Details):
    """What of a set can be changed afterwards."""

    quantity = WholeNumber(min_value=1, max_value=MOST_OF_A_SET, required=False)
    minifigs_as = serializers.ChoiceField(choices=MinifigsAs.choices, required=False)


class AddManyWrite(serializers.Serializer[Any]):
    """Set numbers as pasted: between blanks, commas, semicolons or on lines of their own."""

    numbers = Text(max_length=10_000)
    state = serializers.ChoiceField(choices=SetState.choices, required=False)
    condition = serializers.ChoiceField(choices=Condition.choices, required=False)
    again = YesOrNo(required=False)


class RefusedNumber(AnswerSerializer):
    number: str
    reason: str


class AddedManyRow(AnswerSerializer):
    added: Annotated[list[int], "ids of the sets"]
    refused: list[RefusedNumber]


class SetDestinationRow(AnswerSerializer):
    """An open set that still lacks the lot."""

    user_set_id: int
    number: str
    name: str
    qty_required: int
    qty_on_hand: int


class DestinationsQuery(serializers.Serializer[Any]):
    lot = serializers.IntegerField(**ID)


class PutAsideWrite(serializers.Serializer[Any]):
    lot_id = WholeNumber(**ID)
    quantity = WholeNumber(min_value=-100_000, max_value=100_000, default=1)


class CompleteWrite(serializers.Serializer[Any]):
    missing = serializers.ChoiceField(
        choices=[("", "refuse"), ("keep", "keep"), ("have", "have")],
        default="",
        allow_blank=True,
        help_text="of parts still missing: keep them so, or count them as on hand",
    )


class RaisedPart(serializers.Serializer[Any]):
    id = RowId()
    quantity_on_hand = WholeNumber(min_value=0, max_value=MOST_PIECES, help_text="as it was before")


class CompletedRow(UserSetRow):
    """The set, and what `undoComplete` puts back beside its state."""

    raised: Annotated[list[RaisedPart], "parts that were counted as on hand with it"]


class UndoCompleteWrite(serializers.Serializer[Any]):
    state = serializers.ChoiceField(choices=SetState.choices, help_text="as it was before")
    raised = ListOf(child=RaisedPart(), required=False, default=list, max_length=10_000)


class ReplacedLot(serializers.Serializer[Any]):
    lot_id = RowId()
    before = WholeNumber(
        min_value=0, max_value=MOST_PIECES, help_text="required before; 0: the set had none of it"
    )
    now = WholeNumber(min_value=0, max_value=MOST_PIECES, help_text="required since")


class ReplacedContents(serializers.Serializer[Any]):
    """The parts that a new copy from the catalogue replaced; `undoRenewContents` restores them."""

    inventory_id = RowId(allow_null=True, help_text="the catalogue's list that was copied before")
    lots = ListOf(child=ReplacedLot(), max_length=10_000)


class RenewedRow(UserSetRow):
    replaced: ReplacedContents


class ValuedBy(serializers.Serializer[Any]):
    """Whose prices: of new or used lots, in the US or worldwide."""

    condition = serializers.ChoiceField(choices=Condition.choices, default=Condition.USED)
    region = RegionField(default=Region.GLOBAL.value)


class SummaryQuery(serializers.Serializer[Any]):
    """Whose prices; those that the list shows unless something else is asked for."""

    condition = serializers.ChoiceField(
        choices=Condition.choices, required=False, help_text="the set's unless given"
    )
    region = RegionField(required=False, help_text="the price rule's unless given")


class SummaryRow(DataSerializer):
    """A set in figures; amounts by the caller's price rule."""

    shape = Summary

    pieces_missing: int


class HowFarRow(AnswerSerializer):
    id: int
    number: str
    name: str
    pieces_required: int
    pieces_missing: int
    percent: Annotated[int, "of its pieces on hand, rounded down"]
    cost_of_missing: Annotated[Total | None, "null: no missing part has a price"]


class OverviewRow(AnswerSerializer):
    """All open sets whose parts are known; amounts by the caller's price rule."""

    currency: str
    open_sets: int
    pieces_required: int
    pieces_on_hand: int
    cost_of_missing: Annotated[Total | None, "null: no missing part has a price"]
    lots_without_price: Annotated[int, "missing ones whose price nobody told"]
    figuresAt: Annotated[dt.datetime | None, "when the market told the oldest price"]
    sets: Annotated[list[HowFarRow], "the most complete, at most 8"]


class PartPlaceRow(AnswerSerializer):
    location_id: int | None
    location_name: str
    quantity: int


class SetPartRow(RowSerializer):
    """A lot that a set requires, how many are on hand, and where stock has some."""

    model = SetRequirement
    columns = """
        id user_set_id lot_id item_id=lot.item_id item_type=lot.item.item_type
        item_number=lot.item.number item_name=lot.item.name color_id=lot.color_id
        color_name=lot.color.name quantity_required quantity_on_hand
    """

    color_html: str
    image_url: str | None
    quantity_missing: int
    in_stock: int
    places: Annotated[list[PartPlaceRow], "where stock has it, the most first; five at most"]

    computed = ("color_html", "image_url", "quantity_missing", "in_stock", "places")
    also_select = (*LOT_PICTURE, "lot__color__rgb")

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        row["color_html"] = row.pop("lot__color__rgb")
        paint(row, LOT_PICTURE)
        row["color_html"] = row["color_html"] or ""
        row["quantity_missing"] = row["quantity_required"] - row["quantity_on_hand"]
        row["in_stock"], row["places"] = 0, []
        return row


class OnHandWrite(RelatedFields):
    quantity_on_hand = WholeNumber(min_value=0, max_value=2**31 - 1)
    seen = WholeNumber(
        min_value=0,
        max_value=2**31 - 1,
        required=False,
        help_text="what was there when the caller looked: 409 where that changed",
    )

    some_of = ("quantity_on_hand",)


class LeftOutRow(AnswerSerializer):
    """A line of the catalogue's list that does not count: spare, alternate or counterpart."""

    id: int
    kind = serializers.ChoiceField(
        choices=[(kind.value, kind.value) for kind in LineKind if kind is not LineKind.REGULAR]
    )
    match_id: Annotated[int, "alternates of each other share one; 0 is none"]
    lot_id: int
    item_type = serializers.ChoiceField(choices=ITEM_TYPES)
    item_number: str
    item_name: str
    color_name: str
    color_html: str
    quantity: int


class FigurePartRow(AnswerSerializer):
    """A part of a minifig of the set, as the catalogue lists it."""

    id: int
    minifig_lot_id: int
    lot_id: int
    item_number: str
    item_name: str
    color_name: str
    color_html: str
    quantity: Annotated[int, "in one of the minifig"]
    in_stock: int


class WantedPart(serializers.Serializer[Any]):
    id = WholeNumber(**ID, help_text="of userSetParts")
    quantity = WholeNumber(min_value=1, max_value=100_000)


class TakeWrite(serializers.Serializer[Any]):
    """The parts to take out of stock; without `parts` all missing ones that the stock has."""

    parts = WantedPart(many=True, required=False, allow_empty=False)
    condition = serializers.ChoiceField(
        choices=Condition.choices, required=False, allow_blank=True, help_text="only these"
    )
    dry_run = YesOrNo(default=False)


class PickRow(AnswerSerializer):
    part_id: int
    item_number: str
    item_name: str
    color_name: str
    color_html: str
    location_name: str
    condition: Condition
    quantity: int


class TakeRow(AnswerSerializer):
    take_id: Annotated[int | None, "null for a dry run"]
    pieces: int
    pick_count: int
    still_missing: int
    picks: Annotated[list[PickRow], "by location; the first 500"]


class UndoTakeWrite(serializers.Serializer[Any]):
    take_id = WholeNumber(**ID)


class SetTakeRow(AnswerSerializer):
    id: int
    piece_count: int
    createdAt: dt.datetime
    undoneAt: dt.datetime | None


class MissingFileWrite(ValuedBy):
    """The missing parts of some sets, added up, as a file."""

    user_sets = ListOf(child=WholeNumber(**ID), min_length=1, max_length=500, help_text="their ids")
    kind = serializers.ChoiceField(choices=[("wanted_list", "wanted_list"), ("csv", "csv")])
    with_prices = YesOrNo(
        default=False, help_text="name the price by the caller's rule as the most to pay"
    )
    wanted_list_id = Text(max_length=20, allow_blank=True, default="")


class BuildSearchRow(RowSerializer):
    """A look at which sets the stock makes; follow `job_id` until `finishedAt` is there."""

    model = BuildSearch
    columns = "id job_id least_pieces least_percent createdAt updatedAt finishedAt"

    set_count: Annotated[int, "sets that were compared"]


class BuildSearchWrite(serializers.Serializer[Any]):
    least_pieces = WholeNumber(min_value=1, max_value=100_000, default=20)
    least_percent = WholeNumber(min_value=1, max_value=100, default=50)


class BuildableSetRow(RowSerializer):
    """A set that the stock makes, or nearly."""

    model = BuildableSet
    columns = """
        id build_search_id=found_by_id item_id number=item.number name=item.name
        year=item.year_released theme=item.category_path percent pieces_required
        pieces_in_stock lots_missing
    """

    image_url: str | None
    pieces_missing: int

    computed = ("image_url", "pieces_missing")
    also_select = ("item__item_type", *ITEM_PICTURE)

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        picture = map(row.pop, ITEM_PICTURE)
        row["image_url"] = item_image(row.pop("item__item_type"), row["number"], *picture)
        row["pieces_missing"] = row["pieces_required"] - row["pieces_in_stock"]
        return row

"""Stock on the wire, in the spec's names."""

from decimal import Decimal
from typing import Annotated, Any, Final

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from rest_framework import serializers

from apps.core.api.fields import Text, WholeNumber, YesOrNo
from apps.core.api.serializers import AnswerSerializer, DataSerializer, RowSerializer
from apps.core.money import Digits, Money
from apps.inventory.models import InventoryItem, Movement
from apps.inventory.selectors.destinations import Destination
from apps.inventory.selectors.for_sale import with_channels
from apps.inventory.selectors.origins import with_source_batch
from apps.locations.models import PastLocation
from apps.lots.api.serializers import ID, LARGEST_NUMBER, LotRow, LotWrite
from apps.lots.models import LotCondition

MAX_PIECES: Final = LARGEST_NUMBER


class InventoryItemRow(LotRow):
    """A row of stock. One that is not in the catalogue shows the values of its file."""

    model = InventoryItem
    columns = "quantity promised price_locked location_id location_name=location.name date_added date_last_sold"

    part_name: str
    description = serializers.CharField(source="comments", help_text="what buyers read")
    available: Annotated[int, "pieces that nobody was promised"]
    for_sale_on: Annotated[list[int], "ids of the channels where buyers see it"]
    batch_id: Annotated[int | None, "the batch that pieces were last stowed from"]
    batch_name: str | None
    batch_count: Annotated[int, "batches that pieces were stowed from"]

    name_field = "part_name"
    computed = (*LotRow.computed, "part_name", "description", "available")

    @classmethod
    def select(cls, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return super().select(with_channels(with_source_batch(queryset)))

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        row["description"] = row["comments"]
        row["for_sale_on"] = sorted(map(int, filter(None, (row["for_sale_on"] or "").split(","))))
        row["available"] = max(row["quantity"] - row["promised"], 0)
        return super().finish(row)


class InventoryItemWrite(LotWrite):
    """The fields that a person may set. `quantity` and `location_id` are booked in the ledger."""

    lot_id = WholeNumber(**ID)
    quantity = WholeNumber(min_value=0, max_value=MAX_PIECES, required=False)
    location_id = WholeNumber(**ID, allow_null=True, required=False)
    marketplace_lot_id = WholeNumber(**ID, allow_null=True, required=False)
    price_locked = YesOrNo(required=False, help_text="no re-pricing changes the price")
    note = Text(
        max_length=500,
        allow_blank=True,
        required=False,
        write_only=True,
        help_text="for the ledger",
    )


class MoveWrite(serializers.Serializer[Any]):
    to = WholeNumber(**ID, allow_null=True, help_text="a location, or null for none")
    quantity = WholeNumber(
        min_value=1, max_value=MAX_PIECES, required=False, help_text="all when left out"
    )
    override_reason = Text(max_length=500, allow_blank=True, required=False, default="")


class MovementRow(RowSerializer):
    """One line of the ledger."""

    model = Movement
    columns = """
        id delta reason by_name=by.name program from_location_id to_location_id note cause_id
        reverses_id createdAt
    """

    balance: Annotated[int, "pieces after it"]
    from_location_name = serializers.CharField(source="from_name", allow_null=True)
    to_location_name = serializers.CharField(source="to_name", allow_null=True)
    cause_kind: str

    @classmethod
    def select(cls, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return super().select(
            queryset.annotate(
                from_name=_name_then("from_location"), to_name=_name_then("to_location")
            )
        )


def _name_then(place: str) -> Coalesce:
    """Return the name of the location at one end of a movement, also of one that is gone."""
    gone = PastLocation.objects.filter(pk=OuterRef(f"{place}_id")).values("name")
    return Coalesce(f"{place}__name", Subquery(gone))


class DestinationRow(DataSerializer):
    """A location to put a lot, best first; `id` and `name` are the location's."""

    shape = Destination

    stored_weight: Annotated[Decimal, Digits(18, 4)]
    unknown_weight_count: Annotated[int, "pieces without a known weight: not in stored_weight"]
    max_total_weight: Annotated[Decimal, Digits(14, 4)] | None


class OwnedRow(AnswerSerializer):
    """A row of the caller's stock of a lot; `item_id` is the row's id."""

    item_id: int
    lot_id: int
    color_id: int
    location_id: int | None
    location_name: str | None
    condition: LotCondition
    quantity: int
    price: Annotated[Money | None, "null: no price"]

"""Sources on the wire."""

from decimal import Decimal
from typing import Annotated, Any, Final

from rest_framework import serializers

from apps.core.api.fields import Text, WholeNumber
from apps.core.api.serializers import AnswerSerializer, RowSerializer
from apps.core.money import Digits, Total, money
from apps.sources.models import Source
from apps.sources.rules import foreign_share, price_per_kg, return_on

SUM: Final[dict[str, Any]] = {"max_digits": 24, "decimal_places": 4}
ID: Final[dict[str, Any]] = {"min_value": 1, "max_value": 2**63 - 1}


class SourceRow(RowSerializer):
    """A source with what its batches cost and are worth."""

    model = Source
    columns = "id name notes createdAt updatedAt"

    batch_count: int
    lot_count: Annotated[int, "rows of its batches"]
    piece_count: int
    spent: Annotated[Total | None, "null: no cost is known"]
    value: Total
    lots_without_price: Annotated[int, "rows that are not in the value"]
    return_on_cost: Annotated[Total | None, "value ÷ cost of the batches whose cost is known"]
    price_per_kg: Annotated[Total | None, "over the batches whose cost and weight are known"]
    foreign_share: Annotated[
        Annotated[Decimal, Digits(5, 4)] | None,
        "foreign pieces ÷ all that came, over the batches where they were counted",
    ]

    computed = ("return_on_cost", "price_per_kg", "foreign_share")
    also_select = (
        "costed_value",
        "weighed_cost",
        "weighed_grams",
        "foreign_count",
        "counted_pieces",
    )

    def finish(self, row: dict[str, Any]) -> dict[str, Any]:
        # SQLite adds decimals as floats: the sums are rounded before they are used.
        spent, value, costed, cost, grams = (
            None if row[name] is None else money(row[name])
            for name in ("spent", "value", "costed_value", "weighed_cost", "weighed_grams")
        )
        row["foreign_share"] = foreign_share(
            foreign=row["foreign_count"], pieces=row["counted_pieces"]
        )
        for name in self.also_select:
            del row[name]
        row["spent"], row["value"] = spent, value
        row["return_on_cost"] = return_on(spent=spent, value=costed, pieces=row["piece_count"])
        row["price_per_kg"] = price_per_kg(cost=cost, grams=grams)
        return row


class SourceWrite(serializers.Serializer[Any]):
    name = Text(max_length=200)
    notes = Text(max_length=10_000, allow_blank=True, required=False)


class SourceMergeWrite(serializers.Serializer[Any]):
    into = WholeNumber(**ID, help_text="the source that stays")


class SourceReassignWrite(serializers.Serializer[Any]):
    to = WholeNumber(**ID, allow_null=True, help_text="another source, or null for none")


class ReassignedRow(AnswerSerializer):
    batches: Annotated[int, "how many come from there now"]

"""Which batch, and which of its items, a request is about."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.batches.rules.states import ItemState
from apps.batches.services.selection import Chosen

MAX_IDS = 10_000


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "enum": ["all"]},
            {
                "type": "array",
                "items": {"type": "integer", "minimum": 1, "maximum": 2**63 - 1},
                "minItems": 1,
                "maxItems": MAX_IDS,
            },
        ]
    }
)
class ItemChoice(serializers.Field[Any, Any, Any, Any]):
    """Either the word "all" or a list of ids of batch items."""

    default_error_messages = {
        "kind": 'must be "all" or a list of ids',
        "empty": "must name at least one item",
        "many": 'names more than {limit} items; say "all"',
    }

    def to_internal_value(self, data: object) -> Any:
        if data == "all":
            return "all"
        if not isinstance(data, list) or not all(
            type(one) in (int, float) and 0 < one < 2**63 and one == int(one) for one in data
        ):
            self.fail("kind")
        if not data:
            self.fail("empty")
        if len(data) > MAX_IDS:
            self.fail("many", limit=MAX_IDS)
        return tuple(sorted({int(one) for one in data}))

    def to_representation(self, value: object) -> Any:
        return value


class ChoiceWrite(serializers.Serializer[Any]):
    """Which items of the batch."""

    items = ItemChoice(help_text='"all" or a list of ids')

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        chosen = data["items"]
        data["chosen"] = Chosen(
            item_ids=None if chosen == "all" else chosen,
            state=ItemState(data["state"]) if data.get("state") else None,
        )
        return data

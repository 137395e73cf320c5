"""The papers for labels of any kind."""

from typing import Any

from rest_framework import serializers

from apps.core.api.serializers import RelatedFields
from apps.locations.rules.label_layouts import CHOICES, LAYOUTS


class OnPaper(RelatedFields):
    """What names a paper and, of sheets, the first position that is not used up."""

    layout = serializers.ChoiceField(choices=CHOICES, help_text="an id of /api/labelLayouts")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        last = LAYOUTS[attrs["layout"]].per_page
        if attrs.get("start", 1) > last:
            told = f"must be a position of the sheet, 1 to {last}"
            raise serializers.ValidationError({"start": [told]})
        return attrs

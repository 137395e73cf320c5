from decimal import Decimal
from typing import Annotated, Any

from rest_framework import serializers

from apps.catalog.models.choices import ITEM_TYPES
from apps.core.api.fields import (
    REFUSED,
    Instant,
    ListOf,
    Matching,
    Measure,
    RowId,
    Text,
    WholeNumber,
    YesOrNo,
)
from apps.core.api.serializers import AnswerSerializer, RelatedFields, RowSerializer
from apps.core.money import Digits
from apps.locations.rules.label_layouts import CHOICES
from apps.recognition.models import Capture, StationSitting, WrongMatch
from apps.recognition.rules.lookup import MOST_AMONG, Lookup


class PictureWrite(serializers.Serializer[Any]):
    """A picture (JPEG, PNG or WebP), the kinds to look for, and what else helps to identify it."""

    file = serializers.FileField()
    lookup_type = serializers.ChoiceField(
        choices=[kind.value for kind in Lookup], default=Lookup.PART.value
    )
    recogniser = serializers.ChoiceField(
        choices=["OWN", "OUTSIDE"],
        default="OWN",
        help_text="whom to ask: ours, or the one outside, where the operator switched it on",
    )
    second = serializers.FileField(
        required=False, help_text="the same part, lying otherwise: another picture"
    )
    every_piece = YesOrNo(default=False, help_text="name each piece, not only the main one")
    item_ids = ListOf(
        child=RowId(),
        required=False,
        max_length=MOST_AMONG,
        help_text="items that the heap is known to hold, of a set or a batch",
    )
    grams = Measure(min_value=0.001, max_value=100_000, required=False)


class CardsWrite(serializers.Serializer[Any]):
    """Which paper, and the batch that gets a card too, by number and name."""

    layout = serializers.ChoiceField(
        choices=CHOICES, default="a4_plain", help_text="an id of /api/labelLayouts"
    )
    batch_code = Matching(r"[0-9]{1,19}", required=False)
    batch_name = Text(max_length=200, required=False)


class CandidateSite(AnswerSerializer):
    name: str
    url = serializers.URLField()


class CandidateLot(AnswerSerializer):
    id: int
    lot_id: int
    color_id: int
    color_name: str
    color_html: str | None


class CandidateColor(AnswerSerializer):
    color_id: Annotated[int | None, "null: no colour of this name"]
    name: str
    score: float


class CandidateRow(AnswerSerializer):
    """An identified item; one that is not in the catalogue has no ids and no lots."""

    id: int | None
    item_id: int | None
    item_number: str
    item_name: str
    item_type = serializers.ChoiceField(choices=ITEM_TYPES)
    category: str
    weight: Annotated[Decimal, Digits(10, 3)] | None
    image_url: str | None
    score: Annotated[float, "how likely it is this one, 0 to 1"]
    is_known: bool
    external_sites: list[CandidateSite]
    lots: list[CandidateLot]
    color_id: Annotated[int | None, "the likeliest colour"]
    colors: list[CandidateColor]
    listing_id: str
    provider: Annotated[str, "who says so"]
    presence = serializers.ChoiceField(
        choices=["PART", "UNSURE", "NOTHING"],
        help_text="what the piece is: a part, perhaps one, or none, whose candidates are worth little",
    )
    twins: Annotated[list[str], "numbers that look the same from above"]
    piece: Annotated[int, "which piece of the picture, from 0"]
    outline: Annotated[
        list[float] | None, "left, top, width and height of the piece, as shares of the picture"
    ]
    capture: Annotated[str, "what was seen, for /api/recognition/captures"]


class SittingRow(RowSerializer):
    """What one sitting at the station brought and cost."""

    model = StationSitting
    columns = """
        id key by_name=by.name started_at acted_at adds pieces keys undos captures not_found accept_p50_ms
        accept_p90_ms updatedAt
    """


def _count() -> WholeNumber:
    return WholeNumber(min_value=0, max_value=10_000_000, default=0)


def _milliseconds() -> WholeNumber:
    return WholeNumber(min_value=0, max_value=2**31 - 1, allow_null=True, required=False)


class SittingWrite(serializers.Serializer[Any]):
    key = Text(max_length=64)
    started_at = Instant()
    acted_at = Instant()
    adds = _count()
    pieces = _count()
    keys = _count()
    undos = _count()
    captures = _count()
    not_found = _count()
    accept_p50_ms = _milliseconds()
    accept_p90_ms = _milliseconds()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["acted_at"] < attrs["started_at"]:
            raise serializers.ValidationError(
                {"acted_at": ["must not be before started_at"]}, REFUSED
            )
        return attrs


class WrongMatchRow(RowSerializer):
    """A wrong match: the recogniser's answer, and the right one if a person entered it."""

    model = WrongMatch
    columns = "id provider listing_id seen_type seen_number score right_type right_number createdAt"


class WrongMatchWrite(RelatedFields):
    """One candidate that is wrong; `right_type` and `right_number` go together."""

    provider = Text(max_length=40, required=False)
    listing_id = Text(max_length=100, allow_blank=True, required=False)
    seen_type = serializers.ChoiceField(choices=ITEM_TYPES)
    seen_number = Text(max_length=64)
    score = Measure(min_value=0, max_value=1)
    right_type = serializers.ChoiceField(choices=ITEM_TYPES, allow_blank=True, required=False)
    right_number = Text(max_length=64, allow_blank=True, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if bool(attrs.get("right_type")) != bool(attrs.get("right_number")):
            raise serializers.ValidationError({"right_number": ["goes with right_type"]})
        return attrs


class CaptureRow(RowSerializer):
    """A picture and the item that a person confirmed."""

    model = Capture
    columns = """
        id item_id item_number=item.number item_name=item.name color_id seen_number
        was_right crop createdAt
    """


class CaptureWrite(serializers.Serializer[Any]):
    """The item of a candidate's `capture`; `seen_number` is the first candidate, blank for none."""

    capture = Text(max_length=40_000)
    item_id = RowId()
    color_id = RowId(required=False, allow_null=True)
    seen_number = Text(max_length=64, allow_blank=True, required=False)


class CaptureFields(serializers.Serializer[Any]):
    """A capture in a backup."""

    color_id = RowId(required=False, allow_null=True)
    model = Text(max_length=64)
    vector = Matching(r"[A-Za-z0-9+/]{1,638}={0,2}")
    crop = Matching(r"[A-Za-z0-9+/]{1,19000}={0,2}")
    seen_number = Text(max_length=64, allow_blank=True)


class MouldRow(AnswerSerializer):
    """How often a part was recognised rightly here."""

    item_number: str
    item_name: str
    right: int
    wrong: int
    taken_for: list[str]

"""Requests and responses for sheets of labels of any kind."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from django.http import HttpResponse
from rest_framework import serializers

from apps.core.api.downloads import download_of
from apps.core.api.fields import Measure, WholeNumber, YesOrNo
from apps.core.api.serializers import AnswerSerializer

_SHIFT: Final[dict[str, Any]] = {"min_value": -20, "max_value": 20, "default": 0}
_HOW: Final = ("layout", "start", "shift_right", "shift_down", "outlines")


# Their docstrings would appear in the schema of every kind of label.
class PrintWrite(serializers.Serializer[Any]):
    start = WholeNumber(
        min_value=1, max_value=1000, default=1, help_text="first position that is not used up"
    )
    shift_right = Measure(**_SHIFT, help_text="millimetres")
    shift_down = Measure(**_SHIFT, help_text="millimetres")
    outlines = YesOrNo(default=False, help_text="draw each label's edge")
    test_page = YesOrNo(default=False, help_text="instead: edges and numbers of all positions")
    dry_run = YesOrNo(default=False, help_text="only tell what would be printed")


class PrintPlanRow(AnswerSerializer):
    count: int
    names: Annotated[list[str], "the first 200"]
    pages: int
    unknown_characters: Annotated[list[str], "which the labels' font does not have"]


def how_to_print(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of the sheet, without its labels, from a validated request."""
    return {name: data[name] for name in _HOW}


def pdf_answer(content: bytes, *, name: str) -> HttpResponse:
    """Return a PDF that the browser saves as `name`, and that no cache keeps."""
    return download_of(content, name=name, content_type="application/pdf")

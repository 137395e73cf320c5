"""Brickognize, by its documented wire format (no key; multipart field `query_image`)."""

import re
from collections.abc import Mapping
from typing import Any, Final

import requests

from apps.recognition.providers.base import (
    HEALTH_SECONDS,
    PictureRefused,
    PredictedColor,
    PredictedItem,
    Prediction,
    RecogniserBusy,
    RecogniserFailed,
    RecogniserUnreachable,
    Site,
)

# The slash at the end matters.
PATHS: Final = {
    "PART": "/predict/parts/",
    "MINIFIG": "/predict/figs/",
    "SET": "/predict/sets/",
    "ANY": "/predict/",
}
CONNECT_SECONDS: Final = 5
READ_SECONDS: Final = 15
MAX_ANSWER_BYTES: Final = 512 * 1024
TOP_ITEMS: Final = 5
TOP_COLORS: Final = 3
# The service's own 0.5 drops the rows that a shortlist is for.
MIN_ITEM_SCORE: Final = 0.3
MIN_COLOR_SCORE: Final = 0.1
WAIT_SECONDS: Final = 2
USER_AGENT: Final = "Brickstow (sorting station for sellers)"
_WEB: Final = re.compile(r"^https?://", re.IGNORECASE)


class Brickognize:
    """The real service or its simulator, whichever `address` is."""

    name = "Brickognize"

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/")

    def identify(self, *, jpeg: bytes, lookup: str) -> Prediction:
        """Return the items in the picture. One request: the next frame is the retry."""
        params: dict[str, str | int | float] = {
            "top_k_items": TOP_ITEMS,
            "min_similarity_items": MIN_ITEM_SCORE,
        }
        if lookup == "PART":
            params |= {
                "predict_color": "true",
                "top_k_colors": TOP_COLORS,
                "min_similarity_colors": MIN_COLOR_SCORE,
            }
        try:
            with requests.post(
                self._address + PATHS[lookup],
                params=params,
                files={"query_image": ("picture.jpg", jpeg, "image/jpeg")},
                headers={"User-Agent": USER_AGENT, "Accept": "application/json"},
                timeout=(CONNECT_SECONDS, READ_SECONDS),
                allow_redirects=False,
                stream=True,
            ) as answer:
                return _read(answer)
        except requests.Timeout as problem:
            raise RecogniserUnreachable(f"no answer within {READ_SECONDS} s") from problem
        except requests.RequestException as problem:
            raise RecogniserUnreachable(f"not reached: {type(problem).__name__}") from problem

    def is_healthy(self, *, seconds: float = HEALTH_SECONDS) -> bool:
        try:
            answer = requests.get(
                f"{self._address}/health/",
                headers={"User-Agent": USER_AGENT},
                timeout=seconds,
                allow_redirects=False,
            )
        except requests.RequestException:
            return False
        return answer.status_code == requests.codes.ok


def _read(answer: requests.Response) -> Prediction:
    status = answer.status_code
    if status == requests.codes.too_many_requests:
        asked = answer.headers.get("Retry-After", "")
        seconds = int(asked) if asked.isdecimal() and len(asked) < 5 else WAIT_SECONDS
        raise RecogniserBusy("429", seconds=seconds)
    if status in {400, 413, 415, 422}:
        raise PictureRefused(f"{status}: {_start(answer)[:200]!r}")
    if status != requests.codes.ok:
        raise RecogniserFailed(f"status {status}")
    body = _start(answer)
    if len(body) > MAX_ANSWER_BYTES:
        raise RecogniserFailed("the answer is too long")
    try:
        document = requests.compat.json.loads(body)
    except ValueError as problem:
        kind = answer.headers.get("Content-Type", "")
        raise RecogniserFailed(f"no JSON but {kind or 'nothing named'}") from problem
    if not isinstance(document, dict) or not isinstance(document.get("items"), list):
        raise RecogniserFailed("JSON without items")
    return prediction_of(document)


def _start(answer: requests.Response) -> bytes:
    return answer.raw.read(MAX_ANSWER_BYTES + 1, decode_content=True) or b""


def prediction_of(document: Mapping[str, Any]) -> Prediction:
    """Return the prediction in an answer; rows without a number or a score are left out."""
    items = [item for row in document["items"] if (item := _item(row)) is not None]
    colors = [color for row in _list(document.get("colors")) if (color := _color(row)) is not None]
    return Prediction(
        listing=_text(document.get("listing_id"), 100),
        items=tuple(sorted(items, key=lambda each: -each.score)),
        colors=tuple(sorted(colors, key=lambda each: -each.score)),
    )


def _item(row: dict[str, Any]) -> PredictedItem | None:
    if not isinstance(row, dict):
        return None
    number, score = _text(row.get("id"), 50), _score(row.get("score"))
    if not number or score is None:
        return None
    sites = tuple(
        Site(name=_text(site.get("name"), 50), url=url)
        for site in _list(row.get("external_sites"))
        if isinstance(site, dict) and (url := _web(site.get("url")))
    )
    return PredictedItem(
        number=number,
        name=_text(row.get("name"), 300) or number,
        kind=_text(row.get("type"), 20).lower(),
        score=score,
        category=_text(row.get("category"), 200) or None,
        image_url=_web(row.get("img_url")) or None,
        sites=sites,
    )


def _color(row: dict[str, Any]) -> PredictedColor | None:
    if not isinstance(row, dict):
        return None
    name, score = _text(row.get("name"), 100), _score(row.get("score"))
    if not name or score is None:
        return None
    return PredictedColor(number=_text(row.get("id"), 20), name=name, score=score)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object, limit: int) -> str:
    """Return text or a number as text, without control characters, at most `limit` long."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return "".join(char for char in str(value) if char.isprintable()).strip()[:limit]


def _score(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return min(1.0, max(0.0, float(value))) if value == value else None


def _web(value: object) -> str:
    """Return an http(s) address, else '': the page shows it as a link."""
    text = _text(value, 500)
    if text.startswith("//"):
        text = f"https:{text}"
    return text if _WEB.match(text) else ""

"""Our own recogniser: identifies the pieces of a picture, with all helps."""

import base64
import logging
import re
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from django.core import signing

from apps.accounts.models import User
from apps.catalog.models import Item
from apps.catalog.rules.kinds import ItemType
from apps.core.errors import DomainError, ErrorCode
from apps.recognition.models import Capture
from apps.recognition.providers import eyes as network
from apps.recognition.selectors.candidates import Guess, Sighting, candidates_of_sightings

logger = logging.getLogger(__name__)

OWN_NAME: Final = network.NAME
GUESSES: Final = 5
SALT: Final = "recognition.capture"
MOST_CAPTURES: Final = 5_000
# A part that the network never learnt is offered when one that was confirmed looks so alike.
_SAME: Final = 0.86
_PRINT: Final = re.compile(r"(?<=[0-9a-z])(?:pb|pr|px|pat|ps|pt|p)\d\w*$")
_STALE_AT_ONCE: Final = 20


class EyesClosed(DomainError):
    code = ErrorCode.UPSTREAM_ERROR
    message = "Recognition is not available: {reason} Search by number or name meanwhile."


@dataclass(frozen=True, slots=True)
class EyesState:
    """The state of our own recogniser; `problem` is the reason why it cannot be used."""

    provider: str
    problem: str
    version: str
    moulds: int
    share_of_pieces: Annotated[float, "of all pieces in sets, 0 to 1"]
    figures: dict[str, float]
    licence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The helps besides the picture."""

    every_piece: bool = False
    among: Collection[int] = ()  # items that the heap is known to hold; empty: nothing is known
    grams: float | None = None


def eyes_state() -> EyesState:
    """Return what our own recogniser is. Loads it when first asked."""
    try:
        own = network.eyes()
    except network.NoEyes as problem:
        return EyesState(network.NAME, str(problem), "", 0, 0.0, {}, "")
    return EyesState(
        network.NAME,
        "",
        own.version,
        len(own.moulds),
        own.share_of_pieces,
        own.figures,
        own.licence,
    )


def recognise(
    *, jpegs: Sequence[bytes], asked: Asked, person: User | None = None
) -> list[dict[str, Any]]:
    """Return the candidates of each piece, best first; several pictures show one part.

    `jpegs` are of our own making (`readable_jpeg`). Raises EyesClosed.
    """
    try:
        own = network.eyes()
    except network.NoEyes as problem:
        raise EyesClosed(reason=str(problem)) from problem
    captures = _captures_of(person, own)
    among = _moulds_among(own, asked.among)
    begun = time.perf_counter()
    sightings = _sightings(own, jpegs, asked, among, captures)
    logger.debug("recognised in %.0f ms", (time.perf_counter() - begun) * 1000)
    return candidates_of_sightings(sightings, provider=network.NAME, person=person)


# -- Looking ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Known:
    """A person's confirmed pictures: vectors in rows, and the item and mould of each."""

    vectors: Any
    items: list[int]
    moulds: list[int | None]


def _sightings(
    own: network.Eyes, jpegs: Sequence[bytes], asked: Asked, among: set[int] | None, known: _Known
) -> list[Sighting]:
    from apps.recognition.rules import looking, seeing

    pictures = [seeing.look(seeing.read(jpeg)) for jpeg in jpegs]
    first, *others = pictures
    if asked.every_piece:
        looked_at = [looking.look_at(own, first, piece) for piece in first.pieces]
    else:
        main = looking.look_at_main(own, first)
        looked_at = [] if main is None else [main]
    # A second picture shows the same part, lying otherwise.
    seconds = [looking.look_at_main(own, other) for other in others]
    more = [second for second in seconds if second is not None]
    weights = _weights(own) if asked.grams is not None else None
    sightings = []
    for looked in looked_at:
        piece = looked.piece
        looks = [looked, *more] if not asked.every_piece else [looked]
        nearness = _nearness(known, looked.look.vector)
        shares = looking.mould_shares(
            own, looks, weights=weights, among=among, grams=asked.grams, captures=nearness.moulds
        )
        part = looking.part_share(own, looks)
        if nearness.is_confirmed:
            part = max(part, own.calibration.part_from)
        guesses = _guesses(own, shares * part, nearness)
        sightings.append(
            Sighting(
                guesses=guesses,
                presence=own.calibration.presence(part, guesses[0].score),
                lab=piece.lab,
                outline=first.outline(piece),
                capture=_signed(own, looked.look.vector, first, piece),
            )
        )
    return sightings


def _guesses(own: network.Eyes, shares: Any, nearness: "_Nearness") -> tuple[Guess, ...]:
    import numpy as np

    order = [int(index) for index in np.argsort(-shares)[:GUESSES]]
    guesses = []
    for index in order:
        mould = own.moulds[index]
        score = float(shares[index])
        guesses.append(
            Guess(
                numbers=mould.numbers, name=mould.name, score=round(min(1.0, score), 4),
                twins=tuple(own.moulds[twin].number for twin in mould.twins),
            )
        )  # fmt: skip
    for item_id, near in nearness.others:
        if near >= _SAME:
            guess = Guess(numbers=("",), name="", score=round(near - 0.3, 4), item_id=item_id)
            guesses.append(guess)
    guesses.sort(key=lambda guess: -guess.score)
    return tuple(guesses[:GUESSES])


def _moulds_among(own: network.Eyes, items: Collection[int]) -> set[int] | None:
    """Return the moulds of these items; None where nothing is known."""
    if not items:
        return None
    numbers = Item.objects.filter(pk__in=list(items)).values_list("number", flat=True)
    found = {_mould_of(own, number) for number in numbers}
    found.discard(None)
    return {mould for mould in found if mould is not None} or None


def _weights(own: network.Eyes) -> Any:
    """Return the weight of the commonest part of each mould, 0 if it is unknown."""
    import numpy as np

    numbers = {number for mould in own.moulds for number in mould.numbers}
    rows = Item.objects.filter(item_type=ItemType.PART, number__in=numbers, weight_grams__gt=0)
    known = dict(rows.values_list("number", "weight_grams"))
    found = (
        next((known[number] for number in mould.numbers if number in known), 0)
        for mould in own.moulds
    )
    return np.array([float(grams or 0) for grams in found], np.float32)


def _mould_of(own: network.Eyes, number: str) -> int | None:
    """Return the mould of a part number, of a print's too."""
    numbers = _numbers(own)
    number = number.lower()
    plain = _PRINT.sub("", number)
    for one in (number, plain, plain.rstrip("abcdefgh")):
        if one in numbers:
            return numbers[one]
    return None


_by_number: dict[str, dict[str, int]] = {}


def _numbers(own: network.Eyes) -> dict[str, int]:
    if own.version not in _by_number:
        _by_number.clear()
        _by_number[own.version] = {
            number.lower(): index
            for index, mould in reversed(list(enumerate(own.moulds)))
            for number in mould.numbers
        }
    return _by_number[own.version]


# -- Confirmed pictures ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Nearness:
    moulds: dict[int, float]
    others: list[tuple[int, float]]  # items that the network never learnt

    @property
    def is_confirmed(self) -> bool:
        """Return whether a confirmed picture looks so alike that this is a part."""
        nearest = [*self.moulds.values(), *(near for _, near in self.others)]
        return max(nearest, default=0.0) >= _SAME


def _nearness(known: _Known, vector: object) -> _Nearness:
    moulds: dict[int, float] = {}
    others: dict[int, float] = {}
    if known.items:
        for near, item, mould in zip(
            (known.vectors @ vector).tolist(), known.items, known.moulds, strict=True
        ):
            if mould is None:
                others[item] = max(others.get(item, 0.0), near)
            else:
                moulds[mould] = max(moulds.get(mould, 0.0), near)
    return _Nearness(moulds, sorted(others.items(), key=lambda pair: -pair[1])[:2])


def _captures_of(person: User | None, own: network.Eyes) -> _Known:
    """Return a person's confirmed pictures, newest first."""
    import numpy as np

    nothing = _Known(np.zeros((0, network.VECTOR), np.float32), [], [])
    if person is None:
        return nothing
    rows = list(
        Capture.objects.owned_by(person)
        .order_by("-pk")
        .values_list("pk", "item_id", "item__number", "model", "vector")[:MOST_CAPTURES]
    )
    stale = [pk for pk, _, _, version, _ in rows if version != own.version][:_STALE_AT_ONCE]
    renewed = _looked_at_anew(stale, own) if stale else {}
    vectors, items, moulds = [], [], []
    for pk, item_id, number, version, text in rows:
        text = renewed.get(pk, text if version == own.version else "")
        vector = np.frombuffer(base64.b64decode(text or ""), np.float16)
        if len(vector) == network.VECTOR:
            vectors.append(vector)
            items.append(item_id)
            moulds.append(_mould_of(own, number))
    if not vectors:
        return nothing
    return _Known(np.stack(vectors).astype(np.float32), items, moulds)


def _looked_at_anew(ids: Sequence[int], own: network.Eyes) -> dict[int, str]:
    """Look at kept crops with the model of today, some with each request."""
    from apps.recognition.rules import seeing

    rows = list(Capture.objects.filter(pk__in=ids))
    for row in rows:
        try:
            crop = seeing.resized(seeing.read(base64.b64decode(row.crop)), own.size)
            look = own.look(crop, long=None, aspect=0.5)
            row.vector = _packed(look.vector)
        except ValueError:
            row.vector = ""
        row.model = own.version
    Capture.objects.bulk_update(rows, ["vector", "model"])
    return {row.pk: row.vector for row in rows}


def _packed(vector: Any) -> str:
    import numpy as np

    return base64.b64encode(vector.astype(np.float16).tobytes()).decode()


def _signed(own: network.Eyes, vector: Any, seen: Any, piece: Any) -> str:
    """Return the signed capture that the browser sends back with the confirmed item."""
    from apps.recognition.rules import seeing

    crop = seeing.jpeg_of(seeing.crop(seen.rgb, piece, own.size))
    return signing.dumps(
        {"m": own.version, "v": _packed(vector), "c": base64.b64encode(crop).decode()}, salt=SALT
    )

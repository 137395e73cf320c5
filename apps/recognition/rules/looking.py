"""One look at a piece: what the network, its size, its outline and its surroundings say.

`own` is the network with the data of its moulds (`providers/eyes.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apps.recognition.rules import presence, ranking, seeing


@dataclass(frozen=True, slots=True)
class Looked:
    piece: seeing.Piece
    look: Any  # the network's
    measured: ranking.Measured | None  # None without a marker card
    form: ranking.Form
    signs: Any  # of its being a part at all


def look_at(
    own: Any, seen: seeing.Seen, piece: seeing.Piece, measured: ranking.Measured | None = None
) -> Looked:
    """Look at a piece; `measured` where its size is known without a card."""
    if seen.scale is not None:
        pixels, elevation = seen.scale.at(*piece.middle)
        measured = ranking.Measured(piece.long / pixels, piece.short / pixels, elevation)
    ratio = piece.short / piece.long
    look = own.look(
        seeing.crop(seen.rgb, piece, own.size),
        long=measured.long if measured else None,
        aspect=ratio,
    )
    form = ranking.Form(piece.form, ratio)
    signs = presence.signs_of(
        traits=seen.found.traits(piece), look=look, forms=ranking.Forms(**own.forms), form=form,
        sizes=own.sizes, measured=measured,
    )  # fmt: skip
    return Looked(piece, look, measured, form, signs)


def look_at_main(own: Any, seen: seeing.Seen) -> Looked | None:
    """Look at the piece that is meant; None where there is none.

    If that is no part for sure, all fragments may be one: the likelier of the two is it.
    """
    looks = [
        (looked := look_at(own, seen, piece), part_share(own, [looked]))
        for piece in seen.pieces[:1]
    ]
    if not looks or looks[0][1] < own.calibration.part_from:
        whole = seeing.joined(seen)
        if whole is not None:
            looked = look_at(own, seen, whole)
            looks.append((looked, part_share(own, [looked])))
    return max(looks, key=lambda pair: pair[1])[0] if looks else None


def part_share(own: Any, looks: Sequence[Looked]) -> float:
    """Return how likely looks at one piece show a part."""
    return presence.Judge(**own.judge).part_share([one.signs for one in looks])


def mould_shares(own: Any, looks: Sequence[Looked], *, weights: Any = None, **helps: Any) -> Any:
    """Return a share for each mould, given that it is a part."""
    calibration = own.calibration
    is_sized = looks[0].measured is not None
    helps = {
        "measured": [one.measured for one in looks], "forms": [one.form for one in looks],
        "temperature": calibration.sized_temperature if is_sized else calibration.temperature,
    } | helps  # fmt: skip
    return ranking.ranked(
        [one.look.shares for one in looks], lots=own.lots, sizes=own.sizes,
        forms=ranking.Forms(**own.forms), weights=weights, helps=ranking.Helps(**helps),
    )  # fmt: skip

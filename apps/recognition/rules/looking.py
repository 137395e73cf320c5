"""One look at a piece: what the network, its size, its outline and its surroundings say.

`own` is the network with the data of its moulds (`providers/eyes.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apps.recognition.rules import presence, ranking, seeing


@dataclass(frozen=True, slots=True)
class Looked:
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
    return Looked(look, measured, form, signs)


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

"""Puts the models of a minifig's parts together, where LDraw's shortcuts have them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_PLAIN: Final = "1 0 0 0 1 0 0 0 1"
# By the title of a part's model: where it goes, one place for each piece. From 973c01 and 3815c01.
_PLACES: Final = tuple(
    (re.compile(rf"^Minifig {title}", re.IGNORECASE), places)
    for title, places in (
        (r"Torso\b", [f"0 0 0 {_PLAIN}"]),
        (r"Hips\b", [f"0 32 0 {_PLAIN}"]),
        (r"Leg (Left|Right)\b", [f"0 44 0 {_PLAIN}"]),
        (r"Arm Right\b", ["-15.552 9 0 0.985 -0.17 0 0.17 0.985 0 0 0 1"]),
        (r"Arm Left\b", ["15.552 9 0 0.985 0.17 0 -0.17 0.985 0 0 0 1"]),
        (
            r"Hand\b(?! Armour)",
            [
                "-23.6904 26.774 -9.8982 0.985 -0.1202 0.1202 0.17 0.6964 -0.6964 0 0.707 0.707",
                "23.6904 26.774 -9.8982 0.985 0.1202 -0.1202 -0.17 0.6964 -0.6964 0 0.707 0.707",
            ],
        ),
        (r"(Head|Hat|Hair|Helmet|Cap|Hood|Mask|Crown|Turban|Bandana)\b", [f"0 -24 0 {_PLAIN}"]),
        (r"(Airtanks|Cape|Beard|Armour|Life Jacket|Jet ?Pack|Backpack)\b", [f"0 0 0 {_PLAIN}"]),
    )
)
# Short of one of these it would not be taken for a figure.
_NEEDED: Final = (
    r"^Minifig Torso\b",
    r"^Minifig Hips\b",
    r"^Minifig Head\b(?!( with [\w ]*Stud)?$)",  # with a face
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Some pieces of one part of a figure: its model, and RGB of its colour."""

    model: str
    title: str
    rgb: str
    quantity: int = 1


def figure_file(pieces: Iterable[Piece]) -> str:
    """Return the figure as an LDraw file, '' where torso, legs or head have no model.

    What a figure holds in its hands is left out.
    """
    pieces = [piece for piece in pieces if re.fullmatch("[0-9A-F]{6}", piece.rgb)]
    if not all(any(re.match(need, piece.title) for piece in pieces) for need in _NEEDED):
        return ""
    lines = ["0 Minifig"]
    for piece in pieces:
        places = next((found for title, found in _PLACES if title.match(piece.title)), [])
        lines += [f"1 0x2{piece.rgb} {at} {piece.model}.dat" for at in places[: piece.quantity]]
    return "\n".join(lines)

"""Which type of item a text means: a letter of BrickLink's, or the word of a language. Pure.

The one reader of item types, for files of every kind and the marketplaces' answers. The whole word
counts, never its first letter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

#: Letter of the item type -> the name BrickStore writes into ItemTypeName today.
ITEM_TYPE_NAMES: Final[Mapping[str, str]] = {
    "P": "Part",
    "S": "Set",
    "M": "Minifigure",
    "G": "Gear",
    "B": "Book",
    "C": "Catalog",
    "I": "Instruction",
    "O": "Original Box",
    "U": "Unsorted Lot",
}
#: Letters of a text that are looked at.
_LONGEST: Final = 60
_WORDS: Final = {
    word: letter
    for letter, words in {
        "P": "part parts brick bricks piece pieces teil teile stein steine bauteil piece onderdeel onderdelen "
        "pieza piezas pezzo pezzi peca czesc del dil",
        "S": "set sets setartikel ensemble coffret juego conjunto zestaw sett",
        "M": "minifigure minifigures minifig minifigs minifigur minifiguren figur figuren figurine "
        "figurines minifigurine minifigura minifiguras figura minifiguur minifiguren minifigurka "
        "minifigurki personnage",
        "G": "gear zubehor accessoire accessoires accesorio accesorios accessorio accessori "
        "toebehoren akcesoria tillbehor tilbehor",
        "B": "book books buch bucher livre livres libro libros libri boek boeken ksiazka bok",
        "C": "catalog catalogs catalogue catalogues katalog kataloge catalogo catalogos cataloghi "
        "catalogus",
        "I": "instruction instructions anleitung anleitungen bauanleitung bauanleitungen notice notices "
        "instrucciones istruzioni bouwinstructie instrukcja",
        "O": "originalbox originalboxes box originalkarton karton boiteoriginale cajaoriginal "
        "scatolaoriginale originaldoos packaging",
        "U": "unsortedlot unsortedlots unsorted unsortiert",
    }.items()
    for word in words.split()
}
_NO_LETTERS: Final = re.compile(r"[\W_]+")
_BARE: Final = str.maketrans({"ł": "l", "ø": "o", "æ": "ae", "ı": "i"})


def letter_of(text: str) -> str:
    """Return the letter of the type that a text names, '' for none."""
    return _letter_of(text[:_LONGEST])


@lru_cache(1_000)  # asked of each lot
def _letter_of(text: str) -> str:
    letter = text.strip().upper()
    if letter in ITEM_TYPE_NAMES:
        return letter
    if "?" in text:
        return ""  # a doubt, as in a condition
    plain = unicodedata.normalize("NFKD", text).casefold().translate(_BARE)
    return _WORDS.get(_NO_LETTERS.sub("", plain), "")

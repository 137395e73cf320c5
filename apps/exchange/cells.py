"""One reader for each value of a cell, whoever wrote it: tables of lots and files of orders. Pure.

What is not understood is told by a `Finding`; no reader answers with what a value merely is by
default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from apps.exchange.bsx_lot import ITEM_TYPE_NAMES, WarningCode
from apps.exchange.bsx_values import TAGS, THOUSANDS, Finding, Reader, Reading, read_count
from apps.exchange.csv_cells import restored
from apps.exchange.table_columns import folded
from apps.exchange.table_money import SIGNS
from apps.exchange.table_signs import LONGEST_NUMBER

READERS: Final[Mapping[str, Reader]] = dict(TAGS.values())
_FORMULA_TEXT: Final = re.compile(r'="(.*)"', re.S)
_GAPS: Final = re.compile(r"[\s'’_]")
_PIECES: Final = re.compile(
    r"(?:[x×](?=[0-9]))?([+-]?[0-9]+(?:\.0+)?)(?:[x×]|pcs?\.?|pieces|stk\.?|stück|st\.?|%)?", re.I
)
_SHARE: Final = re.compile(r"0?[.,]([0-9]{1,2})")
#: What types of items are called, folded; by the word, never by its first letter.
_TYPES: Final = {
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
        "scatolaoriginale originaldoos",
        "U": "unsortedlot unsortedlots unsorted unsortiert",
    }.items()
    for word in words.split()
}


def plain_cell(cell: str) -> str:
    """Return a cell as a person sees it: no formula around it, no blanks at its ends."""
    text = restored(cell).strip().replace("\u00a0", " ")
    formula = _FORMULA_TEXT.fullmatch(text)
    return formula[1].strip() if formula else text


def amount_text(text: str, *, decimal: str) -> str:
    """Return an amount with a point and nothing else: `1.234,50 €` is 1234.50."""
    if len(text) > LONGEST_NUMBER:
        return text
    plain = _GAPS.sub("", SIGNS.sub("", text))
    point, comma = plain.rfind("."), plain.rfind(",")
    if point >= 0 and comma >= 0:
        # With both signs in a cell, the last is the decimal sign in any table.
        other = "," if point > comma else "."
        return plain.replace(other, "").replace(",", ".")
    return _ungrouped(plain, decimal).replace(",", ".")


def read_pieces(name: str, text: str, *, decimal: str) -> Reading:
    plain = _GAPS.sub("", text) if len(text) <= LONGEST_NUMBER else ""
    if name == "sale" and (share := _SHARE.fullmatch(plain)):
        # A spreadsheet keeps 10 % as 0.1.
        return READERS[name](str(int(share[1].ljust(2, "0"))))
    found = _PIECES.fullmatch(_ungrouped(plain, decimal))
    if found is None:
        return 0, Finding(WarningCode.UNREADABLE_NUMBER, "a whole number such as 12")
    whole = found[1].partition(".")[0]
    return read_count(whole) if name == "quantity" else READERS[name](whole)


def _ungrouped(plain: str, decimal: str) -> str:
    other = "." if decimal == "," else ","
    return plain.replace(other, "") if THOUSANDS[other].fullmatch(plain) else plain


def read_type(text: str) -> Reading:
    """Read a letter or the word of a language, '' for what is none of them."""
    letter = text.strip().upper()
    if letter not in ITEM_TYPE_NAMES:
        letter = _TYPES.get(folded(text), "")
    return (letter, None) if letter else ("", Finding(WarningCode.UNKNOWN_VALUE, "a type of item"))

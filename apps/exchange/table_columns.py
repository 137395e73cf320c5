"""Identify the columns of a table: by their heads, or without a head by their cells. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Final

#: The meanings of a column, in the order in which a page offers them. `keep` stays with the lot,
#: unchanged; '' is left out.
COLUMN_FIELDS: Final = (
    "item_number",
    "item_type_id",
    "item_name",
    "color",
    "color_id",
    "color_name",
    "quantity",
    "price",
    "currency",
    "condition",
    "sub_condition",
    "location_name",
    "remarks",
    "comments",
    "marketplace_lot_id",
    "cost",
    "bulk",
    "sale",
    "status",
    "stockroom",
    "retain",
    "reserved",
    "category_id",
    "category_name",
    "tq1",
    "tp1",
    "tq2",
    "tp2",
    "tq3",
    "tp3",
    "total_weight_grams",
    "marker_text",
    "marker_color",
    "date_added",
    "date_last_sold",
    "keep",
)
MONEY_FIELDS: Final = frozenset({"price", "cost", "tp1", "tp2", "tp3"})
#: Columns that identify the item of a row.
NAMING_FIELDS: Final = frozenset({"item_number", "item_name", "marketplace_lot_id"})

# Heads as people and programs write them, folded: letters and digits only, no accents.
_HEADS: Final[Mapping[str, str]] = {
    head: name
    for name, heads in {
        "item_number": "itemnumber itemno itemid itemnr item partnumber partnum partno partnr partid "
        "part parts number no num setnumber setnum setno setid set blitemno bricklinkid "
        "bricklinkitemno bricklinkpartnumber blid blpart designid design ldraw mould mold "
        "teilenummer teilenr teil artikelnummer artikelnr artikel nummer setnummer formnummer "
        "reference numero piece pieza referencia onderdeel onderdeelnummer numeropiece minifig "
        "fignum minifignumber codice pezzo",
        "item_type_id": "itemtypeid itemtype type itemtypename typ artikeltyp art",
        "item_name": "itemname name partname bezeichnung artikelname itemdescription setname nom "
        "nombre naam designation teilename titel title",
        "color": "color colour farbe couleur kleur colore",
        "color_id": "colorid colourid blcolorid blcolor bricklinkcolorid bricklinkcolor farbid "
        "farbnummer colorcode colournumber colornumber colorno colornr",
        "color_name": "colorname colourname farbname blcolorname bricklinkcolorname",
        "quantity": "quantity qty count amount pieces pcs stuck stuckzahl menge anzahl bestand "
        "quantite cantidad aantal quantita stock instock have owned qtyinstock ordqty "
        "total qtyhave lotqty",
        "price": "price unitprice priceeach preis einzelpreis stuckpreis verkaufspreis vk prix "
        "prixunitaire precio prijs prezzo myprice saleprice priceea newprice neuerpreis listprice "
        "askingprice",
        "currency": "currency currencycode basecurrency basecurrencycode wahrung devise moneda valuta",
        "condition": "condition cond zustand neworused neugebraucht etat condicion conditie newused",
        "sub_condition": "subcondition completeness subcond vollstandigkeit",
        "location_name": "locationname location bin storage drawer box lagerort lagerplatz ort fach "
        "platz kiste emplacement ubicacion locatie storagelocation binlocation shelf regal "
        "lager stelle schublade",
        "remarks": "remarks remark privateremarks personalnote bemerkung bemerkungen privatenote remarques notes "
        "note notiz notizen anmerkung anmerkungen opmerkingen",
        "comments": "comments comment kommentar kommentare publicnote commentaires extendeddescription",
        "marketplace_lot_id": "marketplacelotid lotid lotno lotnumber inventoryid bllotid "
        "bricklinklotid losnummer lot",
        "cost": "cost mycost costeach einkaufspreis ek unitcost purchaseprice kosten",
        "bulk": "bulk bulkqty",
        "sale": "sale salepercent discount rabatt salediscount",
        "status": "status",
        "stockroom": "stockroom stockroomid",
        "retain": "retain",
        "reserved": "reserved reservedfor",
        "category_id": "categoryid catid",
        "category_name": "categoryname category kategorie categorie",
        "tq1": "tq1 tierq1 tierqty1 tierquantity1 tier1qty",
        "tp1": "tp1 tierp1 tierprice1 tier1price",
        "tq2": "tq2 tierq2 tierqty2 tierquantity2 tier2qty",
        "tp2": "tp2 tierp2 tierprice2 tier2price",
        "tq3": "tq3 tierq3 tierqty3 tierquantity3 tier3qty",
        "tp3": "tp3 tierp3 tierprice3 tier3price",
        "total_weight_grams": "totalweightgrams totalweight gesamtgewicht",
        "marker_text": "markertext marker",
        "marker_color": "markercolor",
        "date_added": "dateadded added hinzugefugt created datecreated",
        "date_last_sold": "datelastsold lastsold zuletztverkauft",
    }.items()
    for head in heads.split()
}
#: A description is a name in BrickStore and what buyers read at BrickLink.
_DESCRIPTIONS: Final = frozenset({"description", "beschreibung", "descripcion", "omschrijving"})
_UNIT: Final = re.compile(r"[\[(][^\])]*[\])]|[€$£¥]|\b(eur|usd|gbp|chf|pln|cad|aud)\b", re.I)

_NUMBER: Final = re.compile(r"[0-9][0-9a-z.]*(?:-[0-9]{1,3})?|[a-z]{2,4}[0-9]{3,4}[a-z]?", re.I)
_COUNT: Final = re.compile(r"[0-9]{1,6}(?:\.0+)?")
_AMOUNT: Final = re.compile(r"[€$£]?\s?[0-9]{1,6}[.,][0-9]{1,4}\s?(?:[€$£]|[A-Z]{3})?")
_CONDITIONS: Final = frozenset(["n", "u", "new", "used", "neu", "gebraucht", "x", "a"])


def folded(head: str) -> str:
    """Return a head as it is looked up: `Item No.` and `ITEM_NO` are itemno."""
    text = unicodedata.normalize("NFKD", _UNIT.sub(" ", head).casefold().replace("ß", "ss"))
    return "".join(char for char in text if char.isalnum())


def field_of(head: str) -> str:
    """Return the meaning of a column with this head, '' if the head is unknown."""
    key = folded(head)
    return "description" if key in _DESCRIPTIONS else _HEADS.get(key, "")


def _field_beside(head: str, others: set[str]) -> str:
    """Return the meaning of a column beside the others, which change that of some heads."""
    key, name = folded(head), field_of(head)
    # Rebrickable has the parts of a set under this head; BrickLink the number of a lot.
    if key == "inventoryid" and others & {"isspare", "setnum", "fignum"}:
        return ""
    # Two prices for two conditions are no price of a lot.
    if key in ("newprice", "neuerpreis") and others & {"usedprice", "gebrauchtpreis"}:
        return ""
    # A second price column is mostly the price of all pieces.
    if key == "total" and any(field_of(other) in MONEY_FIELDS for other in others):
        return ""
    return name


def fields_of(heads: Sequence[str]) -> list[str]:
    """Return the meaning of each column; unknown ones are kept with the lot. Each field once."""
    found = [_field_beside(head, {folded(other) for other in heads}) for head in heads]
    if "description" in found:
        has_name = "item_name" in found
        is_named = has_name or "comments" not in found
        other = "comments" if is_named and (has_name or "remarks" in found) else "item_name"
        found = [other if name == "description" else name for name in found]
    seen: set[str] = set()
    columns = []
    for head, name in zip(heads, found, strict=True):
        known = name if name and name not in seen else ""
        columns.append(known or ("keep" if head.strip() else ""))
        seen.add(known)
    if "item_number" not in seen:
        # A lone `Set` or `ID` column is the item.
        for place, head in enumerate(heads):
            if columns[place] == "keep" and folded(head) in {"id", "code", "sku", "key"}:
                columns[place] = "item_number"
                break
    return columns


def head_score(cells: Sequence[str]) -> int:
    """Return how many cells are known heads; 0 without an item and a quantity or a price."""
    known = {field_of(cell) for cell in cells if cell.strip()} - {""}
    return len(known) if len(known) >= 2 or known & {"item_number"} else 0


def fields_by_content(
    rows: Sequence[Sequence[str]], *, is_color: Callable[[str], bool], heads: Sequence[str] = ()
) -> list[str]:
    """Return the meaning of each column by its cells, such as a list of part, colour and quantity.

    A known head is used as well.
    """
    width = max((len(row) for row in rows), default=0)
    columns = (fields_of(heads) + ["keep"] * width)[:width]
    cells = [
        [row[at].strip() for row in rows if at < len(row) and row[at].strip()]
        for at in range(width)
    ]

    def share(at: int, is_one: Callable[[str], object]) -> float:
        return sum(1 for cell in cells[at] if is_one(cell)) / len(cells[at]) if cells[at] else 0.0

    def take(name: str, is_one: Callable[[str], object], *, least: float = 0.8) -> None:
        if name in columns:
            return
        free = [at for at in range(width) if columns[at] == "keep"]
        best = max(free, key=lambda at: (share(at, is_one), -at), default=-1)
        if best >= 0 and share(best, is_one) >= least:
            columns[best] = name

    take("color", is_color, least=0.6)
    take("condition", lambda cell: cell.casefold() in _CONDITIONS)
    # The number of an item is the first column that can be one: quantities follow it.
    for at in range(width):
        if "item_number" in columns:
            break
        if columns[at] == "keep" and share(at, _NUMBER.fullmatch) >= 0.8:
            columns[at] = "item_number"
            break
    take("price", _AMOUNT.fullmatch)
    counts = [
        at for at in range(width) if columns[at] == "keep" and share(at, _COUNT.fullmatch) > 0.8
    ]
    if counts and "quantity" not in columns:
        columns[counts[-1]] = "quantity"
        if "color" not in columns and len(counts) > 1:
            columns[counts[0]] = "color"
    take("item_name", lambda cell: " " in cell and len(cell) > 8)
    return columns

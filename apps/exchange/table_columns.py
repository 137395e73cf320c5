"""Identify the columns of a table: by their heads, or without a head by their cells. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from apps.exchange.bsx_lot import AMOUNT_FIELDS, TIER_FIELDS
from apps.exchange.colors import LEGO, REBRICKABLE
from apps.exchange.conditions import CONDITIONS

#: The meanings of a column, in the order in which a page offers them. `keep` stays with the lot,
#: unchanged; '' is left out.
COLUMN_FIELDS: Final = (
    "item_number",
    "item_type_id",
    "item_type_name",
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
    *TIER_FIELDS,
    "total_weight_grams",
    "marker_text",
    "marker_color",
    "date_added",
    "date_last_sold",
    "keep",
)
MONEY_FIELDS: Final = frozenset(AMOUNT_FIELDS)
COLOR_FIELDS: Final = frozenset({"color", "color_id", "color_name"})
MOST_COLUMNS: Final = 200
#: Of a head that is longer, the beginning counts.
LONGEST_HEAD: Final = 100
#: Rows among which the heads are looked for.
MOST_BEFORE_HEAD: Final = 20
DATE_FIELDS: Final = frozenset({"date_added", "date_last_sold"})
#: Columns that identify the item of a row.
NAMING_FIELDS: Final = frozenset({"item_number", "item_name", "marketplace_lot_id"})

# Heads as people and programs write them, folded: see `folded`.
_HEADS: Final[Mapping[str, str]] = {
    head: name
    for name, heads in {
        "item_number": "itemnumber itemno itemid itemnr itemnum item partnumber partnum partno "
        "partnr partid part parts number no nr num setnumber setnum setno setnr set blitemno pieceid "
        "blno blnumber blnr bricklinkno bricklinknumber bricklinknr blitemid bricklinkid bricklinkitemno bricklinkitemid bricklinkpartnumber bricklinkpart "
        "blid blpart blpartno designid designno designnumber design ldraw mould mold moldnumber "
        "legoid legono legonumber legonr legoteilenummer partdesignnumber "
        "teilenummer teilenr teilnr teilnummer teil artikelnummer artikelnr artnr artikel nummer "
        "bestellnr bestellnummer bausteinnummer steinnummer steinnr formnummer designnummer "
        "reference ref numero npiece nopiece piece numeropiece refpiece referencepiece codepiece "
        "pieza npieza nopieza numeropieza codigo referencia refpieza codigopieza "
        "onderdeel onderdeelnummer onderdeelnr artikelcode stuknummer "
        "minifig minifigs minifignumber minifigno fignum fignumber "
        "codice pezzo numeropezzo codicepezzo codicearticolo articolo "
        "numerczesci numerklocka numer czesc peca numeropeca codigopeca "
        "delnummer delnr del artikelnummerlego cislodilu dil",
        "item_type_id": "itemtypeid itemtype type itemtypename typ artikeltyp art tipo soort rodzaj",
        "item_name": "itemname name partname bezeichnung artikelname artikelbezeichnung "
        "itemdescription setname nom nombre naam designation teilename teilebezeichnung titel title "
        "titre libelle denominacion denominazione nome nazwa benamning navn namn nazev",
        "color": "color colour farbe couleur kleur colore coloris kolor farg farve farge cor barva vari",
        "color_id": "colorid colourid blcolorid blcolor bricklinkcolorid bricklinkcolor blcolour "
        "blcolourid bricklinkcolour bricklinkcolourid farbid farbnummer farbnr farbcode colorcode "
        "colourcode colournumber colornumber colorno colornr colourno idcouleur couleurid "
        "codecouleur idcolor kleurid kleurnummer kleurnr idcolore",
        "color_name": "colorname colourname farbname farbbezeichnung blcolorname bricklinkcolorname "
        "nomcouleur nombrecolor kleurnaam nomecolore",
        "quantity": "quantity qty count amount pieces pcs stuck stuckzahl menge anzahl bestand stk "
        "quantite qte nombrepieces cantidad cant aantal quantita qta quantidade qtd stock instock "
        "have owned qtyinstock ordqty total qtyhave lotqty qtyowned quantityowned ownedqty "
        "instockqty stockqty onhand qtyonhand ilosc sztuk szt antal antall pocet ks maara",
        "price": "price unitprice priceeach preis einzelpreis stuckpreis preisprostuck verkaufspreis "
        "vk vkpreis prix prixunitaire prixunite pu precio preciounitario prijs stuksprijs prezzo "
        "prezzounitario preco precounitario myprice saleprice priceea newprice neuerpreis listprice "
        "askingprice priceperunit priceperpiece itemprice sellprice sellingprice cena pris hinta",
        "currency": "currency currencycode basecurrency basecurrencycode wahrung devise moneda "
        "valuta moeda waluta mena",
        "condition": "condition cond con zustand neworused neugebraucht etat condicion conditie newused "
        "neufoccasion estado staat condizione stato condicao stan skick tilstand stav kunto",
        "sub_condition": "subcondition completeness subcond vollstandigkeit",
        "location_name": "locationname location bin storage drawer box lagerort lagerplatz ort fach "
        "platz kiste emplacement ubicacion locatie storagelocation binlocation shelf regal "
        "lager stelle schublade behalter kasten casier tiroir boite caja cajon vak lade bak "
        "cassetto scatola posizione ubicazione caixa gaveta localizacao lokalizacja pudelko "
        "szuflada plats lada hylla kasse skuffe skuff hylde reol laatikko hylly lokero",
        "remarks": "remarks remark privateremarks personalnote bemerkung bemerkungen privatenote "
        "remarques remarque notes note notiz notizen anmerkung anmerkungen opmerkingen opmerking "
        "observaciones notas nota uwagi anteckning",
        "comments": "comments comment kommentar kommentare publicnote commentaires commentaire "
        "comentarios comentario commenti commento extendeddescription",
        "marketplace_lot_id": "marketplacelotid lotid lotno lotnumber inventoryid bllotid "
        "bricklinklotid losnummer losnr lot invid",
        "cost": "cost mycost costeach einkaufspreis ekpreis ek unitcost purchaseprice kosten coste "
        "cout prixachat costo preciocompra inkoopprijs",
        "bulk": "bulk bulkqty",
        "sale": "sale salepercent discount rabatt salediscount remise korting descuento sconto",
        "status": "status",
        "stockroom": "stockroom stockroomid",
        "retain": "retain",
        "reserved": "reserved reservedfor",
        "category_id": "categoryid catid",
        "category_name": "categoryname category kategorie categorie categoria kategoria",
        "tq1": "tq1 tierq1 tierqty1 tierquantity1 tier1qty",
        "tp1": "tp1 tierp1 tierprice1 tier1price",
        "tq2": "tq2 tierq2 tierqty2 tierquantity2 tier2qty",
        "tp2": "tp2 tierp2 tierprice2 tier2price",
        "tq3": "tq3 tierq3 tierqty3 tierquantity3 tier3qty",
        "tp3": "tp3 tierp3 tierprice3 tier3price",
        "total_weight_grams": "totalweightgrams totalweight gesamtgewicht",
        "marker_text": "markertext marker",
        "marker_color": "markercolor",
        "date_added": "dateadded added hinzugefugt created datecreated hinzugefugtam erfasst "
        "erfasstam datumerfasst dateajout ajoute ajoutele fechaalta datumtoegevoegd",
        "date_last_sold": "datelastsold lastsold zuletztverkauft dernierevente",
    }.items()
    for head in heads.split()
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Words that stand between the others.
_BETWEEN: Final = _words("de d du des di la le l of the")
#: Heads that are a field's only where no plainer head is.
_WEAK: Final = _words(
    "minifigs set nr no num number numero nummer numer item part parts teil artikel piece pieza pezzo "
    "onderdeel articolo del czesc peca dil ldraw design mould mold reference referencia ref codigo "
    "pieces pcs total stock have amount count"
)
#: Of these, the heads that name the item where another column has its number.
_NAMES: Final = _words("item part teil artikel pieza pezzo onderdeel articolo del")
#: The colour numbers of Rebrickable, which are LDraw's.
_REBRICKABLE_COLORS: Final = _words(
    "ldrawcolor ldrawcolour ldrawcolorid ldrawcolourid ldrawcolorcode ldrawcolourcode ldrawfarbe "
    "ldrawfarbnummer rebrickablecolor rebrickablecolour rebrickablecolorid rebrickablecolourid "
    "rbcolor rbcolour rbcolorid rbcolourid"
)
#: LEGO's own numbers of colours.
_LEGO_COLORS: Final = _words(
    "legocolor legocolour legocolorid legocolourid legocolorcode legocolourcode legocolornumber "
    "legocolournumber legofarbe legofarbnummer tlgcolor tlgcolour tlgcolorid tlgcolourid"
)
#: Brick Owl's number of an item, mostly in a colour.
BOID: Final = "boid"
#: LEGO's number of an item in a colour.
_ELEMENTS: Final = _words(
    "elementid element elementno elementnumber elementnr legoelement legoelementid elementnummer "
    "idelement codename pcc partcolorcode"
)
_LONE_IDS: Final = (
    frozenset({"id", "code", "kod", "sku", "key", "setid", "bauteil", BOID}) | _ELEMENTS
)
#: In a table with one of these columns, `Pieces` tells how many parts a set has.
_OF_SETS: Final = _words("setnumber setnum setno setnr setid set setname theme subtheme minifigs")
_OF_SETS_ALONE: Final = _words("setnumber setnum setno setnr set")
_OF_FIGURES: Final = frozenset({"minifig", "minifignumber", "minifigno", "fignum", "fignumber"})
#: Brickset has the number of a set in two columns: 75192 and 1.
_VARIANTS: Final = frozenset({"variant", "numbervariant", "setvariant"})
#: A description is a name in BrickStore and what buyers read at BrickLink.
_DESCRIPTIONS: Final = frozenset({"description", "beschreibung", "descripcion", "omschrijving"})
_WORDS: Final = re.compile(r"[^\W_]+")
_ACCENTS: Final = re.compile(r"[\u0300-\u036f]")
_LETTERS: Final = str.maketrans({"ł": "l", "ø": "o", "æ": "ae", "ı": "i"})
_UNIT: Final = re.compile(
    r"[\[(][^\[\]()]{0,99}[\])]|[€$£¥]|\b(?:eur|usd|gbp|chf|pln|cad|aud)\b", re.I
)
#: `Price (cents)` is no price, `Qty (dozen)` no number of pieces.
_OTHER_UNIT: Final = re.compile(
    r"[\[(]\s?(?:in\s)?(?:cents?|ct|pence|centimes|dozens?|dutzend|(?:per|pro|je|x|/)?\s?1[0-9]{1,5})\s?[\])]",
    re.I,
)
#: Fields of which two columns may hold two values that are both meant.
_ONCE: Final = frozenset({"quantity", "price", "cost", "condition"})
_EACH: Final = re.compile(
    r"(?:/|\b(?:per|pro|je|par|por|al|za)\b)\s?(?:stk|stck|stück|st|stuk|pi[eè]ce|pce|pcs?|"
    r"pieza|pza|pezzo|pz|peça|units?|unité|each|ea|szt)\b\.?",
    re.I,
)
_NUMBER: Final = re.compile(r"[0-9][0-9a-z.]*(?:-[0-9]{1,3})?|[a-z]{2,4}[0-9]{3,4}[a-z]?", re.I)
_COUNT: Final = re.compile(r"[x×]?[0-9]{1,6}(?:\.0+)?\s?(?:[x×]|pcs|stk\.?)?", re.I)
_SHORT: Final = re.compile(r"[x×]?[0-9]{1,3}[x×]?", re.I)
_AMOUNT: Final = re.compile(
    r"(?:[A-Z]{2,3}\s?)?[€$£]?\s?[0-9]{1,6}[.,][0-9]{1,4}\s?(?:[€$£]|[A-Z]{3})?"
)
#: `A-01`, `R1-F03`, `Box 7`.
_BIN: Final = re.compile(r"[a-z]{1,8}[ -]?[0-9]{1,4}(?:[ .-][a-z]{0,2}[0-9]{1,4}){0,3}", re.I)
#: By its cells a column is one of conditions where they hold these.
_CONDITION_CELLS: Final = frozenset({*CONDITIONS, "x"}) - {"g", "o"}


def folded(head: str) -> str:
    """Return a head as it is looked up, without the words between: `Item No.` is itemno."""
    head = " ".join(head[:LONGEST_HEAD].split())
    text = _ACCENTS.sub("", unicodedata.normalize("NFKD", _UNIT.sub(" ", head))).casefold()
    words = _WORDS.findall(text.translate(_LETTERS))
    return "".join([word for word in words if word not in _BETWEEN] or words)


def field_of(head: str) -> str:
    """Return the meaning of a column with this head, '' if the head is unknown."""
    key = folded(head)
    if key in _DESCRIPTIONS:
        return "description"
    if _OTHER_UNIT.search(head[:LONGEST_HEAD]):
        return ""
    # `Preis/Stk` is the Preis.
    price = _HEADS.get(folded(_EACH.sub("", " ".join(head[:LONGEST_HEAD].split()))), "")
    return _HEADS.get(key) or (price if price in MONEY_FIELDS else "")


def is_number(cell: str) -> bool:
    """Whether a cell may be the number of an item."""
    return _NUMBER.fullmatch(cell) is not None and any(char.isdigit() for char in cell)


def color_site(head: str) -> str:
    """Return whose colour numbers a head says that its column holds, '' if it does not."""
    key = folded(head)
    return REBRICKABLE if key in _REBRICKABLE_COLORS else LEGO if key in _LEGO_COLORS else ""


def lists_elements(heads: Sequence[str], columns: Sequence[str]) -> bool:
    """Whether the head above the numbers of items says that they are LEGO's element ids."""
    told = zip(heads, columns, strict=False)
    return any(name == "item_number" and folded(head) in _ELEMENTS for head, name in told)


@lru_cache(maxsize=64)
def type_of_head(heads: tuple[str, ...], columns: tuple[str, ...]) -> str:
    """Return M or S where the head above the numbers of items says that all are such, else ''."""
    if "item_number" not in columns or "item_type_id" in columns:
        return ""
    at = columns.index("item_number")
    key = folded(heads[at]) if at < len(heads) else ""
    return "M" if key in _OF_FIGURES else "S" if key in _OF_SETS_ALONE else ""


def variant_column(heads: Sequence[str]) -> int | None:
    """Return the column whose cells end the numbers of sets: 1 of 75192-1. None without one."""
    keys = [folded(head) for head in heads]
    if not _OF_SETS & set(keys):
        return None
    return next((at for at, key in enumerate(keys) if key in _VARIANTS), None)


def _field_beside(head: str, others: set[str]) -> str:
    """Return the meaning of a column beside the others, which change that of some heads."""
    key, name = folded(head), field_of(head)
    # Rebrickable has the parts of a set under this head; BrickLink the number of a lot.
    if key == "inventoryid" and others & {"isspare", "setnum", "fignum"}:
        return ""
    # A lot of BrickOwl's is no lot of BrickLink's.
    if name == "marketplace_lot_id" and "boid" in others:
        return ""
    # Two prices for two conditions are no price of a lot.
    if key in ("newprice", "neuerpreis") and others & {"usedprice", "gebrauchtpreis"}:
        return ""
    # A second price column is mostly the price of all pieces.
    if key == "total" and any(_HEADS.get(other) in MONEY_FIELDS for other in others):
        return ""
    if key == "itemtypename" and others & {"itemtypeid", "itemtype", "type"}:
        return "item_type_name"
    if key in ("pieces", "pcs") and others & _OF_SETS:
        return ""
    if key in _WEAK and any(_HEADS.get(other) == name for other in others - _WEAK):
        is_name = key in _NAMES and not any(_HEADS.get(other) == "item_name" for other in others)
        return "item_name" if is_name else ""
    if color_site(head) and not any(_HEADS.get(other) in ("color", "color_id") for other in others):
        return "color_id"
    return name


def fields_of(heads: Sequence[str]) -> list[str]:
    """Return the meaning of each column; unknown ones are kept with the lot. Each field once."""
    keys = {folded(head) for head in heads}
    found = [_field_beside(head, keys) for head in heads]
    if "description" in found:
        has_name = "item_name" in found
        is_named = has_name or "comments" not in found
        other = "comments" if is_named and (has_name or "remarks" in found) else "item_name"
        found = [other if name == "description" else name for name in found]
    found = _with_bricklinks_number(heads, found)
    seen: set[str] = set()
    columns = []
    for head, name in zip(heads, found, strict=True):
        known = name if name and name not in seen else ""
        columns.append(known or ("keep" if head.strip() else ""))
        seen.add(known)
    if "item_number" not in seen:
        # A lone `ID` or `Element ID` column is the item.
        for place, head in enumerate(heads):
            if columns[place] == "keep" and folded(head) in _LONE_IDS:
                columns[place] = "item_number"
                break
    return columns


def _with_bricklinks_number(heads: Sequence[str], found: Sequence[str]) -> list[str]:
    """Return the meanings with no other number of the item beside BrickLink's own."""
    numbers = [at for at, name in enumerate(found) if name == "item_number"]
    ours = next((at for at in numbers if folded(heads[at]).startswith(("bl", "bricklink"))), None)
    others = set(numbers) - {ours} if ours is not None else set()
    return ["" if at in others else name for at, name in enumerate(found)]


def columns_twice(heads: Sequence[str], columns: Sequence[str]) -> list[tuple[str, str]]:
    """Return heads of columns that are kept, each with that of the column which counts instead."""
    of = {name: head for head, name in zip(heads, columns, strict=False) if name in _ONCE}
    kept = (head for head, name in zip(heads, columns, strict=False) if name == "keep")
    found = ((head, of.get(field_of(head), "")) for head in kept if folded(head) not in _WEAK)
    return [(head, counted) for head, counted in found if counted]


def head_score(cells: Sequence[str]) -> int:
    """Return how many cells are known heads; 0 without an item and a quantity or a price."""
    known = {field_of(cell) for cell in cells if cell.strip()} - {""}
    if len(known) >= 2:
        return len(known)
    # In a row without heads, `Part` beside a number is a type of item.
    is_head = known == {"item_number"} and not any(cell.strip().isdigit() for cell in cells)
    return 1 if is_head else 0


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
    take("condition", lambda cell: cell.casefold().rstrip(".") in _CONDITION_CELLS)
    # The number of an item is the first column that can be one, unless it is as short as
    # quantities are and another is not.
    numbers = [
        at for at in range(width) if columns[at] == "keep" and share(at, _NUMBER.fullmatch) >= 0.8
    ]
    if numbers and "item_number" not in columns:
        longer = (at for at in numbers if share(at, lambda cell: len(cell) > 3) >= 0.8)
        is_short = share(numbers[0], _SHORT.fullmatch) >= 0.8
        columns[next(longer, numbers[0]) if is_short else numbers[0]] = "item_number"
    take("price", _AMOUNT.fullmatch)
    counts = [
        at for at in range(width) if columns[at] == "keep" and share(at, _COUNT.fullmatch) > 0.8
    ]
    if counts and "quantity" not in columns:
        columns[counts[-1]] = "quantity"
        if "color" not in columns and len(counts) > 1:
            columns[counts[0]] = "color"
    take("item_name", lambda cell: " " in cell and len(cell) > 8)
    if not heads:
        take("location_name", _BIN.fullmatch)
    return columns

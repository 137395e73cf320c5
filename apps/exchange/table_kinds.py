"""Tables that sites and programs download: named for what they are. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from apps.exchange.refusals import FileRefused, RefusalCode
from apps.exchange.table_columns import NAMING_FIELDS, field_of, folded

_ORDER_HEADS = frozenset({"orderid", "orderno", "ordernumber", "bestellnummer"})
_BUYERS = frozenset({"buyer", "buyername", "buyerusername"})
_SELLERS = frozenset({"seller", "sellername", "sellerusername", "storename"})


def refuse_orders_alone(heads: Sequence[str]) -> None:
    """Refuse a list of orders that names none of their items. Raises FileRefused."""
    found = {folded(head) for head in heads}
    fields = {field_of(head) for head in heads} - {"marketplace_lot_id"}
    if found & _ORDER_HEADS and found & (_BUYERS | _SELLERS) and not fields & NAMING_FIELDS:
        raise FileRefused(
            RefusalCode.ORDERS,
            "This is a list of orders without their items. Download the orders with their items; "
            "what you sold comes in on the Orders page.",
        )


def name_of(heads: Sequence[str]) -> str:
    """Return what a table is and what becomes of it, in a sentence; '' where its heads are anybody's."""
    found = {folded(head) for head in heads}
    if found == {"elementid", "quantity"}:
        return "This is a Pick a Brick list: its pieces are taken as pieces that you have."
    if found >= {"lotid", "datelastsold", "dateadded"}:
        return "This is BrickLink's download of a store's inventory: its lots are taken as they are there."
    if not found & _ORDER_HEADS:
        return ""
    if found & _SELLERS and not found & _BUYERS:
        return (
            "This lists orders that you placed: what was bought is taken as pieces that you have."
        )
    return (
        "This lists orders: what was ordered is taken as pieces that you have. Cancel the "
        "import if you sold them; the Orders page reads files of orders."
    )

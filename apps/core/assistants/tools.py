"""The tools. Those that read or plan change nothing; each that acts can be undone.

Buyers' names and addresses are in no answer: an assistant sends what it reads to its maker.
"""

from typing import Annotated, Final, Literal

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations
from pydantic import Field

from apps.core.assistants.providers import Calls, Row
from bricks import __version__

HOW: Final = """\
Brickstow keeps the stock of a person who sells LEGO-type parts. Lists come in pages: ask for the \
next one while `page` is below `total_pages`. Ids are numbers that other tools answered with. Money \
is a text with four places, in the store's currency. Before you act, call the tool that plans the \
same and show the person what would change. What you did can be undone by `undo`, with the `act_id` \
of its answer.\
"""
SHOWN_AT_ONCE: Final = 50
MOST_ROWS: Final = 500

Page = Annotated[int, Field(ge=1, description="which page of the list, from 1")]
RowId = Annotated[int, Field(ge=1)]
StockIds = Annotated[
    list[RowId], Field(min_length=1, max_length=MOST_ROWS, description="rows of `list_stock`")
]
Search = Annotated[str, Field(max_length=200, description="words or a number; empty: all")]
PriceBy = Annotated[
    Literal["fixed", "percent", "rule"],
    Field(
        description="fixed: `price` for each; percent: change by `percent`; rule: the price rule"
    ),
]
Price = Annotated[str | None, Field(description="for fixed: such as 0.1500")]
Percent = Annotated[str | None, Field(description="for percent: such as 5, or -10")]

_ITEM: Final = [
    "item_id",
    "item_number",
    "item_name",
    "item_type",
    "category",
    "color_id",
    "is_retired",
]
_LOT: Final = [
    "id",
    "item_number",
    "item_name",
    "color_id",
    "color_name",
    "reference_price",
    "suggested_price",
]
_STOCK: Final = [
    "id",
    "item_number",
    "part_name",
    "color_name",
    "condition",
    "quantity",
    "promised",
    "available",
    "price",
    "reference_price",
    "location_id",
    "location_name",
    "remarks",
    "status",
    "batch_id",
    "batch_name",
]
_BIN: Final = ["id", "name", "description", "item_count", "lot_count", "max_item_count", "is_full"]
_BATCH: Final = [
    "id",
    "name",
    "source_name",
    "status_name",
    "createdAt",
    "is_archived",
    "batch_item_lot_count",
    "batch_item_item_count",
    "total_value",
]
_BATCH_LOT: Final = [
    "id",
    "item_number",
    "item_name",
    "color_name",
    "condition",
    "qty",
    "price",
    "reference_price",
    "state",
    "user_inventory_item_location_name",
    "failure",
]
_ORDER: Final = [
    "id",
    "number",
    "channel",
    "state",
    "orderedAt",
    "country",
    "currency",
    "total",
    "lots",
    "pieces",
    "to_pick",
    "lacking",
    "shippedAt",
]
_LINE: Final = [
    "id",
    "item_number",
    "item_name",
    "color_name",
    "condition",
    "quantity",
    "price",
    "picked",
    "short",
    "to_pick",
    "places",
]
_ACT: Final = [
    "id",
    "kind",
    "note",
    "row_count",
    "item_count",
    "by_name",
    "program",
    "createdAt",
    "undoneAt",
]


class Tools:
    """What an assistant may do; the docstrings are what it is told."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def _list(self, path: str, shown: list[str], page: int, **query: str | int | None) -> Row:
        return self._calls.page(path, shown, {**query, "page": page, "page_size": SHOWN_AT_ONCE})

    def find_item(self, search: Search, page: Page = 1) -> Row:
        """Find items of the catalogue (parts, minifigures, sets) by number, name or words."""
        return self._list("catalogItems", _ITEM, page, search=search)

    def list_lots(self, item_id: RowId, page: Page = 1) -> Row:
        """List an item of the catalogue in each of its colours: a lot has an id and prices."""
        return self._list("catalogLots", _LOT, page, item_id=item_id)

    def lot_prices(self, lot_id: RowId) -> Row:
        """Show what a lot (item and colour) sold for and is offered at, used and new."""
        row = self._calls.one(f"catalogLots/{lot_id}/prices")
        return {name: row.get(name) for name in ("lot_id", "currency", "figures")}

    def price_rule(self) -> Row:
        """Show the seller's rule by which prices are worked out."""
        return self._calls.one("priceRule")

    def list_stock(
        self,
        search: Search = "",
        location_id: RowId | None = None,
        batch_id: RowId | None = None,
        page: Page = 1,
    ) -> Row:
        """List the rows of the stock: item, colour, pieces, price and bin of each."""
        return self._list(
            "inventoryItems", _STOCK, page, search=search, location=location_id, batch=batch_id
        )

    def list_bins(self, search: Search = "", page: Page = 1) -> Row:
        """List the bins (locations) and how full they are."""
        return self._list("inventoryLocations", _BIN, page, search=search)

    def list_batches(self, search: Search = "", page: Page = 1) -> Row:
        """List the batches: what was bought and is being sorted, the newest first."""
        return self._list("batches", _BATCH, page, search=search)

    def list_batch_lots(self, batch_id: RowId, search: Search = "", page: Page = 1) -> Row:
        """List the lots of one batch; `state` says whether each is stowed and listed."""
        return self._list("batchItems", _BATCH_LOT, page, batch_id=batch_id, search=search)

    def list_orders(
        self,
        state: Literal[
            "", "new", "paid", "picked", "packed", "shipped", "done", "cancelled", "problem"
        ] = "",
        search: Search = "",
        page: Page = 1,
    ) -> Row:
        """List orders, the newest first, without names and addresses of buyers."""
        return self._list("orders", _ORDER, page, state=state, search=search)

    def order_lines(self, order_id: RowId) -> Row:
        """List what an order is of, what is still to pick, and the bins that hold it."""
        return self._calls.page(f"orders/{order_id}/lines", _LINE, {})

    def list_acts(self, batch_id: RowId | None = None, page: Page = 1) -> Row:
        """List what was done to many rows at once, and whether it is undone, the newest first.

        Without a batch: acts on the stock.
        """
        path = f"batches/{batch_id}/acts" if batch_id else "inventoryActs"
        return self._list(path, _ACT, page)

    def plan_prices(
        self, ids: StockIds, by: PriceBy, price: Price = None, percent: Percent = None
    ) -> Row:
        """Show what `change_prices` would make of rows of the stock. Changes nothing."""
        return self._reprice(ids, by, price, percent, dry_run=True)

    def plan_merge(self, ids: StockIds) -> Row:
        """Show which rows `merge_rows` would make one of. Changes nothing."""
        row = self._calls.act("inventoryItems/consolidate", {"ids": ids, "dry_run": True})
        return {name: row.get(name) for name in ("group_count", "row_count", "mark")}

    def plan_bins(self, batch_id: RowId) -> Row:
        """Show which bin is recommended for each new lot of a batch. Changes nothing."""
        return self._recommend(batch_id, dry_run=True)

    def change_prices(
        self, ids: StockIds, by: PriceBy, price: Price = None, percent: Percent = None
    ) -> Row:
        """Change the prices of rows of the stock: to one price, by percent, or by the rule."""
        return self._reprice(ids, by, price, percent, dry_run=False)

    def move_rows(self, ids: StockIds, location_id: RowId) -> Row:
        """Carry rows of the stock to one bin; those that do not fit are named in `refused`."""
        body: Row = {"ids": ids, "to": location_id}
        return self._calls.act("inventoryItems/move", body)

    def merge_rows(self, ids: StockIds) -> Row:
        """Make one row of those that agree in item, colour and condition."""
        row = self._calls.act("inventoryItems/consolidate", {"ids": ids})
        return {name: row.get(name) for name in ("act_id", "group_count", "row_count", "refused")}

    def set_bins(self, batch_id: RowId) -> Row:
        """Plan the recommended bin for each new lot of a batch, as `plan_bins` shows it."""
        return self._recommend(batch_id, dry_run=False)

    def undo(self, act_id: RowId, batch_id: RowId | None = None) -> Row:
        """Take an act back, by its `act_id`; for an act on a batch, name the batch too.

        It is refused where a row was changed since.
        """
        if batch_id:
            return self._calls.act(f"batches/{batch_id}/undo", {"act_id": act_id})
        return self._calls.act(f"inventoryActs/{act_id}/undo", {})

    def _reprice(
        self, ids: list[int], by: str, price: str | None, percent: str | None, *, dry_run: bool
    ) -> Row:
        asked = {"price": price, "percent": percent}
        body: Row = {"ids": ids, "by": by, "dry_run": dry_run}
        row = self._calls.act(
            "inventoryItems/reprice", body | {name: val for name, val in asked.items() if val}
        )
        rows = row.pop("rows", None)
        shown = rows[:SHOWN_AT_ONCE] if isinstance(rows, list) else []
        return {**row, "largest": None, "rows": shown}

    def _recommend(self, batch_id: int, *, dry_run: bool) -> Row:
        row = self._calls.act(
            f"batches/{batch_id}/recommendLocations", {"items": "all", "dry_run": dry_run}
        )
        rows = row.get("rows")
        shown = rows[:SHOWN_AT_ONCE] if isinstance(rows, list) else []
        kept = ("act_id", "note", "item_count", "warnings", "failed_count")
        return {**{name: row.get(name) for name in kept}, "rows": shown}


READS: Final = [
    "find_item",
    "list_lots",
    "lot_prices",
    "price_rule",
    "list_stock",
    "list_bins",
    "list_batches",
    "list_batch_lots",
    "list_orders",
    "order_lines",
    "list_acts",
    "plan_prices",
    "plan_merge",
    "plan_bins",
]
ACTS: Final = ["change_prices", "move_rows", "merge_rows", "set_bins", "undo"]


def server_of(calls: Calls) -> MCPServer:
    """Return the server with all tools, not yet running."""
    server = MCPServer("brickstow", title="Brickstow", version=__version__, instructions=HOW)
    tools = Tools(calls)
    for name in (*READS, *ACTS):
        hints = ToolAnnotations(
            read_only_hint=name in READS, destructive_hint=False, open_world_hint=False
        )
        server.tool(annotations=hints, structured_output=False)(getattr(tools, name))
    return server

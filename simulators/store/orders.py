"""Orders: buyers take pieces of a store's own lots, and its seller updates the orders."""

import datetime as dt
import os
import random
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from simulators.store.stock import GONE, Journal, Lot, Stock
from simulators.store.wire import Refusal

Order = dict[str, Any]
FIRST_ORDER = 30_000_001
#: The states that a seller can set; the marketplace sets the others.
SETTABLE = ("PENDING", "UPDATED", "PROCESSING", "READY", "PAID", "PACKED", "SHIPPED", "RECEIVED")
ENDINGS = ("COMPLETED", "CANCELLED", "PURGED")
TROUBLE = ("OCR", "NPB", "NPX", "NRS", "NSS")
STATES = (*SETTABLE, *ENDINGS, *TROUBLE)
PAYMENTS = ("None", "Sent", "Received", "Clearing", "Returned", "Bounced", "Completed")
LONGEST_ADDRESS = 1_000
_CENT = Decimal("0.0001")
BUYERS = (
    ("Zoë O'Neil <3", "12 Castle Rd.\n(back door)", "Portland", "97201", "US"),
    ("Jürgen Müßig", "Straße des 17. Juni 135", "Berlin", "10623", "DE"),
    ("山田 花子", "千代田区丸の内 1-9-1", "東京都", "100-0005", "JP"),
    ("Анна Кузнецова", "ул. Ленина, д. 5", "Рига", "LV-1010", "LV"),
    ("Amélie & Fils", "3 rue de l'Église", "Lyon", "69001", "FR"),
)
_REMARKS = (
    "Please pack flat & no staples :-) (it's a gift)",
    "",
    "Thanks! 🧱🧱 <b>Great store</b>",
)


def money(value: Decimal) -> str:
    return f"{value.quantize(_CENT):.4f}"


def stamp(now: dt.datetime) -> str:
    return f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z"


#: How many come by themselves, in the demo: set by `make run`.
FIRST_BUYERS = int(os.environ.get("SIMULATED_BUYERS") or 0)


@dataclass(slots=True)
class Orders:
    """The orders of one seller by id. Sold pieces leave the stock at once."""

    seller: str = ""
    journal: Journal = field(default_factory=Journal)
    refuses: set[str] = field(default_factory=set)  # statuses that are answered with 422
    hook: str = ""  # the address that is notified of changed orders
    _orders: dict[int, Order] = field(default_factory=dict)
    _next: int = FIRST_ORDER
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def load(self, change: Mapping[str, Any]) -> None:
        """Apply a change read from the journal."""
        if "order" in change:
            order = change["order"]
            self._orders[order["order_id"]] = order
            self._next = max(self._next, order["order_id"] + 1)

    def all(self) -> list[Order]:
        with self._lock:
            return [dict(order) for _, order in sorted(self._orders.items())]

    def get(self, order_id: int) -> Order:
        """Return a copy of an order. Raises Refusal."""
        with self._lock:
            if order_id not in self._orders:
                raise Refusal(404, GONE)
            return dict(self._orders[order_id])

    def place(
        self,
        stock: Stock,
        wanted: Mapping[int, int],
        *,
        now: dt.datetime,
        status: str = "PAID",
        buyer: int = 0,
        remarks: str = "",
        told: Mapping[str, Any] | None = None,
    ) -> Order:
        """Place an order for pieces of lots, all of them or none. Raises Refusal."""
        if status not in STATES:
            raise Refusal(400, f"status must be one of {', '.join(STATES)}")
        with self._lock:
            lines = self._take(stock, wanted)
            full, street, city, code, country = BUYERS[buyer % len(BUYERS)]
            is_paid = status in {"PAID", "PACKED", "SHIPPED", "RECEIVED", "COMPLETED"}
            order: Order = {
                "order_id": self.next_id(),
                "date_ordered": stamp(now),
                "date_status_changed": stamp(now),
                "seller_name": self.seller,
                "store_name": f"{self.seller}'s bricks",
                "buyer_name": f"buyer_{buyer + 1}",
                "buyer_email": f"buyer{buyer + 1}@example.com",
                "require_insurance": False,
                "status": status,
                "is_invoiced": is_paid,
                "is_filed": False,
                "drive_thru_sent": False,
                "salesTax_collected_by_bl": country == "US",
                "remarks": remarks,
                "payment": {
                    "method": "PayPal (Onsite)",
                    "currency_code": "USD",
                    "date_paid": stamp(now) if is_paid else None,
                    "status": "Received" if is_paid else "None",
                },
                "shipping": {
                    "method_id": 17862,
                    "method": "Tracked letter",
                    "tracking_no": "",
                    "tracking_link": "",
                    "address": {
                        "name": {"full": full},
                        "full": f"{street}\n{code} {city}",
                        "address1": street,
                        "city": city,
                        "state": "",
                        "postal_code": code,
                        "country_code": country,
                    },
                },
                "cost": {"shipping": "4.5000", "currency_code": "USD"},
                "batches": [lines],
                "messages": [],
            }
            _merge(order, told or {})
            return self.put(_summed(order))

    def add(self, stock: Stock, order_id: int, wanted: Mapping[int, int], now: dt.datetime) -> Any:
        """Add lots to an order for its buyer, as another batch of items."""
        with self._lock:
            order = self.get(order_id)
            if order["status"] in {*ENDINGS, "SHIPPED", "RECEIVED"}:
                raise Refusal(400, "Nothing can be added to this order any more.")
            order["batches"] = [*order["batches"], self._take(stock, wanted)]
            return self.put({**_summed(order), "date_status_changed": stamp(now)})

    def take_off(
        self, stock: Stock, order_id: int, lots: Mapping[int, int], now: dt.datetime
    ) -> Order:
        """Take pieces off an order's lines; they are for sale again where the store restocks."""
        with self._lock:
            order = self.get(order_id)
            left = dict(lots)
            batches = []
            for batch in order["batches"]:
                kept = []
                for line in batch:
                    fewer = min(left.get(line["inventory_id"], 0), line["quantity"])
                    if fewer:
                        left[line["inventory_id"]] -= fewer
                        self.put_back(stock, line["lot"], fewer)
                    if line["quantity"] - fewer:
                        kept.append({**line, "quantity": line["quantity"] - fewer})
                batches.append(kept)
            order["batches"] = batches
            return self.put({**_summed(order), "date_status_changed": stamp(now)})

    def reprice(self, order_id: int, prices: Mapping[int, Decimal]) -> Order:
        """Change the prices of an order's lots, as a seller may; its status stays as it was."""
        with self._lock:
            order = self.get(order_id)
            order["batches"] = [
                [
                    {
                        **line,
                        "unit_price_final": money(price),
                        "order_cost": money(price * line["quantity"]),
                    }
                    if (price := prices.get(line["inventory_id"])) is not None
                    else line
                    for line in batch
                ]
                for batch in order["batches"]
            ]
            return self.put(_summed(order))

    def cancel(self, stock: Stock, order_id: int, now: dt.datetime) -> Order:
        """Cancel an order; its pieces are for sale again where the store restocks. Twice is no error."""
        with self._lock:
            order = self.get(order_id)
            if order["status"] == "CANCELLED":
                return order
            for line in (line for batch in order["batches"] for line in batch):
                self.put_back(stock, line["lot"], line["quantity"])
            order |= {"status": "CANCELLED", "date_status_changed": stamp(now)}
            return self.put(order)

    def change(self, order_id: int, now: dt.datetime, told: Mapping[str, Any]) -> Order:
        """Change fields of an order as the market would: status, payment, messages."""
        with self._lock:
            order = self.get(order_id)
            _merge(order, told)
            if "status" in told:
                order["date_status_changed"] = stamp(now)
            return self.put(order)

    def set_status(self, stock: Stock, order_id: int, status: str, now: dt.datetime) -> None:
        """Change an order as its seller asks. Raises Refusal."""
        with self._lock:
            order = self.get(order_id)
            if status not in STATES:
                raise Refusal(400, f"Unknown status: {status}")
            is_over = order["status"] in {*ENDINGS, *TROUBLE}
            if status in self.refuses or is_over or status not in {*SETTABLE, "CANCELLED"}:
                raise Refusal(422, "Your post/put request was denied")
            if status == "CANCELLED":
                self.cancel(stock, order_id, now)
            else:
                self.change(order_id, now, {"status": status})

    def welcome(self, stock: Stock, now: dt.datetime) -> None:
        """Create the first orders of a store that has none, if the settings ask for it."""
        with self._lock:
            if not self._orders:
                self.seed(stock, FIRST_BUYERS, now)

    def seed(self, stock: Stock, count: int, now: dt.datetime) -> list[Order]:
        """Place `count` orders. The same lots always give the same orders."""
        chance = random.Random(18)
        made = []
        for number in range(count):
            lots = [lot for lot in stock.all() if lot["quantity"] > 0 and not lot["is_stock_room"]]
            some = chance.sample(lots, min(len(lots), chance.randint(3, 6)))
            wanted = {
                lot["inventory_id"]: chance.randint(1, min(4, lot["quantity"])) for lot in some
            }
            if not wanted:
                break
            made.append(
                self.place(
                    stock,
                    wanted,
                    now=now,
                    buyer=number,
                    remarks=_REMARKS[number % len(_REMARKS)],
                )
            )
        return made

    def _take(self, stock: Stock, wanted: Mapping[int, int]) -> list[dict[str, Any]]:
        with stock.lock:
            lots = {lot_id: stock.get(lot_id) for lot_id in wanted}
            for lot_id, pieces in wanted.items():
                if not 0 < pieces <= lots[lot_id]["quantity"]:
                    raise Refusal(400, f"The lot has {lots[lot_id]['quantity']} pieces.")
            for lot_id, pieces in wanted.items():
                stock.sell(lot_id, pieces)
        return [_line(lots[lot_id], pieces) for lot_id, pieces in wanted.items()]

    def put_back(self, stock: Stock, lot: Lot, pieces: int) -> None:
        """Offer pieces of a lot again, where the store restocks; `lot` is as it was when sold."""
        if not stock.restocks:
            return
        with stock.lock:
            try:
                stock.change(
                    lot["inventory_id"], lambda lot: {**lot, "quantity": lot["quantity"] + pieces}
                )
            except Refusal:
                stock.put({**lot, "quantity": pieces})

    def next_id(self) -> int:
        """Return the number of the next order, each once."""
        with self._lock:
            self._next += 1
            return self._next - 1

    def put(self, order: Order) -> Order:
        """Store an order under its number."""
        with self._lock:
            self._orders[order["order_id"]] = order
            self.journal.add(seller=self.seller, order=order)
            return dict(order)


def _line(lot: Lot, pieces: int) -> dict[str, Any]:
    price = lot["unit_price"]
    final = Decimal(price)
    for number in (1, 2, 3):
        if lot[f"tier_quantity{number}"] and pieces >= lot[f"tier_quantity{number}"]:
            final = Decimal(lot[f"tier_price{number}"])
    line = {
        "inventory_id": lot["inventory_id"],
        "item": lot["item"],
        "color_id": lot["color_id"],
        "color_name": lot["color_name"],
        "quantity": pieces,
        "new_or_used": lot["new_or_used"],
        "unit_price": price,
        "unit_price_final": money(final),
        "disp_unit_price": price,
        "disp_unit_price_final": money(final),
        "order_cost": money(final * pieces),
        "currency_code": "USD",
        "disp_currency_code": "USD",
        "description": lot["description"],
        "remarks": lot["remarks"],
        "weight": lot["my_weight"],
        "lot": lot,  # the lot at the time of the order, to restore it; never sent
    }
    if "completeness" in lot:
        line["completeness"] = lot["completeness"]
    return line


def _summed(order: Order) -> Order:
    lines = [line for batch in order["batches"] for line in batch]
    subtotal = sum(
        (Decimal(line["unit_price_final"]) * line["quantity"] for line in lines), Decimal()
    )
    shipping = Decimal(order["cost"]["shipping"])
    total = subtotal + shipping
    country = order["shipping"]["address"]["country_code"]
    tax = (subtotal * Decimal("0.07")).quantize(_CENT) if country == "US" else Decimal()
    cost = {
        "subtotal": money(subtotal),
        "grand_total": money(total),
        "salesTax_collected_by_BL": money(tax),
        "final_total": money(total + tax),
        "etc1": "0.0000",
        "etc2": "0.0000",
        "insurance": "0.0000",
        "credit": "0.0000",
        "coupon": "0.0000",
        "vat_rate": "0.00",
        "vat_amount": "0.0000",
    }
    return {
        **order,
        "cost": {**cost, **{key: order["cost"][key] for key in ("shipping", "currency_code")}},
        "total_count": sum(line["quantity"] for line in lines),
        "unique_count": len(lines),
        "total_weight": f"{sum(line['quantity'] for line in lines) * 1.2:.2f}",
    }


def _merge(order: Order, told: Mapping[str, Any]) -> None:
    for name, value in told.items():
        if isinstance(value, dict) and isinstance(order.get(name), dict):
            _merge(order[name], value)
        elif name not in {"order_id", "batches"}:
            order[name] = value


def escaped_in(node: Any, escape: Callable[[str], str], times: int) -> Any:
    """Return a value with its texts escaped, as the real API does."""
    if isinstance(node, dict):
        return {name: escaped_in(value, escape, times) for name, value in node.items()}
    if isinstance(node, list):
        return [escaped_in(value, escape, times) for value in node]
    if isinstance(node, str) and not re.fullmatch(r"[\w.:-]*", node):
        for _ in range(times):
            node = escape(node)
    return node

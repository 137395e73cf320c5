"""The BrickOwl API: a seller's lots and orders. Prices and catalogue are not asked there."""

import json
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import IO, Any, ClassVar, Final, Self

import requests
from more_itertools import chunked

from apps.marketplace.providers import brickowl_wire as wire
from apps.marketplace.providers.answers import Answer, stop_if_known
from apps.marketplace.providers.base import (
    Answers,
    CallKind,
    CatalogueItem,
    Guide,
    GuideQuery,
    MarketplaceError,
    NoAnswer,
    NotOffered,
    NotThere,
    Refused,
    SecretsRefused,
    Spend,
)
from apps.marketplace.providers.brickowl_orders import (
    SET,
    lots_of,
    read_heads,
    read_order,
    read_rows,
)
from apps.marketplace.providers.brickowl_wire import LOT_IDS, BrickOwlSecrets, Known
from apps.marketplace.providers.known import MarketplaceId
from apps.marketplace.providers.lots import LotChange, LotDraft, StoreLot, UnreadLot
from apps.marketplace.providers.orders import (
    OrderMessage,
    OrderState,
    StoreOrder,
    StoreOrderHead,
    UnreadOrder,
)
from apps.marketplace.providers.transport import (
    CONNECT_SECONDS,
    LIST_SECONDS,
    PAUSES,
    READ_SECONDS,
    bounded,
    keep,
    no_answer,
    session_for,
    tried,
)

NO_PRICES: Final = "BrickOwl tells an app no prices of others: connect BrickLink to get prices."
NO_CATALOGUE: Final = "Items are not looked up at BrickOwl: connect BrickLink for that."
NO_MESSAGES: Final = "BrickOwl tells an app no messages: read them there."
NO_CANCEL: Final = "BrickOwl lets no app cancel an order: cancel it there."
#: As many as one answer may hold; those that changed last come first.
MOST_ORDERS: Final = 5_000
NOT_DESCRIBED: Final = "BrickOwl created it and did not take its texts: {why}"
ALL: Final = {"active_only": "0"}


class BrickOwlStore:
    """One seller's account. `spend` is asked before every single call, repeats included.

    `known` tells item number and colour of the stock behind lots, as one item or colour of
    BrickOwl may be several of ours. `answers` has which item a number is, and the numbers of items.
    """

    marketplace: ClassVar = MarketplaceId.BRICKOWL

    def __init__(
        self,
        *,
        base_url: str,
        secrets: BrickOwlSecrets,
        spend: Spend,
        known: Callable[[Collection[int]], Known],
        answers: Answers,
        pause: Callable[[float], None] = time.sleep,
        read_seconds: float = READ_SECONDS,
    ) -> None:
        self._base = base_url.rstrip("/")
        self._key = secrets.key
        self._spend = spend
        self._known = known
        self._answers = answers
        self._pause = pause
        self._read_seconds = read_seconds
        self._session = session_for(base_url)
        self._colors: wire.OwlColors | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self._session.close()

    # -- the store -----------------------------------------------------------------------

    def check(self) -> None:
        """Make the cheapest call that proves the key. Raises MarketplaceError."""
        self._get("user/details", kind=CallKind.LOOKUP)

    def currency(self) -> str:
        """Return '': BrickOwl's API does not have the currency of an account."""
        return ""

    def lots(
        self, *, item_types: Sequence[str] = (), color_ids: Sequence[int] = ()
    ) -> list[StoreLot | UnreadLot]:
        """Return the store's lots, of these types and colours only. Raises MarketplaceError."""
        return list(self.each_lot(item_types=item_types, color_ids=color_ids))

    def each_lot(
        self,
        *,
        item_types: Sequence[str] = (),
        color_ids: Sequence[int] = (),
        is_known: Callable[[str], bool] | None = None,
    ) -> Iterator[StoreLot | UnreadLot]:
        """Yield the same lots one by one: the answer waits on disk. Raises MarketplaceError.

        One call for the store, one for each 100 of its items.
        """
        asked = dict(ALL)
        kinds = [theirs for theirs, ours in wire.TYPES_HERE.items() if ours in item_types]
        if len(kinds) == len(set(item_types)) == 1:  # several words are not asked for at once
            asked["type"] = kinds[0]
        with tempfile.TemporaryFile() as answer:
            self._get("inventory/list", asked, read_seconds=LIST_SECONDS, into=answer)
            stop_if_known(answer, is_known)
            for lot in self._read(wire.list_rows(answer)):
                if isinstance(lot, UnreadLot) or (
                    (not item_types or lot.item_type in item_types)
                    and (not color_ids or lot.color_id in color_ids)
                ):
                    yield lot

    def lot(self, lot_id: int) -> StoreLot | UnreadLot:
        """Return one lot. Raises NotThere and other MarketplaceErrors."""
        told = self._get("inventory/list", {**ALL, "lot_id": str(LOT_IDS.theirs(lot_id))})
        if not isinstance(told, list):
            raise NoAnswer("The marketplace sent no list of lots.")
        found = [lot for lot in self._read(told) if lot.lot_id == lot_id]
        if not found:
            raise NotThere("The marketplace does not know the lot.", code=404)
        return found[0]

    def why_not(self, draft: LotDraft) -> str:
        """Return why BrickOwl has no such item or colour, '' where it has. Raises MarketplaceError."""
        try:
            self._create_form(draft)
        except SecretsRefused:
            raise
        except Refused as refused:
            return str(refused)
        return ""

    def create_lot(self, draft: LotDraft) -> StoreLot:
        """Put one lot up; it comes back with its id. Never sent twice. Raises MarketplaceError."""
        form, texts = self._create_form(draft), wire.describe_form(draft)
        self._count(CallKind.STOCK, 2)
        lot_id = wire.read_lot_id(self._post("inventory/create", form))
        about = {"lot_id": str(LOT_IDS.theirs(lot_id)), **texts}
        self._describe(lambda: self._post("inventory/update", about))
        return StoreLot(lot_id=lot_id, **asdict(draft))

    def create_lots(self, drafts: Sequence[LotDraft]) -> None:
        """Create at most 50 lots. Their ids are not returned: read the store. Never sent twice.

        What BrickOwl took of them before it refused one stays. Raises MarketplaceError.
        """
        kinds = wire.TYPES
        self._answers.of([f"{kinds.get(one.item_type)} {one.number}" for one in drafts])  # at once
        forms = [self._create_form(draft) for draft in drafts]
        texts = [
            {"external_id": form["external_id"], **wire.describe_form(draft)}
            for form, draft in zip(forms, drafts, strict=True)
        ]
        self._count(CallKind.STOCK, 2)
        refused = self._batch("inventory/create", forms)
        about = [each for each, why in zip(texts, refused, strict=True) if why is None]
        if about:
            self._describe(lambda: self._batch("inventory/update", about))
        for why in refused:
            if why is not None:
                raise why

    def change_lot(self, lot_id: int, change: LotChange) -> None:
        """Change a lot. Never sent twice. Raises MarketplaceError."""
        form = {"lot_id": str(LOT_IDS.theirs(lot_id)), **wire.change_form(change)}
        self._count(_kind_of(change))
        try:
            self._post("inventory/update", form)
        except (NotThere, SecretsRefused):
            raise
        except Refused:
            self.lot(lot_id)  # NotThere, where that is why
            raise

    def delete_lot(self, lot_id: int) -> None:
        """Take a lot out of the store; one that is gone already is no error."""
        form = {"lot_id": str(LOT_IDS.theirs(lot_id))}
        self._count(CallKind.STOCK)
        try:
            self._post("inventory/delete", form)
        except SecretsRefused:
            raise
        except Refused:
            try:
                self.lot(lot_id)
            except NotThere:
                return
            raise

    # -- what this client does not do ------------------------------------------------------

    def price_guide(self, query: GuideQuery) -> Guide:
        """Raise NotOffered."""
        raise NotOffered(NO_PRICES)

    def item(self, item_type: str, number: str) -> CatalogueItem:
        """Raise NotOffered."""
        raise NotOffered(NO_CATALOGUE)

    def order_messages(self, order_id: int) -> list[OrderMessage]:
        """Raise NotOffered."""
        raise NotOffered(NO_MESSAGES)

    # -- orders ----------------------------------------------------------------------------

    def orders(self, *, filed: bool = False) -> list[StoreOrderHead | UnreadOrder]:
        """Return the last orders; none that are filed away, which BrickOwl does not do.

        Raises MarketplaceError.
        """
        if filed:
            return []
        asked = {"list_type": "store", "sort_by": "updated", "limit": str(MOST_ORDERS)}
        return read_heads(self._get("order/list", asked, read_seconds=LIST_SECONDS))

    def order(self, order_id: int) -> StoreOrder:
        """Return one order with its lines, by two calls and one for 100 of its items.

        Raises Unreadable, MarketplaceError.
        """
        asked = {"order_id": str(wire.ORDER_IDS.theirs(order_id))}
        told = self._get("order/view", asked)
        rows = read_rows(self._get("order/items", asked))
        known = self._known(lots_of(rows))
        return read_order(told, rows, self._items_of(rows), self._color_list(), known)

    def set_order_state(self, order_id: int, state: OrderState) -> None:
        """Send the state of an order; safe to repeat. Raises NotOffered, MarketplaceError."""
        if state not in SET:
            raise NotOffered(NO_CANCEL)
        form = {"order_id": str(wire.ORDER_IDS.theirs(order_id)), "status_id": SET[state]}
        self._count(CallKind.STOCK)
        self._post("order/set_status", form)

    def set_tracking(self, order_id: int, number: str) -> None:
        """Send the tracking number of the parcel. Raises MarketplaceError."""
        form = {"order_id": str(wire.ORDER_IDS.theirs(order_id)), "tracking_id": number}
        self._count(CallKind.NOTE)
        self._post("order/tracking", form)

    def file_order(self, order_id: int) -> None:
        """Do nothing: BrickOwl files no orders away."""

    # -- ids -------------------------------------------------------------------------------

    def _create_form(self, draft: LotDraft) -> dict[str, str]:
        boid = self._boid(draft.item_type, draft.number)
        color = self._color(draft.color_id) if draft.item_type in wire.WITH_COLOR else None
        return wire.create_form(draft, boid=boid, color_id=color)

    def _boid(self, item_type: str, number: str) -> str:
        """Return BrickOwl's id of an item. Raises Refused where there is not exactly one."""
        kind = wire.TYPES.get(item_type)
        if kind is None:
            raise Refused("BrickOwl sells no items of this type.", code=422)
        key = f"{kind} {number}"
        found = self._answers.of([key]).get(key)
        if found is None:
            asked = {"id": number, "type": kind, "id_type": wire.NUMBER_KIND}
            try:
                found = wire.read_boids(self._get("catalog/id_lookup", asked, kind=CallKind.LOOKUP))
            except NotThere:
                found = []
            self._answers.keep({key: found})
        if not found:
            raise Refused(f"BrickOwl has no item with the number {number}.", code=422)
        if len(found) > 1:
            raise Refused(
                f"{number} is {len(found)} items at BrickOwl: list it there by hand.", code=422
            )
        return found[0]

    def _color(self, color_id: int) -> int | None:
        if color_id == 0:
            return None
        found = self._color_list().theirs.get(color_id, ())
        if len(found) != 1:
            raise Refused("BrickOwl has no such colour, or several.", code=422)
        return found[0]

    def _color_list(self) -> wire.OwlColors:
        if self._colors is None:
            told = self._get("catalog/color_list", kind=CallKind.LOOKUP)
            self._colors = wire.read_colors(told)
        return self._colors

    def _read(self, rows: Iterable[Answer]) -> Iterator[StoreLot | UnreadLot]:
        """Yield lots, their items asked for 100 at a time."""
        for some in chunked(rows, wire.ITEMS_AT_ONCE):
            items = self._items_of(some)
            ids = [wire.read_lot_id(row) for row in some]
            known = self._known(ids)
            for row in some:
                yield wire.read_lot(row, items, self._color_list(), known)

    def _items_of(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, wire.OwlItem]:
        """Return the items of lots or lines: those that are not known are asked for 100 at a time.

        Counted as the reading of the store or the order that it is a part of.
        """
        boids = wire.bases_of(row.get("boid") for row in rows)
        found = self._answers.of(boids)
        for some in chunked((boid for boid in boids if boid not in found), wire.ITEMS_AT_ONCE):
            told = wire.read_items(self._get("catalog/bulk_lookup", {"boids": ",".join(some)}))
            new = {boid: (item.numbers, item.name) for boid, item in told.items()}
            self._answers.note(new)
            # One without a number may get it tomorrow.
            self._answers.keep({boid: one for boid, one in new.items() if one[0]})
            found |= new
        return {boid: wire.OwlItem(tuple(ids), name) for boid, (ids, name) in found.items()}

    # -- sending ---------------------------------------------------------------------------

    def _describe(self, send: Callable[[], Any]) -> None:
        """Send the texts of lots that are created. Any failure leaves their outcome unknown.

        Raises NoAnswer: the caller reads the store and finds the lots by their mark.
        """
        try:
            told = send()
        except MarketplaceError as problem:
            raise NoAnswer(NOT_DESCRIBED.format(why=problem)) from problem
        for why in told if isinstance(told, list) else ():
            if why is not None:
                raise NoAnswer(NOT_DESCRIBED.format(why=why))

    def _count(self, kind: CallKind, calls: int = 1) -> None:
        """Count all calls of an act before the first is sent: none of it is left half counted."""
        for _ in range(calls):
            self._spend(kind)

    def _get(
        self,
        path: str,
        params: dict[str, str] | None = None,
        *,
        kind: CallKind = CallKind.STOCK,
        read_seconds: float | None = None,
        into: IO[bytes] | None = None,
    ) -> Any:
        """Return the answer, or write it `into` a file; asked again twice where there was none."""

        def ask() -> Any:
            self._spend(kind)
            asked = {"key": self._key, **(params or {})}
            return self._once("GET", path, {"params": asked}, read_seconds, into)

        return tried(ask, what=f"GET {path}", pauses=PAUSES, pause=self._pause)

    def _post(self, path: str, form: dict[str, str]) -> Any:
        return self._once("POST", path, {"data": {"key": self._key, **form}}, None, None)

    def _batch(self, path: str, forms: Sequence[dict[str, str]]) -> list[Refused | None]:
        """Send several forms in one call; return of each why it was refused."""
        requests_ = [
            {"endpoint": path, "request_method": "POST", "params": [form]} for form in forms
        ]
        told = self._post("bulk/batch", {"requests": json.dumps({"requests": requests_})})
        return wire.read_batch(told, len(forms))

    def _once(
        self,
        method: str,
        path: str,
        sent: dict[str, Any],
        read_seconds: float | None,
        into: IO[bytes] | None,
    ) -> Any:
        try:
            with self._session.request(
                method,
                f"{self._base}/{path}",
                headers={"Accept": "application/json"},
                timeout=(CONNECT_SECONDS, read_seconds or self._read_seconds),
                allow_redirects=False,  # the key goes nowhere else
                stream=True,
                **sent,
            ) as response:
                wait = response.headers.get("Retry-After")
                if into is None:
                    body = bounded(response)
                    return wire.read_answer(
                        status=response.status_code, body=body, retry_after=wait
                    )
                head = keep(response, into)
                return wire.check_answer(status=response.status_code, body=head, retry_after=wait)
        except requests.RequestException as problem:
            # The address of a GET holds the key: no trace of it is kept.
            raise no_answer(problem) from None


def _kind_of(change: LotChange) -> CallKind:
    if change.delta:
        return CallKind.STOCK
    asks = (change.price, change.tiers, change.sale, change.bulk)
    return CallKind.NOTE if all(value is None for value in asks) else CallKind.PRICE

"""The BrickLink store API: signed calls, and what of them may be repeated."""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import IO, Any, ClassVar, Final, Self
from urllib.parse import quote

import requests
from oauthlib.oauth1 import SIGNATURE_HMAC_SHA1, Client
from requests.auth import AuthBase

from apps.marketplace.providers.answers import stop_if_known
from apps.marketplace.providers.base import (
    CallKind,
    CatalogueItem,
    Guide,
    GuideQuery,
    NotThere,
    Spend,
    Throttled,
)
from apps.marketplace.providers.bricklink_lots import (
    change_body,
    create_body,
    list_params,
    meta_of,
    read_lot,
    read_lots,
)
from apps.marketplace.providers.bricklink_orders import (
    SET,
    read_heads,
    read_messages,
    read_order,
)
from apps.marketplace.providers.bricklink_secrets import LOT_IDS, BrickLinkSecrets
from apps.marketplace.providers.bricklink_wire import (
    BRITAIN,
    check_meta,
    read_answer,
    read_guide,
    read_item,
)
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

ANY_GUIDE: Final = {"color_id": 5, "guide_type": "sold", "new_or_used": "N"}
WHITE: Final = 1  # a colour that there is


class Signed(AuthBase):
    """OAuth 1.0, HMAC-SHA1. Signs the request as sent, again for each try."""

    def __init__(self, secrets: BrickLinkSecrets) -> None:
        self._client = Client(
            client_key=secrets.consumer_key,
            client_secret=secrets.consumer_secret,
            resource_owner_key=secrets.token,
            resource_owner_secret=secrets.token_secret,
            signature_method=SIGNATURE_HMAC_SHA1,
        )

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        # A JSON body is not part of the signature; the query is.
        _, headers, _ = self._client.sign(request.url, http_method=request.method or "GET")
        request.headers["Authorization"] = headers["Authorization"]
        return request


class BrickLinkStore:
    """One seller's account. `spend` is asked before every single call, repeats included.

    `limited` is called when the marketplace refuses a call since the day's calls are used.
    """

    marketplace: ClassVar = MarketplaceId.BRICKLINK

    def __init__(
        self,
        *,
        base_url: str,
        secrets: BrickLinkSecrets,
        spend: Spend,
        limited: Callable[[], None] = lambda: None,
        pause: Callable[[float], None] = time.sleep,
        read_seconds: float = READ_SECONDS,
    ) -> None:
        self._base = base_url.rstrip("/")
        self._spend = spend
        self._limited = limited
        self._pause = pause
        self._read_seconds = read_seconds
        self._session = session_for(base_url)
        self._session.auth = Signed(secrets)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self._session.close()

    def check(self) -> None:
        """Make the cheapest call that proves the secrets. Raises MarketplaceError."""
        self.call(CallKind.LOOKUP, "GET", f"/colors/{WHITE}")

    def price_guide(self, query: GuideQuery) -> Guide:
        """Return the figures that `query` asks for. Raises MarketplaceError."""
        number = quote(query.number, safe="")
        params: dict[str, Any] = {
            "color_id": query.color_id,
            "guide_type": "sold" if query.is_sold else "stock",
            "new_or_used": query.condition,
            # The default is the account's currency: such figures cannot be shared.
            "currency_code": query.currency,
            "vat": "N",
        }
        if query.region == "eu":
            params["region"] = query.region
        elif query.region != "global":
            params["country_code"] = BRITAIN if query.region == "GB" else query.region.upper()
        return read_guide(
            self.call(
                CallKind.LOOKUP, "GET", f"/items/{query.item_type}/{number}/price", params=params
            )
        )

    def item(self, item_type: str, number: str) -> CatalogueItem:
        """Return an item of the catalogue. Raises NotThere and other MarketplaceErrors."""
        return read_item(
            self.call(CallKind.LOOKUP, "GET", f"/items/{item_type}/{quote(number, safe='')}")
        )

    def lots(
        self, *, item_types: Sequence[str] = (), color_ids: Sequence[int] = ()
    ) -> list[StoreLot | UnreadLot]:
        """Return the store's lots, of these types and colours only. Raises MarketplaceError.

        A closed store (vacation) reads as empty. Counted as a change of stock: nothing is
        sent again before the store was read, so this must be left when look-ups are used up.
        """
        return list(self.each_lot(item_types=item_types, color_ids=color_ids))

    def each_lot(
        self,
        *,
        item_types: Sequence[str] = (),
        color_ids: Sequence[int] = (),
        is_known: Callable[[str], bool] | None = None,
    ) -> Iterator[StoreLot | UnreadLot]:
        """Yield the same lots one by one: the answer waits on disk. Raises MarketplaceError."""
        with tempfile.TemporaryFile() as answer:
            self.call(
                CallKind.STOCK,
                "GET",
                "/inventories",
                params=list_params(item_types, color_ids),
                read_seconds=LIST_SECONDS,
                into=answer,
            )
            stop_if_known(answer, is_known)
            yield from read_lots(answer)

    def currency(self) -> str:
        """Return the currency of the account, in which a price guide answers by itself."""
        told = self.call(CallKind.LOOKUP, "GET", "/items/PART/3001/price", params=ANY_GUIDE)
        return str(told.get("currency_code") or "") if isinstance(told, dict) else ""

    def lot(self, lot_id: int) -> StoreLot | UnreadLot:
        """Return one lot. Raises NotThere and other MarketplaceErrors."""
        LOT_IDS.check(lot_id)
        return read_lot(self.call(CallKind.STOCK, "GET", f"/inventories/{lot_id}"))

    def why_not(self, draft: LotDraft) -> str:
        """Return '': the catalogue here is BrickLink's."""
        return ""

    def create_lot(self, draft: LotDraft) -> StoreLot | UnreadLot:
        """Put one lot up; it comes back with its id. Never sent twice. Raises MarketplaceError."""
        return read_lot(self.call(CallKind.STOCK, "POST", "/inventories", body=create_body(draft)))

    def create_lots(self, drafts: Sequence[LotDraft]) -> None:
        """Create several lots. The answer has no ids: read the store. Raises MarketplaceError."""
        body = [create_body(draft) for draft in drafts]
        self.call(CallKind.STOCK, "POST", "/inventories", body=body)

    def change_lot(self, lot_id: int, change: LotChange) -> None:
        """Change a lot. Never sent twice. Raises MarketplaceError."""
        LOT_IDS.check(lot_id)
        kind = CallKind.STOCK if change.delta else CallKind.PRICE
        asks = (change.price, change.tiers, change.sale, change.bulk)
        if not change.delta and all(value is None for value in asks):
            kind = CallKind.NOTE
        read_lot(self.call(kind, "PUT", f"/inventories/{lot_id}", body=change_body(change)))

    def delete_lot(self, lot_id: int) -> None:
        """Take a lot out of the store; one that is gone already is no error."""
        LOT_IDS.check(lot_id)
        try:
            self.call(CallKind.STOCK, "DELETE", f"/inventories/{lot_id}")
        except NotThere:
            return

    def orders(self, *, filed: bool = False) -> list[StoreOrderHead | UnreadOrder]:
        """Return what the store was asked to sell, filed away or not. Raises MarketplaceError.

        Counted as a change of stock, as `lots`: nothing is listed before it is known what is
        promised.
        """
        params = {"direction": "in", "filed": "true" if filed else "false"}
        return read_heads(
            self.call(CallKind.STOCK, "GET", "/orders", params=params, read_seconds=LIST_SECONDS)
        )

    def order(self, order_id: int) -> StoreOrder:
        """Return one order with its lines, by two calls. Raises Unreadable, MarketplaceError."""
        head = self.call(CallKind.STOCK, "GET", f"/orders/{order_id}")
        return read_order(head, self.call(CallKind.STOCK, "GET", f"/orders/{order_id}/items"))

    def order_messages(self, order_id: int) -> list[OrderMessage]:
        """Return what buyer and seller wrote to each other. Raises MarketplaceError."""
        return read_messages(self.call(CallKind.LOOKUP, "GET", f"/orders/{order_id}/messages"))

    def set_order_state(self, order_id: int, state: OrderState) -> None:
        """Send the state of an order; safe to repeat. Raises MarketplaceError."""
        body = {"field": "status", "value": SET[state]}
        self.call(CallKind.STOCK, "PUT", f"/orders/{order_id}/status", body=body)

    def set_tracking(self, order_id: int, number: str) -> None:
        """Send the tracking number of the parcel. Raises MarketplaceError."""
        body = {"shipping": {"tracking_no": number}}
        self.call(CallKind.NOTE, "PUT", f"/orders/{order_id}", body=body)

    def file_order(self, order_id: int) -> None:
        """Put an order among those that are over. Raises MarketplaceError."""
        self.call(CallKind.NOTE, "PUT", f"/orders/{order_id}", body={"is_filed": True})

    def call(
        self,
        kind: CallKind,
        method: str,
        path: str,
        *,
        params: dict[str, Any] | None = None,
        body: Any = None,
        read_seconds: float | None = None,
        into: IO[bytes] | None = None,
    ) -> Any:
        """Return `data` of the answer, or write the whole answer `into` a file.

        Only a GET is tried again. Raises MarketplaceError.
        """
        try:
            return tried(
                partial(self._once, kind, method, path, params, body, read_seconds, into),
                what=f"{method} {path}",
                pauses=PAUSES if method == "GET" else (),
                pause=self._pause,
            )
        except Throttled as problem:
            if problem.is_daily:
                self._limited()
            raise

    def _once(
        self,
        kind: CallKind,
        method: str,
        path: str,
        params: dict[str, Any] | None,
        body: Mapping[str, Any],
        read_seconds: float | None,
        into: IO[bytes] | None,
    ) -> Any:
        self._spend(kind)
        try:
            with self._session.request(
                method,
                f"{self._base}{path}",
                params=params,
                json=body,
                headers={"Accept": "application/json"},
                timeout=(CONNECT_SECONDS, read_seconds or self._read_seconds),
                allow_redirects=False,  # a signed call goes nowhere else
                stream=True,
            ) as response:
                if into is not None:
                    return _kept(response, into)
                return read_answer(
                    status=response.status_code, body=bounded(response), headers=response.headers
                )
        except requests.RequestException as problem:
            raise no_answer(problem) from problem


def _kept(response: requests.Response, into: IO[bytes]) -> None:
    """Write an answer to a file and check its status."""
    head = keep(response, into)
    meta = meta_of(into)
    check_meta(meta, status=response.status_code, head=head, headers=response.headers)

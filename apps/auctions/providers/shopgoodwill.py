"""ShopGoodwill's buyer API, by its wire format. Reads only: no login, no bids."""

from collections.abc import Collection, Mapping
from decimal import Decimal, InvalidOperation
from http import HTTPStatus
from typing import Any, Final

import requests

from apps.auctions.providers.base import (
    FoundListing,
    FoundPage,
    ListingGone,
    SiteFailed,
    SiteForbids,
    SiteUnreachable,
)
from apps.auctions.providers.texts import (
    GRAMS_PER_POUND,
    Shipping,
    plain_text,
    read_shipping,
    site_instant,
    weight_in,
)

LEGO_CATEGORY: Final = "2230"
PAGE_SIZE: Final = 40
CONNECT_SECONDS: Final = 5
READ_SECONDS: Final = 20
MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
USER_AGENT: Final = "Brickstow (listing viewer for sellers)"
_FORBIDDING: Final = {403: "refuses us", 429: "asks to slow down"}


class ShopGoodwill:
    """The real site or its simulator, whichever `address` is."""

    name = "ShopGoodwill"
    category = LEGO_CATEGORY
    page_size = PAGE_SIZE

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/")

    def search(self, *, text: str, category: str = LEGO_CATEGORY, page: int = 1) -> FoundPage:
        """Return one page of at most 40 open listings, those that end first first."""
        document = self._json(
            "POST", "/Search/ItemListing", json=_search_body(text, category, page)
        )
        results = document.get("searchResults")
        # The site reports a failed search by status 200 and a null.
        if document.get("categoryListModel") is None or not isinstance(results, dict):
            raise SiteFailed("the site's search is out of order")
        rows = [row for row in _list(results.get("items")) if isinstance(row, dict)]
        # The site ignores an unknown category and returns every listing.
        rows = [row for row in rows if str(row.get("categoryId")) == category]
        total = results.get("itemCount")
        listings = tuple(found for row in rows if (found := _of_row(row)) is not None)
        return FoundPage(
            listings=listings,
            total=total if isinstance(total, int) and total >= 0 else len(rows),
            refused=len(rows) - len(listings),
        )

    def listing(self, external_id: str) -> FoundListing:
        path = f"/ItemDetail/GetItemDetailModelByItemId/{external_id}"
        answer = self._answer("GET", path, none_for={HTTPStatus.BAD_REQUEST})
        if answer is None:  # also a number that the site cannot have
            raise ListingGone("the site has no such listing")
        if not isinstance(answer, dict) or (found := _of_detail(answer)) is None:
            raise SiteFailed("the site's answer is no listing")
        return found

    def shipping(self, external_id: str, *, zip_code: str) -> Shipping | None:
        body = {
            "itemId": int(external_id),
            "country": "US",
            "province": None,
            "zipCode": zip_code,
            "quantity": 1,
            "clientIP": "",
        }
        answer = self._answer("POST", "/ItemDetail/CalculateShipping", json=body)
        return read_shipping(answer) if isinstance(answer, str) else None

    def _json(self, method: str, path: str, **also: Any) -> Mapping[str, Any]:
        answer = self._answer(method, path, **also)
        if not isinstance(answer, dict):
            raise SiteFailed("the site's answer is not what was expected")
        return answer

    def _answer(
        self, method: str, path: str, *, none_for: Collection[int] = (), **also: Any
    ) -> Any:
        try:
            with requests.request(
                method,
                self._address + path,
                headers={"User-Agent": USER_AGENT, "Accept": "application/json"},
                timeout=(CONNECT_SECONDS, READ_SECONDS),
                allow_redirects=False,
                stream=True,
                **also,
            ) as answer:
                body = answer.raw.read(MAX_ANSWER_BYTES + 1, decode_content=True) or b""
        except requests.Timeout as problem:
            raise SiteUnreachable(f"the site gave no answer within {READ_SECONDS} s") from problem
        except requests.RequestException as problem:
            raise SiteUnreachable("the site could not be reached") from problem
        if answer.status_code in _FORBIDDING:
            raise SiteForbids(f"the site {_FORBIDDING[answer.status_code]}")
        if answer.status_code == requests.codes.not_found:
            raise ListingGone("the site has no such listing")
        if answer.status_code in none_for:
            return None
        if answer.status_code != requests.codes.ok:
            raise SiteFailed(f"the site answered with status {answer.status_code}")
        if len(body) > MAX_ANSWER_BYTES:
            raise SiteFailed("the site's answer is too long")
        try:
            # Money stays exact.
            return requests.compat.json.loads(body, parse_float=Decimal)
        except ValueError as problem:
            raise SiteFailed("the site sent a page instead of data") from problem


def _search_body(text: str, category: str, page: int) -> dict[str, Any]:
    """Return the body of a search. The site finds no rows if a type differs from its page's."""
    return {
        "isSize": False,
        "isWeddingCatagory": "false",
        "isMultipleCategoryIds": False,
        "isFromHeaderMenuTab": False,
        "isFromHomePage": False,
        "layout": "grid",
        # A quotation mark is answered with 403.
        "searchText": " ".join(text.replace('"', " ").split()),
        "selectedGroup": "",
        "selectedCategoryIds": category,
        "selectedSellerIds": "",
        "lowPrice": "0",
        "highPrice": "999999",
        "searchBuyNowOnly": "",
        "searchPickupOnly": "false",
        "searchNoPickupOnly": "false",
        "searchOneCentShippingOnly": "false",
        "searchDescriptions": "false",
        "searchClosedAuctions": "false",
        "closedAuctionEndingDate": "1/1/2000",
        "closedAuctionDaysBack": "7",
        "searchCanadaShipping": "false",
        "searchInternationalShippingOnly": "false",
        "searchUSOnlyShipping": "false",
        "sortColumn": "1",
        "sortDescending": "false",
        "page": str(page),
        "pageSize": str(PAGE_SIZE),
        "savedSearchId": 0,
        "useBuyerPrefs": "true",
        "categoryLevelNo": "1",
        "categoryLevel": 1,
        "categoryId": 0,
        "partNumber": "",
        "catIds": "",
    }


def _of_any(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what searches and details tell alike, None for what is no listing."""
    external_id, title = _digits(row.get("itemId")), plain_text(_text(row.get("title")), limit=300)
    price = _money(row.get("currentPrice"))
    try:
        end_time = site_instant(_text(row.get("endTime")))
    except OverflowError:
        return None
    if not external_id or price is None:
        return None
    return {
        "external_id": external_id,
        "title": title or f"Listing {external_id}",
        "current_price": price,
        "end_time": end_time,
        "is_auction": row.get("listingType") != 1,
    }


def _of_row(row: Mapping[str, Any]) -> FoundListing | None:
    common = _of_any(row)
    if common is None:
        return None
    buy_now = _money(row.get("discountedBuyNowPrice")) or _money(row.get("buyNowPrice"))
    return FoundListing(
        **common,
        bid_count=_count(row.get("numBids")),
        buy_it_now_price=buy_now or None,
        image_url=_picture(row.get("imageURL")),
        weight_grams=weight_in(common["title"]),
    )


def _of_detail(row: Mapping[str, Any]) -> FoundListing | None:
    common = _of_any(row)
    if common is None:
        return None
    description = plain_text(_text(row.get("description")))
    pounds = _money(row.get("weight")) or _money(row.get("displayWeight"))
    city, state = (plain_text(_text(row.get(name))) for name in ("pickupCity", "pickupState"))
    return FoundListing(
        **common,
        bid_count=_count(row.get("numberOfBids")),
        minimum_bid=_money(row.get("minimumBid")),
        buy_it_now_price=_money(row.get("buyNowPrice")) or None,
        description=description,
        highest_bidder=_highest_bidder(row.get("bidHistory")),
        location=", ".join(part for part in (city, state) if part)[:200],
        seller=plain_text(_text(row.get("sellerCompanyName")), limit=200),
        image_url=_first_picture(row),
        weight_grams=weight_in(common["title"])
        or weight_in(description)
        or (pounds * GRAMS_PER_POUND if pounds else None),
        handling=_money(row.get("handlingPrice")),
        is_pickup_only=row.get("pickupOnly") is True,
    )


def _highest_bidder(history: object) -> str:
    bids = _list(history.get("bidSummary")) if isinstance(history, dict) else []
    first = bids[0] if bids and isinstance(bids[0], dict) else {}
    return plain_text(_text(first.get("bidderName")), limit=100)


def _first_picture(row: Mapping[str, Any]) -> str:
    first = _text(row.get("imageUrlString")).split(";")[0].replace("\\", "/").strip()
    server = _text(row.get("imageServer"))
    return _picture(f"{server}{first}" if first else "")


def _picture(value: object) -> str:
    """Return an address that a page may show, else ''; the simulator's are our own files."""
    text = _text(value).replace("\\", "/")[:500]
    return text if text.startswith(("https://", "/static/")) else ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _digits(value: object) -> str:
    return (
        str(value) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else ""
    )


def _count(value: Any) -> int:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return min(value, 1_000_000) if is_count else 0


def _money(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    try:
        amount = Decimal(value).quantize(Decimal("0.0001"))
    except InvalidOperation:
        return None
    return amount if amount.is_finite() and 0 <= amount < 10_000_000 else None

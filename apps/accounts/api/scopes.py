"""What a program may call with a token: each operation of the API and its scope.

An operation is a path of the API, with `{}` for an id, and a method. GET is `read`, and so are
the calls of `_ONLY_READ`; any other is `write`. What stands nowhere no token reaches.
"""

import re
from functools import cache
from typing import Any, Final

from django.contrib.admindocs.views import simplify_regex

FOR_PERSONS: Final = "persons"
FOR_ANYBODY: Final = "anybody"
OPERATIONS: Final = {
    "stock": """
        buildSearches buildSearches/{} buildableSets buildableSets/{} exports exports/preview
        exports/{} exports/{}/file exports/{}/uploaded inventoryActs inventoryActs/{}
        inventoryActs/{}/undo inventoryContainerTypes inventoryContainerTypes/twins
        inventoryContainerTypes/{} inventoryContainerTypes/{}/merge inventoryItems
        inventoryItems/bulk inventoryItems/charts inventoryItems/consolidate
        inventoryItems/destinations inventoryItems/lots inventoryItems/move inventoryItems/owned
        inventoryItems/renumber inventoryItems/renumbered inventoryItems/sums inventoryItems/sync
        inventoryItems/unknown inventoryItems/unknownWords inventoryItems/viewCounts
        inventoryItems/{} inventoryItems/{}/keepAsOwn inventoryItems/{}/move
        inventoryItems/{}/movements inventoryItems/{}/name inventoryItems/{}/nameWord
        inventoryItems/{}/split inventoryLocations inventoryLocations/deleteMany inventoryLocations/faces
        inventoryLocations/labels inventoryLocations/map inventoryLocations/pattern
        inventoryLocations/putBackMany inventoryLocations/setMany inventoryLocations/suggestLimit
        inventoryLocations/twins inventoryLocations/{} inventoryLocations/{}/lookAlikes
        inventoryLocations/{}/merge inventoryLocations/{}/move inventoryLocations/{}/movements
        inventorySyncs inventorySyncs/{} inventorySyncs/{}/apply inventorySyncs/{}/binGroups
        inventorySyncs/{}/newLocations inventorySyncs/{}/preview inventorySyncs/{}/rows
        inventorySyncs/{}/undo jobs jobs/{} labelLayouts stocktakes stocktakes/{}
        stocktakes/{}/apply stocktakes/{}/counts stocktakes/{}/discard stocktakes/{}/found
        stocktakes/{}/rows stocktakes/{}/tally userSetParts userSetParts/{} userSets
        userSets/addMany userSets/destinations userSets/missingFile userSets/overview userSets/{}
        userSets/{}/complete userSets/{}/leftOut userSets/{}/minifigParts userSets/{}/putAside
        userSets/{}/renewContents userSets/{}/summary userSets/{}/take userSets/{}/takes
        userSets/{}/undoComplete userSets/{}/undoRenewContents userSets/{}/undoTake
    """,
    "batches": """
        batchItems batchItems/bulk batchItems/sums batchItems/{} batchItems/{}/count
        batchItems/{}/keepAsOwn batchItems/{}/name batchItems/{}/nameWord batches batches/fromListing batches/importBsx batches/labels
        batches/partOut batches/partOut/prices batches/{} batches/{}/activity batches/{}/acts
        batches/{}/archive batches/{}/charts batches/{}/consolidate batches/{}/knownParts
        batches/{}/markListed batches/{}/merge batches/{}/moveItems batches/{}/operations
        batches/{}/recommendLocations batches/{}/remove batches/{}/restore batches/{}/skip
        batches/{}/split batches/{}/spreadCost batches/{}/stow batches/{}/undo
        sources sources/twins sources/{} sources/{}/merge sources/{}/reassign stationCards
        stationSittings stationSittings/{}
    """,
    "orders": """
        orders orders/importFile orders/papers orders/refresh orders/waiting orders/{}
        orders/{}/cancel orders/{}/check orders/{}/combine orders/{}/events orders/{}/file
        orders/{}/forgetBuyer orders/{}/leaveOut orders/{}/lines orders/{}/marketplaceSteps
        orders/{}/messages orders/{}/pack orders/{}/parcel orders/{}/refund orders/{}/return
        orders/{}/seen orders/{}/separate orders/{}/ship orders/{}/unpack orders/{}/unrefund
        orders/{}/unship pickWalks pickWalks/{} pickWalks/{}/end
        pickWalks/{}/orders pickWalks/{}/pick pickWalks/{}/stops pickWalks/{}/undo reports
        reports/{}/file
    """,
    "catalogue": """
        catalogItems catalogItems/{} catalogItems/{}/appearsIn catalogItems/{}/contents catalogLots
        categories colors markerCard marketplace/itemLookups recognition/identify
        recognition/moulds recognition/state
    """,
    "prices": """
        batches/{}/getPrices batches/{}/reprice catalogLots/{}/prices inventoryItems/reprice
        marketplace/priceRefreshes marketplace/priceRun priceRule
    """,
    "sync": """
        marketplace/conflicts marketplace/conflicts/settle marketplace/conflicts/{}
        marketplace/listings marketplace/listings/runs marketplace/listings/stock
        marketplace/listings/unlist marketplace/listings/{} marketplace/pulls marketplace/schedule
        marketplace/syncs marketplace/syncs/now marketplace/syncs/{} marketplace/syncs/{}/apply
        marketplace/syncs/{}/rows
    """,
    # For a person alone: sign-in, keys, what tells of everything, what cannot be undone.
    FOR_PERSONS: """
        auctionListings auctionListings/byLink auctionListings/refresh auctionListings/{}
        auctionListings/{}/refresh auctionListings/{}/shipping auctionSearches auctionSearches/{}
        auctionSite auctionWorth catalogImports catalogImports/check backups backups/restore backups/{} backups/{}/file find home
        inventoryItems/changeCurrency jobs/{}/cancel jobs/{}/retry marketplaceConnection
        marketplaceConnection/brickowl marketplaceConnection/demo marketplaceConnection/test orderHook
        preferences recognition/captures recognition/captures/file recognition/captures/{}
        recognition/wrongMatches recognition/wrongMatches/{} tokens tokens/{} users/change-password
        users/delete-account users/me users/send-confirmation users/sessions users/sessions/end-others
        users/sessions/{} webhooks webhooks/{} webhooks/{}/deliveries webhooks/{}/deliveries/{}/again
        webhooks/{}/resume
    """,
    # They answer anybody, and read no token.
    FOR_ANYBODY: """
        config docs hooks/orders/{} logs schema users/check-password users/confirm-address
        users/demo-login users/forgot-password users/login users/logout users/register
        users/reset-password users/token-refresh
    """,
}
#: A POST that changes nothing.
_ONLY_READ: Final = """
    batches/labels batches/partOut/prices exports/preview inventoryItems/viewCounts
    inventoryLocations/labels inventoryLocations/suggestLimit markerCard recognition/identify
    stationCards userSets/missingFile
"""
GROUP_OF: Final = {path: name for name, paths in OPERATIONS.items() for path in paths.split()}
WITHOUT_SCOPE: Final = (None, FOR_PERSONS, FOR_ANYBODY)
SCOPES: Final = tuple(
    f"{name}:{how}" for name in OPERATIONS if name not in WITHOUT_SCOPE for how in ("read", "write")
)


def scope_of(path: str, method: str) -> str | None:
    """Return the scope of an operation by its path in the schema; None for one of persons."""
    path = re.sub(r"\{\w*\}", "{}", path.removeprefix("/api/"))
    group = GROUP_OF.get(path)
    if group in WITHOUT_SCOPE:
        return None
    reads = method.upper() in ("GET", "HEAD") or path in _ONLY_READ.split()
    return f"{group}:{'read' if reads else 'write'}"


@cache
def path_of_route(route: str) -> str:
    """Return the path of a route as Django resolved it."""
    return re.sub(r"<[^<>]+>", "{}", simplify_regex(route))


def name_scopes(result: Any, generator: Any, request: Any, public: bool) -> Any:
    """Name in the schema the scope that each operation asks a token for."""
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            if scope := scope_of(path, method):
                operation["security"] = [{"bearer": [scope]}]
    return result

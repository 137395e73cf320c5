"""Who may call what: each operation of the API, its scope, and the roles that reach it.

An operation is a path of the API, with `{}` for an id, and a method. GET is `read`, and so are
the calls of `_ONLY_READ`, and for programs those of `_PLANS` that show alone; any other is `write`. What stands nowhere no token and no member reaches.
The pages, `docs/build/roles.md` and the tests read this file.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from django.contrib.admindocs.views import simplify_regex

from apps.accounts.models import Role
from apps.core.api.hidden import Hidden

FOR_ANYBODY: Final = "anybody"
#: What a member does with his own account, in whichever store he acts.
FOR_ONESELF: Final = "account"
#: Members, keys, secrets of channels, backups, closing: of the owner alone.
FOR_OWNERS: Final = "owner"
#: For a person alone: no token reaches them.
FOR_PERSONS: Final = (FOR_ONESELF, FOR_OWNERS, "auctions", "recognition", "store")
OPERATIONS: Final = {
    "stock": """
        buildSearches buildSearches/{} buildableSets buildableSets/{} exports exports/preview
        exports/{} exports/{}/file exports/{}/uploaded inventoryActs inventoryActs/{}
        inventoryActs/{}/undo inventoryContainerTypes inventoryContainerTypes/twins
        inventoryContainerTypes/{} inventoryContainerTypes/{}/merge inventoryItems
        inventoryItems/bulk inventoryItems/charts inventoryItems/consolidate
        inventoryItems/destinations inventoryItems/groups inventoryItems/lots inventoryItems/move
        inventoryItems/owned inventoryItems/renumber inventoryItems/renumbered inventoryItems/sums inventoryItems/sync
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
        batchItems batchItems/bulk batchItems/groups batchItems/sums batchItems/{} batchItems/{}/count
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
        orders/{}/forgetBuyer orders/{}/leaveOut orders/{}/leaveOutPieces orders/{}/lines
        orders/{}/marketplaceSteps orders/{}/messages orders/{}/pack orders/{}/parcel orders/{}/refund orders/{}/return
        orders/{}/seen orders/{}/separate orders/{}/ship orders/{}/soldTwice
        orders/{}/undoLeaveOutPieces orders/{}/unpack orders/{}/unrefund orders/{}/unship
        pickWalks pickWalks/{} pickWalks/{}/end pickWalks/{}/orders pickWalks/{}/pick
        pickWalks/{}/stops pickWalks/{}/undo reports
        reports/{}/file
    """,
    "books": """
        books books/settings books/{}/file invoices invoices/{} invoices/each
        invoices/{}/cancel invoices/{}/file
    """,
    "catalogue": """
        catalogItems catalogItems/common catalogItems/{} catalogItems/{}/appearsIn catalogItems/{}/contents catalogLots
        categories colors markerCard marketplace/itemLookups recognition/identify
        recognition/moulds recognition/state
    """,
    "prices": """
        batches/{}/getPrices batches/{}/reprice catalogLots/{}/prices inventoryItems/reprice
        marketplace/priceRefreshes marketplace/priceRun priceRule
    """,
    "sync": """
        marketplace/channelLots/{} marketplace/conflicts marketplace/conflicts/settle marketplace/conflicts/{}
        marketplace/listings marketplace/listings/runs marketplace/listings/stock
        marketplace/listings/unlist marketplace/listings/{} marketplace/pulls marketplace/saleRule
        marketplace/saleRule/preview marketplace/schedule
        marketplace/syncs marketplace/syncs/now marketplace/syncs/{} marketplace/syncs/{}/apply
        marketplace/syncs/{}/rows
    """,
    "auctions": """
        auctionListings auctionListings/byLink auctionListings/refresh auctionListings/{}
        auctionListings/{}/refresh auctionListings/{}/shipping auctionSearches auctionSearches/{}
        auctionSite auctionWorth
    """,
    "recognition": """
        recognition/captures recognition/captures/file recognition/captures/{}
        recognition/wrongMatches recognition/wrongMatches/{}
    """,
    "store": """
        find home inventoryItems/changeCurrency jobs/{}/cancel jobs/{}/retry preferences
    """,
    FOR_ONESELF: """
        invitations/accept users/change-password users/me users/proof users/proof/ask
        users/second-factor users/second-factor/app users/second-factor/app/confirm
        users/second-factor/devices/{} users/second-factor/passkeys
        users/second-factor/passkeys/options users/second-factor/passkeys/{}
        users/second-factor/recovery-codes users/send-confirmation users/sessions
        users/sessions/end-others users/sessions/{} users/store
    """,
    FOR_OWNERS: """
        backups backups/restore backups/{} backups/{}/file catalogImports catalogImports/check
        invitations invitations/{} marketplaceConnection
        marketplaceConnection/demo marketplaceConnection/test members members/{} orderHook tokens
        tokens/{} users/delete-account webhooks webhooks/{} webhooks/{}/deliveries
        webhooks/{}/deliveries/{}/again webhooks/{}/resume
    """,
    # They answer anybody, and read no token.
    FOR_ANYBODY: """
        config docs hooks/orders/{} invitations/look logs schema users/check-password users/confirm-address
        users/demo-login users/forgot-password users/login users/login/second-step users/logout
        users/register
        users/reset-password users/token-refresh
    """,
}
#: Writes that cannot be undone, or by which a thief would stay: who has a second factor shows it
#: once more (`services/proofs.py`).
_PROVEN: Final = """
    backups/restore invitations marketplaceConnection
    members/{} tokens users/change-password users/delete-account
"""
#: Who has none types the password once more.
_ALWAYS_PROVEN: Final = """
    users/second-factor/app users/second-factor/app/confirm users/second-factor/passkeys
    users/second-factor/passkeys/options users/second-factor/passkeys/{}
    users/second-factor/recovery-codes
"""
#: A POST that changes nothing.
_ONLY_READ: Final = """
    batches/labels batches/partOut/prices exports/preview inventoryItems/viewCounts
    inventoryLocations/labels inventoryLocations/suggestLimit markerCard marketplace/saleRule/preview
    recognition/identify
    stationCards userSets/missingFile
"""
#: With `dry_run` they change nothing. Plans of prices are not here, which ask the marketplace for
#: figures, nor those that may add a lot to the catalogue, nor `bulk`, whose `create` heeds no
#: `dry_run`.
_PLANS: Final = """
    batches/{}/consolidate batches/{}/merge batches/{}/moveItems batches/{}/recommendLocations
    batches/{}/split batches/{}/spreadCost inventoryItems/consolidate inventoryLocations/pattern
    userSets/{}/take
"""
#: What members do, by role: groups and operations, `:read` or `:write` where only that. An
#: operation counts more than its group; one behind a minus is refused.
_ROLES: Final[Mapping[Role, str]] = {
    Role.OWNER: "account auctions batches books catalogue orders owner prices recognition stock store sync",
    Role.MANAGER: """
        account auctions batches books catalogue marketplaceConnection:read orders prices recognition
        stock store sync
    """,
    Role.SORTER: """
        account batches -batches/fromListing -batches/importBsx -batches/partOut/prices -batches/{}/spreadCost
        sources:read sources/{}:read -sources/{}/merge -sources/{}/reassign
        catalogue prices -inventoryItems/reprice priceRule:read recognition
        find preferences:read jobs jobs/{} jobs/{}/cancel jobs/{}/retry
        inventoryActs inventoryActs/{} inventoryActs/{}/undo
        inventoryContainerTypes inventoryContainerTypes/twins inventoryContainerTypes/{}
        inventoryContainerTypes/{}/merge
        inventoryItems:read inventoryItems/charts inventoryItems/consolidate
        inventoryItems/destinations inventoryItems/lots inventoryItems/move inventoryItems/owned
        inventoryItems/groups inventoryItems/sums inventoryItems/viewCounts
        inventoryItems/{}:read
        inventoryItems/{}/move inventoryItems/{}/movements
        inventoryLocations inventoryLocations/deleteMany inventoryLocations/faces
        inventoryLocations/labels inventoryLocations/map inventoryLocations/pattern
        inventoryLocations/putBackMany inventoryLocations/setMany inventoryLocations/suggestLimit
        inventoryLocations/twins inventoryLocations/{} inventoryLocations/{}/lookAlikes
        inventoryLocations/{}/merge inventoryLocations/{}/move inventoryLocations/{}/movements
        labelLayouts stocktakes stocktakes/{} stocktakes/{}/apply stocktakes/{}/counts
        stocktakes/{}/discard stocktakes/{}/found stocktakes/{}/rows stocktakes/{}/tally
    """,
    Role.PICKER: """
        account catalogue find preferences:read jobs jobs/{} jobs/{}/cancel jobs/{}/retry
        orders:read -orders/{}/messages -orders/{}/soldTwice -reports -reports/{}/file
        orders/papers orders/refresh orders/{} orders/{}/check orders/{}/pack orders/{}/seen
        orders/{}/ship orders/{}/unpack orders/{}/unship
        pickWalks pickWalks/{}/end pickWalks/{}/pick pickWalks/{}/undo
        inventoryContainerTypes:read inventoryContainerTypes/{}:read
        inventoryItems:read inventoryItems/destinations inventoryItems/lots inventoryItems/owned
        inventoryItems/groups inventoryItems/sums inventoryItems/viewCounts
        inventoryItems/{}:read
        inventoryItems/{}/movements
        inventoryLocations:read inventoryLocations/faces inventoryLocations/labels
        inventoryLocations/map inventoryLocations/{}:read inventoryLocations/{}/movements
        labelLayouts stocktakes stocktakes/{} stocktakes/{}/apply stocktakes/{}/counts
        stocktakes/{}/discard stocktakes/{}/found stocktakes/{}/rows stocktakes/{}/tally
    """,
}
_COSTS: Final = """
    cost cost_total cost_per_kg cost_per_piece cost_of_missing fees handling_cost
    landed_cost landed_per_kg price_paid price_per_kg profit return_on_cost shipping_cost
    source_profit spent
"""
_BUYERS: Final = "address address_name buyer buyer_email remarks"
#: What is not sent to a role, by its names on the wire.
HIDDEN: Final[Mapping[Role, Hidden]] = {
    # What the owner wrote of a source, such as what he paid there, is not for who sorts.
    Role.SORTER: Hidden(
        always=frozenset([*_COSTS.split(), "orders", "notes"]),
        of_orders=frozenset(["note"]),
        only_own=True,
    ),
    Role.PICKER: Hidden(
        always=frozenset(_COSTS.split()),
        of_past=frozenset(_BUYERS.split()),
        present=frozenset(["paid", "picked", "packed"]),
        only_own=True,
    ),
}
GROUP_OF: Final = {path: name for name, paths in OPERATIONS.items() for path in paths.split()}
WITHOUT_SCOPE: Final = (None, FOR_ANYBODY, *FOR_PERSONS)
SCOPES: Final = tuple(
    f"{name}:{how}" for name in OPERATIONS if name not in WITHOUT_SCOPE for how in ("read", "write")
)


def scope_of(path: str, method: str, *, is_dry_run: bool = False) -> str | None:
    """Return the scope of an operation by its path in the schema; None for one of persons."""
    path = _in_table(path)
    group = GROUP_OF.get(path)
    if group in WITHOUT_SCOPE:
        return None
    return f"{group}:{'read' if is_dry_run and plans(path) else _how(path, method)}"


def plans(path: str) -> bool:
    """Return whether a path in the schema changes nothing where `dry_run` is true."""
    return _in_table(path) in _PLANS.split()


def role_may(role: Role, path: str, method: str) -> bool:
    """Return whether a role reaches an operation, by its path in the schema."""
    path = _in_table(path)
    group = GROUP_OF.get(path)
    if group is None or group == FOR_ANYBODY:
        return group is not None
    return f"{_how(path, method)} {path}" not in refused_to(role)


def _in_table(path: str) -> str:
    return re.sub(r"\{\w*\}", "{}", path.removeprefix("/api/"))


def proof_for(path: str, method: str) -> str:
    """Return of whom an operation asks a proof: "nobody", "factor" (who has one) or "always"."""
    path = _in_table(path)
    if _how(path, method) == "read":
        return "nobody"
    if path in _ALWAYS_PROVEN.split():
        return "always"
    return "factor" if path in _PROVEN.split() else "nobody"


@cache
def _words_of(role: Role) -> dict[str, str]:
    """Return what of each group and operation a role reaches: `read write`, or less."""
    found = {}
    for word in _ROLES[role].split():
        name, _, how = word.removeprefix("-").partition(":")
        found[name] = "" if word.startswith("-") else how or "read write"
    return found


def _how(path: str, method: str) -> str:
    return "read" if method.upper() in ("GET", "HEAD") or path in _ONLY_READ.split() else "write"


@cache
def refused_to(role: Role) -> frozenset[str]:
    """Return what a role does not reach, as `write orders/{}/refund`."""
    words = _words_of(role)
    return frozenset(
        f"{how} {path}"
        for path, group in GROUP_OF.items()
        for how in ("read", "write")
        if group != FOR_ANYBODY and how not in words.get(path, words.get(group, ""))
    )


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

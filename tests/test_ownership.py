"""Nobody reads or changes what is somebody else's: a machine walks every route.

A new route fails the suite until it has a case here. `ann` owns one row of everything;
`bo` is signed in and a stranger; an anonymous caller has no token.
"""

import datetime as dt
import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from string import ascii_lowercase
from typing import Any

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.db import connection
from django.test import override_settings
from django.urls import path, resolve
from django.utils.crypto import get_random_string
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response
from rest_framework.routers import SimpleRouter
from rest_framework.test import APIClient

from apps.accounts.models import Membership, Passkey, RefreshGrant, RememberedDevice
from apps.accounts.services.api_tokens import make_token
from apps.accounts.services.members import invite
from apps.accounts.tests.factories import make_user
from apps.auctions.tests.factories import make_listing, make_search
from apps.backups.services.backups import start_backup
from apps.batches.tests.factories import make_batch, make_item
from apps.books.tests.factories import make_invoice
from apps.catalog.tests.factories import make_lot
from apps.core.api.serializers import RowSerializer
from apps.core.api.views import OwnedViewSet
from apps.core.clock import now
from apps.core.jobs.dispatch import start_job
from apps.core.testing.jobs import run_jobs
from apps.exports.services.exports import ExportOptions, start_export
from apps.inventory.models import InventorySync, Movement
from apps.inventory.services.bsx_sync import SyncOptions
from apps.inventory.services.stocktakes import start_stocktake
from apps.inventory.tests.factories import make_stock
from apps.listings.tests.factories import make_conflict, make_intent, make_sync
from apps.locations.models import ContainerType
from apps.locations.tests.factories import make_location
from apps.lots.models import KeptAct
from apps.orders.models import OrderLine
from apps.orders.tests.factories import make_order, make_walk
from apps.recognition.models import Capture
from apps.recognition.services.sittings import record_sitting
from apps.recognition.services.wrong_matches import report_wrong_match
from apps.sets.models import SetTake
from apps.sets.tests.factories import make_buildable, make_set_item, make_user_set
from apps.sources.models import Source
from apps.webhooks.services.webhooks import make_webhook
from tests.routes import Route, api_routes, api_schema

pytestmark = pytest.mark.django_db

# Anybody may call these, with or without a token.
PUBLIC = {
    "config",
    "demo-login",
    "docs",
    "check-password",
    "confirm-address",
    "forgot-password",
    "login",
    "login-second-step",
    "logout",
    "logs",
    "look-at-invitation",
    "hook-orders",  # the secret in its address is the token
    "register",
    "reset-password",
    "schema",
    "token-refresh",
}
# About the caller: there is no id in the address that could be somebody else's.
OWN = {
    "ask-for-proof",
    "authenticator",
    "confirm-authenticator",
    "new-passkey-options",
    "passkeys",
    "proof",
    "recovery-codes",
    "second-factor",
    "accept-invitation",
    "act-in-store",
    "auction-by-link",
    "auction-refresh-all",
    "auction-site",
    "change-password",
    "delete-account",
    "auction-worth",
    "batch-item-groups",
    "batch-item-sums",
    "books",
    "books-file",
    "books-settings",
    "catalog-check",
    "catalog-imports",
    "find",
    "home",
    "inventory-item-charts",
    "inventory-item-groups",
    "inventory-item-sums",
    "captures-file",
    "recognition-moulds",
    "report-file",
    "reports",
    "marketplace-connection",
    "marketplace-connection-demo",
    "marketplace-connection-test",
    "marketplace-item-look-ups",
    "marketplace-price-refreshes",
    "marketplace-price-run",
    "marketplace-pulls",
    "marketplace-schedule",
    "marketplace-sale-rule",
    "marketplace-sale-rule-preview",
    "marketplace-settle",
    "me",
    "preferences",
    "price-rule",
    "sessions",
    "send-confirmation",
    "sessions-end-others",
    "user-set-overview",
    "order-import-file",
    "order-refresh",
    "order-hook",
    "order-waiting",
}
# The catalogue is everybody's who is signed in.
SHARED = {
    "catalog-item-appearsIn",
    "catalog-item-common",
    "catalog-item-contents",
    "catalog-item-detail",
    "catalog-item-list",
    "catalog-lot-list",
    "catalog-lot-prices",
    "category-list",
    "color-list",
    "label-layouts",
    "marker-card",
    "recognition-identify",
    "recognition-state",
    "station-cards",
}


def make_session(user: Any) -> Any:
    """A session whose id is that of its only grant."""
    grant = uuid.uuid4()
    return RefreshGrant.objects.create(
        jti=grant, family=grant, user=user, issued_at=now(), expires_at=now() + dt.timedelta(days=1)
    )


# Resources whose rows have an owner: basename -> how to make one row of ann's.
OWNED: dict[str, Callable[[Any], Any]] = {
    "api-token": lambda user: make_token(
        owner=user, name="Script", scopes=["stock:read"], addresses=[], days=1, now=now()
    )[0],
    "auction-listing": make_listing,
    "auction-search": make_search,
    "backup": lambda user: start_backup(owner=user, now=now()),
    "batch": make_batch,
    "batch-item": lambda user: make_item(make_batch(user)),
    "container-type": lambda user: ContainerType.objects.create(owner=user, name="Drawer"),
    "export": lambda user: make_export(user),
    "inventory-item": lambda user: make_stock(user),
    "inventory-sync": lambda user: InventorySync.objects.create(
        owner=user,
        file=ContentFile(b"", name="store.bsx"),
        file_name="store.bsx",
        state="applied",
        options=asdict(SyncOptions(several_locations="ignore")),
    ),
    "invitation": lambda user: invite(owner=user, role="picker", email_address="", now=now())[0],
    "member": lambda user: Membership.objects.create(
        owner=user, person=make_user(get_random_string(20, ascii_lowercase)), role="manager"
    ),
    "job": lambda user: start_job(owner=user, kind="of.this_test", payload={}),
    "location": lambda user: make_location(user, name="B-1"),
    "marketplace-conflict": make_conflict,
    "marketplace-listing": make_intent,
    "marketplace-sync": make_sync,
    "invoice": make_invoice,
    "order": make_order,
    "passkey": lambda user: Passkey.objects.create(
        owner=user, name="Laptop", credential_id=get_random_string(20), public_key="AAAA"
    ),
    "pick-walk": make_walk,
    "remembered-device": lambda user: RememberedDevice.objects.create(
        owner=user,
        token_hash=get_random_string(64),
        family=uuid.uuid4(),
        expires_at=now() + dt.timedelta(days=30),
    ),
    "stock-act": lambda user: KeptAct.objects.create(owner=user, kind="move"),
    "stocktake": lambda user: start_stocktake(owner=user, location=make_location(user, name="S-1")),
    "session": make_session,
    "source": lambda user: Source.objects.create(owner=user, name="Flea market"),
    "station-sitting": lambda user: record_sitting(
        owner=user, key="a", figures={"started_at": now(), "acted_at": now()}
    ),
    "user-set": make_user_set,
    "capture": lambda user: Capture.objects.create(
        owner=user, item=make_stock(user).lot.item, model="1", vector="AAAA", crop="AAAA"
    ),
    "webhook": lambda user: make_webhook(
        owner=user, address="https://example.org/hook", events=["order.received"]
    )[0],
    "wrong-match": lambda user: report_wrong_match(
        owner=user, said={"seen_type": "PART", "seen_number": "3001", "score": 0.9}
    ),
    "set-part": lambda user: make_user_set(user).requirements.get(),
    "build-search": lambda user: make_buildable(user).found_by,
    "buildable-set": make_buildable,
}
# BrickLink's own number, the place where a listing is, and a tax office's number.
NO_IDS_OF_OURS = {
    ("export", "wanted_list_id"),
    ("user-set", "wanted_list_id"),
    ("auction-listing", "location"),
    ("user-set", "inventory_id"),  # the catalogue's list of what the set is made of
    ("wrong-match", "listing_id"),
    (None, "vat_id"),
    (None, "item_ids"),
}
# Written by every request, whoever sends it.
BOOKKEEPING = {"core.RateWindow", "core.StoredAnswer", "sessions.Session"}
# What a statement begins with that leaves every row as it is.
CHANGE_NOTHING = ("SELECT ", "SAVEPOINT ", "RELEASE SAVEPOINT ", "SET ")


def make_export(user: Any) -> Any:
    return start_export(owner=user, batch=None, options=ExportOptions(), now=now())


def basename_of(route: Route) -> str | None:
    """`batch-item` for `batch-item-bulk`: the longest that fits."""
    fitting = [name for name in OWNED if route.name.startswith(f"{name}-")]
    return max(fitting, key=len, default=None)


def has_a_case(route: Route) -> bool:
    return route.name in PUBLIC | OWN | SHARED or basename_of(route) is not None


def everything() -> dict[str, list[dict[str, Any]]]:
    """Every row there is, to see that nothing changed."""
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values())
        for model in apps.get_models()
        if model._meta.label not in BOOKKEEPING and model._meta.managed
    }


@contextmanager
def noting_writes() -> Iterator[list[str]]:
    """Yield a list that grows with each statement that may have changed a row."""
    found: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.lstrip().upper().startswith(CHANGE_NOTHING):
            found.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield found


def client_of(user: Any = None) -> APIClient:
    client = APIClient(raise_request_exception=False)
    if user is not None:
        client.force_authenticate(user)
    return client


def intrusions(
    routes: list[Route], rows: dict[str, Any], client: APIClient, wanted: int
) -> list[str]:
    """Call each detail route of ann's rows; return what was not answered as `wanted`.

    Every row is read again only after a call that wrote something.
    """
    found = []
    before = everything()
    for route in routes:
        base = basename_of(route)
        if base is None or not route.is_detail:
            continue
        for method in route.methods:
            with noting_writes() as writes:
                response = getattr(client, method)(route.of(rows[base].pk), {}, format="json")
            if response.status_code != wanted:
                found.append(f"{method} {route.path}: {response.status_code}")
            after = everything() if writes else before
            if after != before:
                found.append(f"{method} {route.path}: something changed")
            before = after
    # What the bulk writes past Django's cursors is noted by no wrapper.
    if everything() != before:
        found.append("something changed, at one of the routes")
    return found


@pytest.fixture
def rows(ann):
    """One row of ann's of everything that has an owner."""
    return {name: make(ann) for name, make in OWNED.items()}


class TestTheWalk:
    def test_has_a_case_for_every_route(self):
        routes = api_routes()

        assert len(routes) > 20
        assert [route.name for route in routes if not has_a_case(route)] == []

    def test_has_no_case_without_a_route(self):
        names = {route.name for route in api_routes()}
        bases = {basename_of(route) for route in api_routes()}

        assert (PUBLIC | OWN | SHARED) - names == set()
        assert set(OWNED) - bases == set()

    def test_reaches_every_row_of_its_owner(self, ann, rows):
        client = client_of(ann)

        for route in api_routes():
            base = basename_of(route)
            if base and route.name == f"{base}-detail":
                assert client.get(route.of(rows[base].pk)).status_code == 200, route.name
            if base and route.name == f"{base}-list" and "get" in route.methods:
                assert client.get(route.path).json()["data"], route.name


@pytest.mark.long("reads every table after each call that writes")
class TestAStranger:
    def test_finds_none_of_ones_rows(self, bo, rows):
        assert intrusions(api_routes(), rows, client_of(bo), 404) == []

    def test_lists_none_of_ones_rows(self, bo, rows):
        client = client_of(bo)

        for route in api_routes():
            base = basename_of(route)
            is_list = base and route.name not in OWN and not route.is_detail
            if is_list and "get" in route.methods:
                response = client.get(route.path)
                if response.status_code != 400:  # it asks for a parameter first
                    assert response.json()["data"] == [], route.name


@pytest.mark.long("reads every table after each call that writes")
class TestAnonymous:
    def test_finds_none_of_ones_rows(self, rows):
        assert intrusions(api_routes(), rows, client_of(), 401) == []

    def test_is_asked_to_sign_in_everywhere_else(self, rows):
        client = client_of()
        before = everything()

        for route in api_routes():
            if route.name not in PUBLIC and not (basename_of(route) and route.is_detail):
                for method in route.methods:
                    response = getattr(client, method)(route.of(1), {}, format="json")
                    assert response.status_code == 401, f"{method} {route.path}"
        assert everything() == before


def bodies_with_foreign_ids(rows: dict[str, Any], mine: dict[str, Any]) -> Iterator[tuple]:
    """Yield (method, address, body): bo's own row, ann's id in the body."""
    lot = make_lot()
    item = {"batch_id": mine["batch"].pk, "lot_id": lot.pk, "qty": 1}
    theirs = {name: row.pk for name, row in rows.items()}
    bin_of_ann, kind_of_ann = theirs["location"], theirs["container-type"]
    stock = f"/api/inventoryItems/{mine['inventory-item'].pk}"
    bin_of_bo = f"/api/inventoryLocations/{mine['location'].pk}"
    batch, line = f"/api/batches/{mine['batch'].pk}", f"/api/batchItems/{mine['batch-item'].pk}"

    yield "post", "/api/batches", {"name": "x", "source_id": theirs["source"]}
    yield "post", "/api/batches/fromListing", {"listing_id": theirs["auction-listing"]}
    won = {"listing_id": mine["auction-listing"].pk, "source_id": theirs["source"]}
    yield "post", "/api/batches/fromListing", won
    yield "patch", batch, {"source_id": theirs["source"]}
    yield "post", "/api/batchItems", {**item, "batch_id": theirs["batch"]}
    yield "post", "/api/batchItems", {**item, "user_inventory_item_location_id": bin_of_ann}
    yield "patch", line, {"batch_id": theirs["batch"]}
    yield "patch", line, {"user_inventory_item_location_id": bin_of_ann}
    yield "post", "/api/batchItems/bulk", {"create": [{**item, "batch_id": theirs["batch"]}]}
    planned = {**item, "user_inventory_item_location_id": bin_of_ann}
    yield "post", "/api/batchItems/bulk", {"create": [planned]}
    yield "post", "/api/batchItems/bulk", {"update": [{"id": theirs["batch-item"], "qty": 9}]}
    yield "post", "/api/batchItems/bulk", {"delete": [theirs["batch-item"]]}
    there = {"user_inventory_item_location_id": bin_of_ann}
    yield "post", "/api/batchItems/bulk", {"ids": [mine["batch-item"].pk], "set": there}
    alike = {"set": {"qty": 9}}
    yield "post", "/api/batchItems/bulk", {"ids": [theirs["batch-item"]], **alike}
    yield "post", "/api/batchItems/bulk", {"filter": {"batch": theirs["batch"]}, **alike}
    for verb in ("stow", "remove", "markListed"):
        yield "post", f"{batch}/{verb}", {"items": [theirs["batch-item"]]}
    yield "post", f"{batch}/stow", {"items": "all", "location_id": bin_of_ann}
    up = {"batch_id": mine["batch"].pk, "items": [theirs["batch-item"]]}
    yield "post", "/api/marketplace/listings", up
    yield "post", "/api/marketplace/listings", {"batch_id": theirs["batch"], "items": "all"}
    for verb in ("stock", "unlist"):
        body = {"ids": [theirs["inventory-item"]]}
        yield "post", f"/api/marketplace/listings/{verb}", body
    yield "post", "/api/marketplace/itemLookups", {"id": theirs["inventory-item"]}
    question = {"ids": [theirs["marketplace-conflict"]], "decision": "theirs"}
    yield "post", "/api/marketplace/conflicts/settle", question
    yield "post", "/api/marketplace/syncs", {"batch_id": theirs["batch"]}
    for verb, also in ACTS.items():
        yield "post", f"{batch}/{verb}", {"items": [theirs["batch-item"]], **also}
    yield "post", f"{batch}/getPrices", {"items": [theirs["batch-item"]]}
    yield "post", "/api/marketplace/priceRun", {"ids": [theirs["inventory-item"]]}
    yield "post", f"{batch}/moveItems", {"items": "all", "to_batch_id": theirs["batch"]}
    yield "post", f"{batch}/merge", {"to_batch_id": theirs["batch"]}
    yield "post", f"{batch}/undo", {"act_id": act_of(rows["batch"]).pk}
    yield "post", "/api/exports", {"kind": "bsx", "scope": "batch", "batch_id": theirs["batch"]}
    asked = {"scope": "batch", "batch_id": theirs["batch"], "options": {"item_ids": [1]}}
    yield "post", "/api/exports/preview", asked
    new = {"lot_id": lot.pk, "quantity": 1, "location_id": bin_of_ann}
    yield "post", "/api/inventoryItems", new
    yield "patch", stock, {"location_id": bin_of_ann}
    yield "post", f"{stock}/move", {"to": bin_of_ann}
    yield from many_items_with_foreign_ids(theirs, mine["inventory-item"].pk, lot.pk)
    yield "post", "/api/stocktakes", {"location_id": bin_of_ann}
    counted = {"counts": [{"item_id": theirs["inventory-item"], "counted": 0}]}
    yield "post", f"/api/stocktakes/{mine['stocktake'].pk}/counts", counted
    kind = {"inventory_container_type_id": kind_of_ann}
    yield "post", "/api/inventoryLocations", {"name": "x", **kind}
    yield "patch", bin_of_bo, kind
    yield "post", "/api/inventoryLocations/pattern", {"pattern": "X-[1-2]", **kind}
    yield "post", "/api/inventoryLocations/deleteMany", {"ids": [bin_of_ann]}
    yield "post", "/api/inventoryLocations/suggestLimit", {"ids": [bin_of_ann]}
    limit = {"max_item_count": 1}
    yield "post", "/api/inventoryLocations/setMany", {"ids": [bin_of_ann], "set": limit}
    yield "post", "/api/inventoryLocations/setMany", {"ids": [mine["location"].pk], "set": kind}
    weights = dict.fromkeys(("max_total_weight", "min_item_weight", "max_item_weight"))
    for pk in (bin_of_ann, mine["location"].pk):
        row = {"id": pk, "updatedAt": "2026-01-02T03:04:05Z", **limit, **weights, **kind}
        yield "post", "/api/inventoryLocations/putBackMany", {"rows": [row]}
    yield "post", f"{bin_of_bo}/move", {"to": bin_of_ann}
    yield "post", f"{bin_of_bo}/merge", {"into": bin_of_ann}
    source_of_bo = f"/api/sources/{mine['source'].pk}"
    yield "post", f"{source_of_bo}/merge", {"into": theirs["source"]}
    yield "post", f"{source_of_bo}/reassign", {"to": theirs["source"]}
    yield from sets_with_foreign_ids(rows, mine["user-set"])
    yield from orders_with_foreign_ids(rows, mine)
    labels = {"ids": [bin_of_ann], "layout": "roll_62"}
    yield "post", "/api/inventoryLocations/labels", labels
    labels = {"ids": [theirs["batch"]], "layout": "roll_62"}
    yield "post", "/api/batches/labels", labels


def orders_with_foreign_ids(theirs: dict[str, Any], mine: dict[str, Any]) -> Iterator[tuple]:
    """The calls on orders and walks."""
    own, walk = f"/api/orders/{mine['order'].pk}", f"/api/pickWalks/{mine['pick-walk'].pk}"
    line, my_line = (
        OrderLine.objects.filter(order=rows["order"]).get().pk for rows in (theirs, mine)
    )
    stock = theirs["inventory-item"]
    yield "post", "/api/orders", {"lines": [{"item_id": stock.pk, "quantity": 1}]}
    back = {"lines": [{"line_id": line, "quantity": 1}]}
    yield "post", f"{own}/return", back
    there = {"location_id": theirs["location"].pk}
    yield "post", f"{own}/return", {"lines": [{"line_id": my_line, "quantity": 1}], **there}
    yield "post", f"{own}/check", {"line_ids": [line]}
    for act in ("leaveOutPieces", "undoLeaveOutPieces"):
        yield "post", f"{own}/{act}", {"line_id": line, "pieces": 1}
    yield "post", "/api/pickWalks", {"order_ids": [theirs["order"].pk]}
    yield "post", f"{own}/combine", {"order_ids": [theirs["order"].pk]}
    papers = {"kind": "packing_slip", "order_ids": [theirs["order"].pk]}
    yield "post", "/api/orders/papers", papers
    yield "post", "/api/invoices", {"order_ids": [theirs["order"].pk]}
    yield "post", "/api/invoices/each", {"order_ids": [theirs["order"].pk]}
    yield "post", "/api/orders/papers", {"kind": "pick_list", "walk_id": theirs["pick-walk"].pk}
    picked = {"item_id": stock.pk, "lines": [{"line_id": line, "quantity": 1}]}
    yield "post", f"{walk}/pick", picked
    movement = Movement.objects.filter(item=stock).first()
    yield "post", f"{walk}/undo", {"movement_ids": [movement.pk]}
    one = {"item_id": stock.pk, "line_id": line, "quantity": 1}
    yield "post", f"{walk}/undo", {"movement_ids": [], "uncounted": [one]}


def sets_with_foreign_ids(rows: dict[str, Any], mine: Any) -> Iterator[tuple]:
    """The calls on sets, and the batch that a set is parted out into."""
    own, another = f"/api/userSets/{mine.pk}", make_set_item("").number
    for field in ("location", "source"):
        yield "post", "/api/userSets", {"number": another, f"{field}_id": rows[field].pk}
        yield "patch", own, {f"{field}_id": rows[field].pk}
    yield "post", f"{own}/take", {"parts": [{"id": rows["set-part"].pk, "quantity": 1}]}
    take = SetTake.objects.create(owner=rows["user-set"].owner, user_set=rows["user-set"])
    yield "post", f"{own}/undoTake", {"take_id": take.pk}
    file = {"user_sets": [rows["user-set"].pk], "kind": "csv"}
    yield "post", "/api/userSets/missingFile", file
    out = {"number": mine.item.number, "batch_id": rows["batch"].pk}
    yield "post", "/api/batches/partOut", out
    yield "post", "/api/batches/partOut", {"user_set_id": rows["user-set"].pk}
    yield "post", "/api/batches/partOut/prices", {"user_set_id": rows["user-set"].pk}
    yield "post", "/api/batches/partOut/prices", out


def act_of(batch: Any) -> Any:
    return KeptAct.objects.create(owner=batch.owner, batch=batch, kind="reprice")


# Acts on items of a batch, and what they ask for beside the items.
ACTS: dict[str, dict[str, Any]] = {
    "reprice": {"by": "fixed", "price": "9"},
    "spreadCost": {"by": "pieces", "total": "9"},
    "recommendLocations": {"replace": True},
    "consolidate": {},
    "split": {},
}


def many_items_with_foreign_ids(theirs: dict[str, int], mine: int, lot: int) -> Iterator[tuple]:
    """The calls on many rows of stock at once."""
    many, row, bin_of_ann = "/api/inventoryItems", theirs["inventory-item"], theirs["location"]
    yield "post", f"{many}/bulk", {"create": [{"lot_id": lot, "location_id": bin_of_ann}]}
    yield "post", f"{many}/bulk", {"update": [{"id": row, "quantity": 9}]}
    yield "post", f"{many}/bulk", {"update": [{"id": mine, "location_id": bin_of_ann}]}
    yield "post", f"{many}/bulk", {"delete": [{"id": row, "zero": True}]}
    yield "post", f"{many}/bulk", {"ids": [row], "set": {"quantity": 9}}
    yield "post", f"{many}/bulk", {"ids": [mine], "set": {"location_id": bin_of_ann}}
    yield "post", f"{many}/move", {"ids": [row], "to": None}
    yield "post", f"{many}/move", {"items": [{"id": row, "quantity": 1}], "to": None}
    yield "post", f"{many}/move", {"ids": [mine], "to": bin_of_ann}
    yield "post", f"{many}/consolidate", {"ids": [row, mine]}
    yield "post", f"{many}/reprice", {"ids": [row], "by": "fixed", "price": "9"}
    split = {"quantity": 1, "changes": {"location_id": bin_of_ann}}
    yield "post", f"{many}/{mine}/split", split


@pytest.mark.long("reads every table after each call that writes")
class TestForeignIdsInBodies:
    def test_change_nothing_of_their_owner(self, ann, bo, rows):
        mine = {name: make(bo) for name, make in OWNED.items()}
        client = client_of(bo)

        calls = list(bodies_with_foreign_ids(rows, mine))
        before = of_owner(ann)

        for method, address, body in calls:
            with noting_writes() as writes:
                response = getattr(client, method)(address, body, format="json")
            assert response.status_code in {400, 404, 409}, (method, address, body, response.json())
            assert not writes or of_owner(ann) == before, (method, address, body)
        assert of_owner(ann) == before

    def test_export_nothing_of_their_owner(self, bo, rows):
        body = {
            "kind": "bsx",
            "scope": "batch",
            "batch_id": make_batch(bo).pk,
            "options": {"item_ids": [rows["batch-item"].pk]},
        }
        (asked,) = client_of(bo).post("/api/exports", body, format="json").json()["data"]

        run_jobs()

        (export,) = client_of(bo).get(f"/api/exports/{asked['id']}").json()["data"]
        assert (export["state"], export["row_count"]) == ("succeeded", 0)

    def test_are_tried_in_every_field_that_takes_an_id(self, ann, bo, rows):
        tried = {("export-list", "item_ids")}  # the test above
        # And those below.
        tried |= {("inventory-item-view-counts", field) for field in VIEWS_OF}
        tried.add(("location-faces", "ids"))
        for _, address, body in bodies_with_foreign_ids(rows, {n: m(bo) for n, m in OWNED.items()}):
            tried |= {(resolve(address).url_name, field) for field in fields_in(body)}

        wanted = {
            (route.name, field)
            for route in api_routes()
            for method in route.methods
            for field in written_fields(route, method)
            if OWNED_ID.search(field) and (basename_of(route), field) not in NO_IDS_OF_OURS
        }
        assert len(wanted) > 10
        assert sorted(wanted - tried) == []

    def test_show_no_picture_of_their_owner(self, ann, bo, rows):
        stock = make_stock(ann, location=make_location(ann, name="F-1"))
        body = {"ids": [stock.location_id]}

        def shown_to(person):
            return client_of(person).post("/api/inventoryLocations/faces", body, format="json")

        assert shown_to(bo).json()["data"] == []
        assert shown_to(ann).json()["data"]

    def test_count_nothing_in_views(self, bo, rows):
        views = [{name: rows[owned].pk} for name, owned in VIEWS_OF.items()]

        response = client_of(bo).post(
            "/api/inventoryItems/viewCounts", {"filters": views}, format="json"
        )

        assert response.json()["data"] == [{"rows": 0}] * len(views)

    def test_find_nothing_in_the_filters_of_lists(self, ann, bo, rows):
        theirs = {name: row.pk for name, row in rows.items()}
        for query in (
            f"batchItems?batch={theirs['batch']}",
            f"batchItems?location={theirs['location']}",
            f"batches?source={theirs['source']}",
            f"exports?batch={theirs['batch']}",
            f"inventoryItems?location={theirs['location']}",
            f"inventoryItems/owned?lot={rows['inventory-item'].lot_id}",
            f"inventoryItems/destinations?lot={rows['inventory-item'].lot_id}",
            f"inventoryLocations?container_type={theirs['container-type']}",
        ):
            response = client_of(bo).get(f"/api/{query}")
            assert response.status_code in {200, 400}, query
            assert response.json()["data"] == [], query


# What the views of the stock may be narrowed by that has an owner.
VIEWS_OF = {
    "location": "location",
    "location_id": "location",
    "batch": "batch",
    "batch_id": "batch",
}
# What names a row that has an owner; the catalogue's ids are everybody's.
OWNED_ID = re.compile(
    r"^(?!lot_ids?$|color_id$|item_id$|category_id$|marketplace_lot_id$|status_id$)"
    r"(?:.*_ids?|to|items|ids|update|delete|location|batch|source)$"
)


@cache
def schema() -> dict[str, Any]:
    return api_schema()


def written_fields(route: Route, method: str) -> set[str]:
    """The names of all fields that the schema lets in, nested ones too."""
    operation = schema()["paths"].get(route.path.replace("{pk}", "{id}"), {}).get(method, {})
    contents = operation.get("requestBody", {}).get("content", {})
    return {name for content in contents.values() for name in property_names(content["schema"])}


def property_names(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for part in node:
            yield from property_names(part)
    elif isinstance(node, dict):
        if reference := node.get("$ref"):
            yield from property_names(schema()["components"]["schemas"][reference.split("/")[-1]])
        for name, part in node.get("properties", {}).items():
            yield name
            # What a filter names is looked for among the caller's own rows, as in lists.
            if name != "filter":
                yield from property_names(part)
        for key, part in node.items():
            if key != "properties":
                yield from property_names(part)


def fields_in(body: Any) -> Iterator[str]:
    if isinstance(body, list):
        for part in body:
            yield from fields_in(part)
    elif isinstance(body, dict):
        yield from body
        yield from fields_in(list(body.values()))


def of_owner(user: Any) -> dict[str, list[dict[str, Any]]]:
    return {
        model._meta.label: list(model._base_manager.filter(owner=user).order_by("pk").values())
        for model in apps.get_models()
        if any(field.name == "owner" for field in model._meta.local_fields)
        and model._meta.label not in BOOKKEEPING
    }


class LeakySourceRow(RowSerializer):
    id = serializers.IntegerField()
    name = serializers.CharField()


class LeakySources(OwnedViewSet):
    """What the walk must catch: rows by id without asking whose they are."""

    queryset = Source.objects.all()
    row_serializer = LeakySourceRow
    write_serializer = LeakySourceRow

    def get_queryset(self) -> Any:
        return Source.objects.all()

    def update_row(self, row: Any, data: dict[str, Any]) -> None:
        Source.objects.filter(pk=row.pk).update(name="taken")

    def delete_row(self, row: Any) -> None:
        row.delete()


class LeakyAction(OwnedViewSet):
    """Guarded, but for one extra action."""

    queryset = Source.objects.all()
    row_serializer = LeakySourceRow
    write_serializer = LeakySourceRow

    @action(detail=True, methods=["post"])
    def rename(self, request: Any, pk: Any) -> Response:
        Source.objects.filter(pk=pk).update(name="taken")
        return Response(None)


router = SimpleRouter(trailing_slash=False)
router.register("api/leaky", LeakySources, basename="source-leaky")
router.register("api/sly", LeakyAction, basename="source-sly")
urlpatterns = [*router.urls, path("api/other", LeakySources.as_view({"get": "list"}), name="other")]


class TestTheWalkItself:
    def test_catches_views_that_do_not_ask_whose_a_row_is(self, bo, rows):
        with override_settings(ROOT_URLCONF=__name__):
            routes = api_routes(__name__)
            found = intrusions(routes, rows, client_of(bo), 404)

        assert [route.name for route in routes if not has_a_case(route)] == ["other"]
        assert {problem.partition(":")[0] for problem in found} == {
            "get /api/leaky/{pk}",
            "patch /api/leaky/{pk}",
            "delete /api/leaky/{pk}",
            "post /api/sly/{pk}/rename",
        }
        assert "patch /api/leaky/{pk}: something changed" in found

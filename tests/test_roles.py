"""What each role reaches of a store: every operation of the API, tried by every caller."""

import json
import os
import re
from decimal import Decimal
from pathlib import Path

import pytest
from rest_framework.test import APIClient

from apps.accounts.api.scopes import (
    _ROLES,
    FOR_ANYBODY,
    GROUP_OF,
    HIDDEN,
    OPERATIONS,
    proof_for,
    refused_to,
    role_may,
)
from apps.accounts.models import Membership, Role
from apps.accounts.services.tokens import issue_tokens
from apps.batches.tests.factories import make_batch
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.inventory.models import Movement
from apps.inventory.tests.factories import make_stock
from apps.lots.models import KeptAct
from apps.orders.models import IN_HAND, Order
from apps.orders.selectors.walks import stops_of
from apps.orders.services.handling import refund_order
from apps.orders.services.picking import pick_stop
from apps.orders.tests.factories import make_order, make_walk
from apps.sources.models import Source
from tests.routes import api_routes, api_schema
from tests.test_ownership import OWNED, basename_of, intrusions
from tests.test_tokens import operations, short

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parent.parent
REFUSAL = "Your role in this store"
MEMBERS = (Role.MANAGER, Role.SORTER, Role.PICKER)


def signed_in(person, store=None):
    """Return a client with a session of `person`, in a store or his own."""
    client = APIClient(raise_request_exception=False)
    pair = issue_tokens(user=person, store=store, now=now())
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {pair.access}")
    return client


@pytest.fixture
def member_of(make_user):
    """`member_of(ann, Role.PICKER)` is a new person who works there."""

    def make(store, role, name=None):
        person = make_user(name or f"{role}")
        Membership.objects.create(owner=store, person=person, role=role)
        return person

    return make


@pytest.fixture
def rows(ann):
    """One row of ann's of everything that has an owner."""
    return {name: make(ann) for name, make in OWNED.items()}


def calls():
    """Yield path in the table, method and an address, of each operation that asks for a sign-in."""
    for route in api_routes():
        path = short(route.path)
        if GROUP_OF[path] == FOR_ANYBODY:
            continue
        for method in route.methods:
            yield path, method, route


PAGE = ROOT / "docs/build/roles.md"
HEAD = """# Roles

What members reach of a store by the API; its owner reaches everything. An operation is a path and whether it
reads or writes. A refusal is `403` with a sentence, before anything is looked up. What a role does not see
is null or empty in every answer, and cannot be written, filtered or sorted by.

| Hidden from | fields |
|---|---|
"""


def page():
    """Return the text of the page of roles."""
    lines = [HEAD.rstrip()]
    for role, hidden in HIDDEN.items():
        lines.append(f"| {role} | {' '.join(f'`{name}`' for name in sorted(hidden.always))} |")
    past = " ".join(f"`{name}`" for name in sorted(HIDDEN[Role.PICKER].of_past))
    lines += [f"| picker, of orders that are not paid, picked or packed | {past} |", ""]
    lines += ["| Operation | manager | sorter | picker |", "|---|---|---|---|"]
    for path, group in sorted(GROUP_OF.items()):
        if group != FOR_ANYBODY:
            reached = [
                ", ".join(
                    how for how in ("read", "write") if f"{how} {path}" not in refused_to(role)
                )
                for role in MEMBERS
            ]
            lines.append(f"| `{path}` | {' | '.join(reached)} |")
    return "\n".join(lines) + "\n"


class TestTheTable:
    def test_stands_in_the_documentation(self):
        if os.environ.get("UPDATE_ROLES"):
            PAGE.write_text(page())

        assert PAGE.read_text() == page(), "run this test with UPDATE_ROLES=1"

    def test_has_what_pages_ask_for(self):
        """Each operation that the front end names is one of the table."""
        asked = re.compile(r'"(?:read|write) ([A-Za-z]+(?:/[A-Za-z{}]+)*)"')
        named = {
            path
            for file in (ROOT / "frontend/src").rglob("*.ts*")
            if ".test." not in file.name
            for path in asked.findall(file.read_text())
        }

        assert len(named) > 15
        assert sorted(named - set(GROUP_OF)) == []

    def test_names_operations_and_groups_that_exist(self):
        known = set(GROUP_OF) | set(OPERATIONS)
        named = {
            word.removeprefix("-").partition(":")[0]
            for words in _ROLES.values()
            for word in words.split()
        }

        assert sorted(named - known) == []

    def test_lets_the_owner_do_everything(self):
        assert refused_to(Role.OWNER) == frozenset()

    def test_keeps_what_cannot_be_taken_back_from_all_members(self):
        for role in MEMBERS:
            for path in OPERATIONS["owner"].split():
                for method in ("post", "put", "patch", "delete"):
                    assert not role_may(role, path, method), f"{role} {method} {path}"

    def test_gives_a_manager_what_a_sorter_and_a_picker_have(self):
        for path, group in GROUP_OF.items():
            if group == FOR_ANYBODY:
                continue
            for how in ("get", "post"):
                if role_may(Role.SORTER, path, how) or role_may(Role.PICKER, path, how):
                    assert role_may(Role.MANAGER, path, how), path

    def test_gives_a_sorter_what_the_station_calls(self):
        """Its own tests answer each call that it makes, and fail at any other."""
        calls = {
            (method, re.sub(r"\d+", "{}", path))
            for file in (ROOT / "frontend/src/features/stow").rglob("*.ts*")
            for method, path in re.findall(r'"([A-Z]+) /api/([^"]+)"', file.read_text())
        }
        refused = {one for one in calls if not role_may(Role.SORTER, one[1], one[0])}

        assert len(calls) > 30
        # Of sets: `asks for no set where the role reaches none` in StowPage.test.tsx.
        assert refused == {
            ("GET", "userSetParts"),
            ("GET", "userSets/destinations"),
            ("POST", "userSets/{}/putAside"),
        }

    def test_knows_the_states_of_orders_in_hand(self):
        assert HIDDEN[Role.PICKER].present == set(IN_HAND)

    def test_hides_names_that_answers_have(self):
        schema = json.dumps(api_schema())
        for hidden in HIDDEN.values():
            for name in hidden.always | hidden.of_past:
                assert f'"{name}"' in schema, name


def test_no_view_takes_who_acts_for_the_owner():
    views = [*(ROOT / "apps").glob("*/api/*.py"), *(ROOT / "apps").glob("core/jobs/*.py")]

    assert len(views) > 50
    wrong = re.compile(r"owner=caller_of|owner(, by)? = caller_of|by=(self\.)?request\.user")
    assert [view.name for view in views if wrong.search(view.read_text())] == []


@pytest.mark.long("calls every operation as each role")
class TestEveryOperation:
    @pytest.mark.parametrize("role", MEMBERS)
    def test_answers_who_calls_by_the_table(self, ann, rows, member_of, role):
        """The owner's calls are those of all other tests."""
        person = member_of(ann, role)
        client = signed_in(person, ann)
        wrong, tried = [], 0

        for path, method, route in calls():
            base = basename_of(route)
            address = route.of(rows[base].pk if base else 1)
            # A body that nothing takes: what is allowed is refused for it, or finds nothing.
            response = getattr(client, method)(address, {"?": "?"}, format="json")
            is_refused = response.status_code == 403 and (
                method == "head" or REFUSAL in response.content.decode()
            )
            tried += 1
            if is_refused == role_may(role, path, method):
                wrong.append(f"{method} {path}: {response.status_code} {response.content[:200]}")
            if path == "users/sessions/end-others":
                client = signed_in(person, ann)
        assert wrong == []
        assert tried >= len(operations()) - len(OPERATIONS[FOR_ANYBODY].split())

    @pytest.mark.parametrize("role", MEMBERS)
    def test_finds_none_of_another_stores_rows(self, ann, bo, rows, member_of, role):
        """A member of bo's, in bo's store: of ann's it is 404, or his role's refusal."""
        client = signed_in(member_of(bo, role), bo)
        routes = api_routes()

        found = intrusions(routes, rows, client, 404)

        assert [one for one in found if not is_by_table(one, role)] == []


def is_by_table(told, role):
    """Whether `get /api/orders/{pk}: 403` is the refusal that the table asks for, or a proof is."""
    call, _, outcome = told.rpartition(": ")
    method, _, path = call.partition(" ")
    is_refused = not role_may(role, short(path), method)
    return outcome == "403" and (is_refused or proof_for(short(path), method) == "always")


class TestWhatIsNotSent:
    def test_is_what_rows_cost_a_sorter_and_a_picker(self, ann, member_of):
        stock = make_stock(ann, quantity=5, price=Decimal(2), cost=Decimal("0.5"))
        for role in (Role.SORTER, Role.PICKER):
            client = signed_in(member_of(ann, role), ann)
            (row,) = client.get(f"/api/inventoryItems/{stock.pk}").json()["data"]
            assert row["cost"] is None
            assert Decimal(row["price"]) == 2
        (row,) = signed_in(ann).get(f"/api/inventoryItems/{stock.pk}").json()["data"]
        assert Decimal(row["cost"]) == Decimal("0.5")

    def test_is_what_others_wrote_of_a_source_and_of_an_order_to_a_sorter(self, ann, member_of):
        source = Source.objects.create(owner=ann, name="Market", notes="40 EUR to Carl")
        stock = make_stock(ann, quantity=5)
        walk = make_walk(ann, make_order(ann, (stock, 2)))
        (stop,) = stops_of(walk=walk)
        none = {tray["line_id"]: 0 for tray in stop["trays"]}
        pick_stop(walk=walk, item_id=stock.pk, picked=none, by=ann, now=now(), reason="not_found")
        client = signed_in(member_of(ann, Role.SORTER), ann)

        (row,) = client.get(f"/api/sources/{source.pk}").json()["data"]
        moves = client.get(f"/api/inventoryItems/{stock.pk}/movements").json()["data"]

        (own,) = Movement.objects.filter(cause_kind="order")
        assert "while picking order" in own.note
        assert (row["name"], row["notes"]) == ("Market", "")
        assert [move["note"] for move in moves if move["cause_kind"] == "order"] == [""]

    def test_is_no_source_by_what_is_written_of_it(self, ann, member_of):
        Source.objects.create(owner=ann, name="Market", notes="40 EUR to Carl")
        client = signed_in(member_of(ann, Role.SORTER), ann)
        found = {
            text: [
                len(one.get(f"/api/sources?search={text}").json()["data"])
                for one in (client, signed_in(ann))
            ]
            for text in ("carl", "market", "market carl")
        }

        assert found == {"carl": [0, 1], "market": [1, 1], "market carl": [0, 1]}

    def test_is_the_buyer_in_what_happened_to_an_order(self, ann, member_of):
        order = make_order(ann, buyer="carl")
        Order.objects.update(address_name="Carl C", total=Decimal(5))
        for state in ("paid", "shipped"):
            Order.objects.update(state=state)
            order.refresh_from_db()
            refund_order(order=order, amount=Decimal("0.5"), note="Carl lost it", now=now())
        events = f"/api/orders/{order.pk}/events"

        own = signed_in(ann).get(events).json()["data"]
        theirs = signed_in(member_of(ann, Role.PICKER), ann).get(events).json()["data"]

        assert [row["kind"] for row in own if "Carl" in row["text"]] == ["refunded", "refunded"]
        assert not any("carl" in str(row).lower() for row in theirs)

    @pytest.mark.parametrize(
        "asked",
        ["batches?ordering=cost_total", "batches?cost_total=5", "inventoryItems?cost=0.5"],
    )
    def test_cannot_be_sorted_or_filtered_by(self, ann, member_of, asked):
        client = signed_in(member_of(ann, Role.SORTER), ann)

        response = client.get(f"/api/{asked}")

        assert response.status_code == 403
        assert "does not see cost" in response.json()["message"]
        assert signed_in(ann).get(f"/api/{asked}").status_code == 200

    def test_cannot_be_written(self, ann, member_of):
        batch = make_batch(ann, cost_total=Decimal(9))
        client = signed_in(member_of(ann, Role.SORTER), ann)

        assert client.patch(f"/api/batches/{batch.pk}", {"cost_total": "1"}).status_code == 403
        assert client.patch(f"/api/batches/{batch.pk}", {"name": "B"}).status_code == 200

        batch.refresh_from_db()
        assert (batch.cost_total, batch.name) == (9, "B")

    def test_is_the_buyer_of_an_order_that_is_not_in_hand(self, ann, member_of):
        client = signed_in(member_of(ann, Role.PICKER), ann)
        told = {"buyer": "carl", "address": "Street 1", "address_name": "Carl C", "remarks": "Hi"}
        order = make_order(ann)
        seen = {}
        for state in ("paid", "picked", "packed", "shipped", "done", "cancelled"):
            Order.objects.filter(pk=order.pk).update(
                state=state, buyer_email="c@example.org", **told
            )
            (row,) = client.get(f"/api/orders/{order.pk}").json()["data"]
            seen[state] = [row[name] for name in (*told, "buyer_email")]

        in_hand = [*told.values(), "c@example.org"]
        assert seen == {
            **dict.fromkeys(("paid", "picked", "packed"), in_hand),
            **dict.fromkeys(("shipped", "done", "cancelled"), [""] * 5),
        }

    def test_is_no_buyer_again_by_taking_an_order_back_that_others_shipped(self, ann, member_of):
        client = signed_in(member_of(ann, Role.PICKER), ann)
        seen = {}
        for sender in (signed_in(ann), client):
            order = make_order(ann, buyer="carl")
            Order.objects.filter(pk=order.pk).update(state="packed")
            assert sender.post(f"/api/orders/{order.pk}/ship", {}).status_code == 200
            status = client.post(f"/api/orders/{order.pk}/unship").status_code
            (row,) = client.get(f"/api/orders/{order.pk}").json()["data"]
            seen[status] = row["state"], row["buyer"]

        assert seen == {403: ("shipped", ""), 200: ("packed", "carl")}

    def test_is_found_by_no_search_and_on_no_paper(self, ann, member_of):
        client = signed_in(member_of(ann, Role.PICKER), ann)
        order = make_order(ann, buyer="carl", address="Street 1")
        Order.objects.update(state="shipped")
        paper = {"kind": "address_label", "order_ids": [order.pk]}

        assert client.get("/api/orders?search=carl").json()["data"] == []
        assert client.get("/api/orders?ordering=buyer").status_code == 403
        assert client.post("/api/orders/papers", paper).status_code == 403
        Order.objects.update(state="packed")
        assert len(client.get("/api/orders?search=carl").json()["data"]) == 1
        assert client.post("/api/orders/papers", paper).status_code == 200

    def test_are_orders_that_a_sorter_looks_for(self, ann, member_of):
        order = make_order(ann)

        (found,) = (
            signed_in(member_of(ann, Role.SORTER), ann)
            .get(f"/api/find?search={order.number}")
            .json()["data"]
        )
        assert found["orders"] == []
        (found,) = signed_in(ann).get(f"/api/find?search={order.number}").json()["data"]
        assert len(found["orders"]) == 1

    def test_are_acts_and_jobs_of_others(self, ann, member_of):
        sorter = member_of(ann, Role.SORTER)
        client = signed_in(sorter, ann)
        theirs, own = (
            KeptAct.objects.create(owner=ann, kind="move", by=by) for by in (ann, sorter)
        )
        signed_in(ann).post("/api/exports", {"kind": "bsx", "scope": "inventory"})
        job = Job.objects.get(owner=ann)

        assert [row["id"] for row in client.get("/api/inventoryActs").json()["data"]] == [own.pk]
        assert client.post(f"/api/inventoryActs/{theirs.pk}/undo").status_code == 404
        assert client.get(f"/api/jobs/{job.pk}").status_code == 404
        assert client.get("/api/jobs").json()["data"] == []

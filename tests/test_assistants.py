"""The tools of `manage.py mcp`, asked by the SDK's own client, against the real server.

One test starts the command, and asks over its standard input; the others ask its server here. The
SDK is loaded by the process that runs them: each of the others only collects them.
"""

import json
import os
import sys
from decimal import Decimal
from pathlib import Path

import anyio
import pytest
import requests
from django.core.management import CommandError, call_command

from apps.accounts.api.scopes import SCOPES
from apps.accounts.services.api_tokens import make_token
from apps.catalog.tests.factories import make_item, make_lot
from apps.core.clock import now
from apps.inventory.models import InventoryItem
from apps.inventory.tests.factories import make_stock
from apps.locations.tests.factories import make_location
from apps.orders.tests.factories import make_order, sell

ROOT = Path(__file__).parents[1]
COMMAND = [str(ROOT / "manage.py"), "mcp"]
SECONDS = 120

pytestmark = pytest.mark.django_db(transaction=True)


def environment(address, token):
    return {**os.environ, "BRICKSTOW": address, "BRICKSTOW_TOKEN": token}


def token_of(owner, *scopes):
    return make_token(
        owner=owner, name="Helper", scopes=scopes or SCOPES, addresses=[], days=1, now=now()
    )[1]


def answer(result):
    text = result.content[0].text
    return text if result.is_error else json.loads(text)


@pytest.fixture
def _sessions_end(monkeypatch):
    """Those of a process end with it. The live server would keep a connection for each."""
    made = []

    class Session(requests.Session):
        def __init__(self):
            super().__init__()
            made.append(self)

    monkeypatch.setattr(requests, "Session", Session)
    yield
    for session in made:
        session.close()


@pytest.fixture
def ask(ann, live_server, _sessions_end):
    """Return what calls of tools answer, or say where they are refused."""
    from mcp import Client

    from apps.core.assistants.providers import Calls
    from apps.core.assistants.tools import server_of

    def asked(*calls, scopes=(), address=None, token=None):
        server = server_of(Calls(address or live_server.url, token or token_of(ann, *scopes)))

        async def session():
            with anyio.fail_after(SECONDS):
                async with Client(server) as client:
                    return [await client.call_tool(name, given) for name, given in calls]

        found = [answer(result) for result in anyio.run(session)]
        return found if len(calls) > 1 else found[0]

    return asked


class TestTheCommand:
    @pytest.mark.long("starts the command, a process that loads the settings")
    def test_serves_the_tools_on_its_standard_input(self, ann, live_server):
        from mcp import Client, StdioServerParameters
        from mcp.client.stdio import stdio_client

        from apps.core.assistants.tools import ACTS, READS

        make_location(ann, "A-1")
        server = StdioServerParameters(
            command=sys.executable,
            args=COMMAND,
            cwd=ROOT,
            env=environment(live_server.url, token_of(ann)),
        )

        async def session():
            with anyio.fail_after(SECONDS):
                async with Client(stdio_client(server)) as client:
                    listed = await client.list_tools()
                    return listed.tools, await client.call_tool("list_bins", {})

        listed, bins = anyio.run(session)

        tools = {tool.name: tool for tool in listed}
        assert set(tools) == {*READS, *ACTS}
        assert {name for name, tool in tools.items() if tool.annotations.read_only_hint} == set(
            READS
        )
        assert not any(tool.annotations.destructive_hint for tool in tools.values())
        assert all(tool.description for tool in tools.values())
        assert [one["name"] for one in answer(bins)["rows"]] == ["A-1"]


class TestReading:
    def test_finds_in_pages_and_only_what_is_the_stores(self, ann, bo, ask, searchable):
        lot = make_lot(make_item("3001", name="Brick 2 x 4"))
        row = make_stock(ann, lot=lot, quantity=7, location=make_location(ann, "A-1"))
        make_stock(bo, lot=lot)
        for place in range(50):
            make_location(ann, f"B-{place}")

        items, lots, stock, rule, bins, more, foreign = ask(
            ("find_item", {"search": "3001"}),
            ("list_lots", {"item_id": lot.item_id}),
            ("list_stock", {"search": "3001"}),
            ("price_rule", {}),
            ("list_bins", {}),
            ("list_bins", {"page": 2}),
            ("order_lines", {"order_id": make_order(bo).pk}),
        )

        assert [one["item_number"] for one in items["rows"]] == ["3001"]
        assert [one["id"] for one in lots["rows"]] == [lot.pk]
        assert [(one["id"], one["quantity"], one["location_name"]) for one in stock["rows"]] == [
            (row.pk, 7, "A-1")
        ]
        assert rule["basis"]
        assert (len(bins["rows"]), bins["total_items"], bins["total_pages"]) == (50, 51, 2)
        assert (len(more["rows"]), more["page"]) == (1, 2)
        assert (
            foreign
            == "Error executing tool order_lines: This does not exist. It may have been deleted."
        )

    def test_names_no_buyer(self, ann, ask):
        stock = make_stock(ann, quantity=9)
        order = sell(ann, stock, 2, buyer="bo", address_name="Bo Brick", address="5 Lane")

        orders, lines = ask(("list_orders", {}), ("order_lines", {"order_id": order.pk}))

        assert [one["number"] for one in orders["rows"]] == [order.number]
        assert [one["quantity"] for one in lines["rows"]] == [2]
        assert not any(text in json.dumps([orders, lines]) for text in ("Bo Brick", "5 Lane"))


class TestPlanning:
    def test_needs_the_scope_that_reads_alone(self, ann, ask):
        rows = [make_stock(ann, remarks=one).pk for one in "ab"]

        plan, refused = ask(
            ("plan_merge", {"ids": rows}), ("merge_rows", {"ids": rows}), scopes=["stock:read"]
        )

        assert isinstance(plan, dict)
        assert "This token does not have the scope stock:write." in refused
        assert InventoryItem.objects.count() == 2


class TestActing:
    def test_is_as_planned_in_the_tokens_name_and_is_undone(self, ann, ask):
        row, to = make_stock(ann, price=Decimal("0.10")), make_location(ann, "C-1")
        asked = {"ids": [row.pk], "by": "percent", "percent": "50"}

        plan, before, done, moved, acts = ask(
            ("plan_prices", asked),
            ("list_stock", {}),
            ("change_prices", asked),
            ("move_rows", {"ids": [row.pk], "location_id": to.pk}),
            ("list_acts", {}),
        )

        assert (plan["changed"], before["rows"][0]["price"]) == (1, "0.1000")
        row.refresh_from_db()
        assert (row.price, row.location) == (Decimal("0.15"), to)
        assert [(one["id"], one["by_name"], one["program"]) for one in acts["rows"]] == [
            (moved["act_id"], ann.name, "Helper"),
            (done["act_id"], ann.name, "Helper"),
        ]
        undone = ask(("undo", {"act_id": moved["act_id"]}), ("undo", {"act_id": done["act_id"]}))
        row.refresh_from_db()
        assert all(one["undoneAt"] for one in undone)
        assert (row.price, row.location) == (Decimal("0.10"), None)


class TestARefusal:
    def test_is_a_sentence_and_nothing_changes(self, ann, ask):
        row = make_stock(ann, price=Decimal("0.10"))

        missing, outside, price, scope = ask(
            ("undo", {"act_id": 999_999}),
            ("move_rows", {"ids": [row.pk], "location_id": 999_999}),
            ("change_prices", {"ids": [row.pk], "by": "fixed", "price": "-1"}),
            ("list_stock", {}),
            scopes=["stock:write", "prices:write"],
        )

        assert missing.endswith(": This does not exist. It may have been deleted.")
        assert outside.endswith(": This bin is not there any more.")
        assert " price: " in price
        assert scope.endswith(": This token does not have the scope stock:read.")
        row.refresh_from_db()
        assert (row.price, row.location) == (Decimal("0.10"), None)

    def test_of_a_token_that_is_none(self, ask):
        assert "no token that is in use" in ask(("list_stock", {}), token="bst_0123456789abcdef_x")

    def test_names_a_server_that_is_not_there(self, ask):
        assert "http://127.0.0.1:9/api/ does not answer" in ask(
            ("list_stock", {}), address="http://127.0.0.1:9"
        )


@pytest.mark.parametrize(
    ("address", "token", "told"),
    [
        ("", "bst_x", "Set BRICKSTOW to"),
        ("bricks.example", "bst_x", "Set BRICKSTOW to"),
        ("http://127.0.0.1", "", "Set BRICKSTOW_TOKEN to"),
    ],
)
def test_the_command_says_what_it_needs(monkeypatch, address, token, told):
    for name, value in environment(address, token).items():
        monkeypatch.setenv(name, value)

    with pytest.raises(CommandError, match=told):
        call_command("mcp")

"""The recipes of docs/build/api.md, each run as it stands there against the real server."""

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests
from standardwebhooks import Webhook

from apps.accounts.api.scopes import SCOPES
from apps.accounts.services.api_tokens import make_token
from apps.catalog.tests.factories import make_item, make_lot
from apps.core.clock import now
from apps.inventory.models import InventoryItem
from apps.inventory.tests.factories import make_stock
from apps.locations.models import Location
from apps.locations.tests.factories import make_location

PAGE = Path(__file__).parents[1] / "docs/build/api.md"
PARTS = PAGE.read_text().partition("## Recipes")[2].split("### ")
HELPER = re.findall(r"```python\n(.*?)```", PARTS[0], re.DOTALL)[0]
RECIPES = {
    f"{part.splitlines()[0].partition(' (')[0]} in {kind}": (kind, code)
    for part in PARTS[1:]
    for kind, code in re.findall(r"```(bash|python)\n(.*?)```", part, re.DOTALL)
}
RECEIVER = "Receive a webhook in python"
#: What the stock and the bins are afterwards: names of bins; quantity, price and bin of rows.
LEAVES = {
    "Make a bin in bash": (["C-1", "Z-1"], [(5, "0.1000", None)]),
    "Make a bin in python": (["C-2", "Z-1"], [(5, "0.1000", None)]),
    "Add a lot in bash": (["Z-1"], [(5, "0.1000", None), (10, "0.1500", None)]),
    "Add a lot in python": (["Z-1"], [(5, "0.1000", None), (10, "0.1500", None)]),
    "Move a row in bash": (["Z-1"], [(5, "0.1000", "Z-1")]),
    "Move a row in python": (["Z-1"], [(5, "0.1000", "Z-1")]),
    "Set a price in bash": (["Z-1"], [(5, "0.2500", None)]),
    "Set a price in python": (["Z-1"], [(5, "0.2600", None)]),
}
UNCHANGED = (["Z-1"], [(5, "0.1000", None)])


def command_of(name):
    kind, code = RECIPES[name]
    return ["bash", "-ec", code] if kind == "bash" else [sys.executable, "-c", HELPER + code]


def test_there_are_ten():
    assert len(PARTS) - 1 == 10
    assert set(LEAVES) | {RECEIVER} <= set(RECIPES)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", sorted(RECIPES.keys() - {RECEIVER}))
def test_a_recipe_does_what_it_says(name, ann, live_server, searchable):
    row = make_stock(ann)
    _, token = make_token(owner=ann, name="x", scopes=SCOPES, addresses=[], days=1, now=now())
    names = {
        "BRICKSTOW": live_server.url,
        "TOKEN": token,
        "LOT": str(make_lot(make_item("3001")).pk),
        "ROW": str(row.pk),
        "BIN": str(make_location(ann, name="Z-1").pk),
    }

    done = subprocess.run(
        command_of(name), env={**os.environ, **names}, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    bins = sorted(Location.objects.values_list("name", flat=True))
    rows = InventoryItem.objects.order_by("pk").values_list("quantity", "price", "location__name")
    assert (bins, [(n, str(price), at) for n, price, at in rows]) == LEAVES.get(name, UNCHANGED)


def test_the_receiver_takes_what_is_signed():
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    names = {"SECRET": secret, "RECEIVER_PORT": str(port)}
    with subprocess.Popen(
        command_of(RECEIVER), env={**os.environ, **names}, stdout=subprocess.PIPE, text=True
    ) as receiver:
        body, sent_at = '{"type":"order.received","data":{"order_id":5}}', now()
        headers = {
            "webhook-id": "a",
            "webhook-timestamp": str(int(sent_at.timestamp())),
            "webhook-signature": Webhook(secret).sign("a", sent_at, body),
        }
        answer = None
        while answer is None and receiver.poll() is None:
            try:
                answer = requests.post(f"http://127.0.0.1:{port}/", data=body, headers=headers)
            except requests.ConnectionError:
                time.sleep(0.05)
        told = receiver.communicate()[0]

    assert answer is not None
    assert (answer.status_code, told) == (204, "order.received {'order_id': 5}\n")

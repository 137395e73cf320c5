"""The stock of a store: lots after a restart, sales, and changes by the controls."""

import json
import threading

import pytest
import requests

from simulators.store.sellers import Sellers
from simulators.store.server import StoreServer
from simulators.store.stock import FIRST_ID, Journal, Stock
from simulators.store.wire import Refusal

LOT = {"item": {"no": "3001", "type": "PART"}, "quantity": 5, "is_retain": False}


class TestStock:
    def test_gives_each_lot_an_id_and_merges_nothing(self):
        stock = Stock()

        made = stock.add([LOT, LOT])

        assert [lot["inventory_id"] for lot in made] == [FIRST_ID, FIRST_ID + 1]
        assert len(stock.all()) == 2

    def test_loses_a_lot_that_is_sold_out_unless_it_is_retained(self):
        stock = Stock()
        stock.add([LOT, {**LOT, "is_retain": True}])

        stock.sell(FIRST_ID, 5)
        stock.sell(FIRST_ID + 1, 5)

        assert [lot["quantity"] for lot in stock.all()] == [0]
        with pytest.raises(Refusal):
            stock.get(FIRST_ID)

    def test_sells_no_more_than_there_is(self):
        stock = Stock()
        stock.add([LOT])

        with pytest.raises(Refusal):
            stock.sell(FIRST_ID, 6)

        assert stock.get(FIRST_ID)["quantity"] == 5

    def test_is_there_again_after_a_restart(self, tmp_path):
        path = tmp_path / "store.jsonl"
        stock = Sellers(journal=Journal(path)).register("ann").stock
        stock.add([LOT, LOT])
        stock.sell(FIRST_ID, 2)
        stock.delete(FIRST_ID + 1)
        with path.open("a") as file:
            file.write('{"seller": "ann", "lo')  # cut off by a kill

        again = Sellers(journal=Journal(path)).register("ann").stock

        assert again.all() == stock.all()
        new = again.add([LOT])[0]
        assert new["inventory_id"] > FIRST_ID
        assert new in Sellers(journal=Journal(path)).register("ann").stock.all()


class TestJournal:
    def test_may_be_read_by_its_owner_only(self, tmp_path):
        new, old = tmp_path / "new.jsonl", tmp_path / "old.jsonl"
        old.touch(mode=0o644)

        Sellers(journal=Journal(new)).register("ann")
        Sellers(journal=Journal(old))

        assert {path.stat().st_mode & 0o777 for path in (new, old)} == {0o600}


class TestSellers:
    def test_without_lots_are_known_after_a_restart(self, tmp_path):
        path = tmp_path / "store.jsonl"
        secrets = Sellers(journal=Journal(path)).register("ann").secrets

        again = Sellers(journal=Journal(path))

        assert again.of_key(secrets.consumer_key).name == "ann"
        again.register("ann")
        assert path.read_text().count("\n") == 1


class TestControl:
    @pytest.fixture
    def tell(self):
        server = StoreServer()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()

        def tell(what, body):
            with requests.Session() as session:
                session.trust_env = False
                address = server.url.replace("/api/store/v1", f"/_control/{what}")
                return json.loads(session.post(address, json=body, timeout=60).content)

        tell.server = server
        yield tell
        server.shutdown()
        thread.join()
        server.server_close()

    def test_closes_a_store_and_sells_from_it(self, tell):
        stock = tell.server.sellers.register("ann").stock
        stock.add([LOT])

        told = tell("store", {"name": "ann", "closed": True, "sell": {str(FIRST_ID): 2}})

        assert stock.is_closed
        assert [lot["quantity"] for lot in told["lots"]] == [3]

    def test_sets_the_clock(self, tell):
        tell("clock", {"ahead": 600})

        assert tell.server.clock_ahead == 600

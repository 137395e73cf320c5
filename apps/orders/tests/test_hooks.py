"""Hints of a marketplace: a secret in the address, then the store is read."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread

import pytest

from apps.catalog.tests.factories import make_lot
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.redaction import redacted
from apps.core.testing.jobs import run_jobs
from apps.core.testing.threads import at_once
from apps.core.throttling import RateWindow
from apps.orders.models import Order, OrderEvent
from apps.orders.services.hooks import PATH, make_hook, receive_notice
from apps.orders.services.pulling import KIND
from apps.orders.tests.test_arrival import line, lot, told

pytestmark = pytest.mark.django_db


def event(number, kind="Order"):
    return {"event_type": kind, "resource_id": number, "timestamp": "2026-11-23T01:00:00.000Z"}


def send(api, hook, *events):
    body = list(events)
    return api().post(f"{PATH}{hook.secret}", json.dumps(body), content_type="application/json")


def pulls():
    return list(Job.objects.filter(kind=KIND).order_by("pk").values_list("payload", flat=True))


@pytest.fixture
def hook(shop):
    return make_hook(owner=shop.owner)


class TestAHint:
    def test_has_the_order_read(self, ann, shop, hook, api):
        (row,) = shop.put(make_lot(), 10)
        number = shop.buy(place={row.marketplace_lot_id: 3})

        assert send(api, hook, event(number)).status_code == 200
        run_jobs()

        assert Order.objects.get(owner=ann).marketplace_order_id == number
        hook.refresh_from_db()
        assert hook.heard_at is not None

    def test_twice_the_same_reads_once_and_changes_nothing(self, shop, hook, api):
        (row,) = shop.put(make_lot(), 10)
        number = shop.buy(place={row.marketplace_lot_id: 3})

        send(api, hook, event(number), event(number))
        send(api, hook, event(number))
        assert pulls() == [{"order_ids": [number]}]
        run_jobs()
        send(api, hook, event(number))
        run_jobs()

        assert OrderEvent.objects.count() == 1

    def test_for_an_order_of_somebody_else_takes_in_nothing(self, shop, hook, api):
        assert send(api, hook, event(987654321)).status_code == 200
        run_jobs()

        assert not Order.objects.exists()
        assert Job.objects.get(kind=KIND).state == "succeeded"

    def test_for_what_the_person_bought_elsewhere_is_no_sale(self, shop, hook, api):
        (row,) = shop.put(make_lot(), 10)
        number = shop.buy(place={row.marketplace_lot_id: 3}, fields={"seller_name": "another"})

        send(api, hook, event(number))
        run_jobs()

        assert not Order.objects.exists()

    def test_of_many_reads_the_list_in_their_place(self, shop, hook, api):
        send(api, hook, *(event(number) for number in range(1, 60)))

        assert pulls() == [{"order_ids": []}]

    def test_may_come_bare_and_of_other_kinds(self, shop, hook, api):
        body = json.dumps(event(5, kind="Message"))
        answer = api().post(f"{PATH}{hook.secret}", body, content_type="application/json")

        assert (answer.status_code, answer.json()["data"]) == (200, [{"heard": False}])
        assert pulls() == []

    @pytest.mark.parametrize(
        "body", ["7", "[[]]", '[{"event_type":"Order"}]', '{"event_type":"Order","resource_id":-1}']
    )
    def test_that_cannot_be_read_is_refused(self, hook, api, body):
        answer = api().post(f"{PATH}{hook.secret}", body, content_type="application/json")

        assert answer.status_code == 400
        assert pulls() == []

    def test_at_an_address_of_nobody_is_not_found(self, hook, api):
        hook.secret = "x" * 43

        assert send(api, hook, event(1)).status_code == 404

    def test_at_guessed_addresses_are_limited_by_their_sender_with_few_rows(
        self, hook, api, one_window
    ):
        answers = []
        for number in range(61):
            hook.secret = f"{number:043}"
            answers.append(send(api, hook, event(1)).status_code)

        assert answers == [404] * 60 + [429]
        assert RateWindow.objects.count() == 1

    def test_too_often_is_refused_for_that_address(self, shop, hook, api, one_window):
        answers = [send(api, hook).status_code for _ in range(61)]

        assert answers == [200] * 60 + [429]

    def test_without_a_store_reads_nothing(self, ann):
        assert not receive_notice(secret=make_hook(owner=ann).secret, order_ids=[1], now=now())


class TestTheAddress:
    def test_is_told_to_the_demo_store_and_a_new_one_ends_the_old(self, ann, shop, api, store):
        client = api(ann)
        assert client.get("/api/orderHook").json()["data"] == [{"address": None, "heardAt": None}]
        first = client.post("/api/orderHook").json()["data"][0]["address"]
        second = client.post("/api/orderHook").json()["data"][0]["address"]

        assert first != second
        assert store.sellers.register(shop.name).orders.hook == second
        assert api().post(PATH + first.split("/")[-1], []).status_code == 404
        assert client.delete("/api/orderHook").json()["data"][0]["address"] is None
        assert store.sellers.register(shop.name).orders.hook == ""

    def test_is_kept_out_of_the_log(self, hook):
        assert hook.secret not in redacted(f"Unhandled error in POST {PATH}{hook.secret}")


class TestTheDemoStore:
    def test_sends_what_is_understood_here(self, ann, shop, api, settings):
        sent = Queue()

        class Ear(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                sent.put((self.path, self.headers["Content-Type"], body))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Ear) as server:
            Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
            settings.PUBLIC_URL = f"http://127.0.0.1:{server.server_port}"
            make_hook(owner=ann)
            (row,) = shop.put(make_lot(), 10)
            number = shop.buy(place={row.marketplace_lot_id: 3})
            path, kind, body = sent.get(timeout=60)
            server.shutdown()

        assert api().post(path, body, content_type=kind).status_code == 200
        assert pulls() == [{"order_ids": [number]}]


@pytest.mark.django_db(transaction=True)
class TestTwoReaders:
    def test_take_a_new_order_in_once(self, ann):
        from apps.orders.services.arrival import receive_order

        order = told(line(lot(), 2))

        arrived = at_once(
            lambda _: receive_order(owner=ann, told=order, now=now()).is_new, threads=6
        )

        assert sum(arrived) == 1
        assert (Order.objects.count(), OrderEvent.objects.filter(kind="arrived").count()) == (1, 1)

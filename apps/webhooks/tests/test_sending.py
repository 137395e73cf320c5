"""Events over real HTTP to receivers that are good, slow, dead, lying and moving."""

import datetime as dt
import itertools
import json
import socket
import ssl
import threading
from contextlib import suppress

import pytest
from standardwebhooks import Webhook as Verifier

from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs
from apps.core.waiting import Asked
from apps.webhooks import tasks
from apps.webhooks.models import Delivery, Webhook
from apps.webhooks.providers import calling
from apps.webhooks.rules import ORDER_CHANGED, ORDER_RECEIVED, pause_after
from apps.webhooks.services.events import emit
from apps.webhooks.services.sending import start_all_due
from apps.webhooks.services.waiting import stopped
from apps.webhooks.services.webhooks import make_webhook

pytestmark = pytest.mark.django_db

HOUR = dt.timedelta(hours=1)


@pytest.fixture
def sent(django_capture_on_commit_callbacks):
    """`sent(act)` does an act and runs the jobs that follow."""

    def act_and_send(act):
        with django_capture_on_commit_callbacks(execute=True):
            act()
        run_jobs()

    return act_and_send


@pytest.fixture
def later(monkeypatch, sent):
    """`later(hours)`: so much later, what is due is looked for."""
    passed = dt.timedelta()

    def put_on(hours):
        nonlocal passed
        passed += dt.timedelta(hours=hours)
        monkeypatch.setattr(tasks, "now", lambda: now() + passed)
        sent(lambda: start_all_due(now=now() + passed))

    return put_on


def hook_to(owner, receiver, behaviour, *events):
    return make_webhook(
        owner=owner,
        address=f"{receiver.url}/{behaviour}/{owner.name}",
        events=events or [ORDER_RECEIVED, ORDER_CHANGED],
    )


def tell(owner, *orders, event=ORDER_CHANGED):
    for number in orders:
        emit(owner_id=owner.pk, event=event, told={f"order {number}": {"order_id": number}})


def numbers(receiver, owner):
    return [json.loads(body)["data"]["order_id"] for _, body in receiver.received[owner.name]]


class TestACall:
    def test_carries_the_event_signed_over_its_very_bytes(self, ann, receiver, sent):
        _, secret = hook_to(ann, receiver, "good")

        sent(lambda: tell(ann, 5))

        ((headers, body),) = receiver.received["Ann"]
        told = Verifier(secret).verify(body, headers)
        assert (told["type"], told["data"]) == ("order.changed", {"order_id": 5})
        delivery = Delivery.objects.get()
        assert headers["Webhook-Id"] == str(delivery.event_id)
        assert (delivery.due_at, delivery.attempts, delivery.told) == (None, 1, "answered 204")

    def test_is_not_made_for_other_events_nor_other_people(self, ann, bo, receiver, sent):
        hook_to(ann, receiver, "good", ORDER_RECEIVED)

        sent(lambda: (tell(ann, 5), tell(bo, 6, event=ORDER_RECEIVED)))

        assert receiver.received == {}
        assert not Delivery.objects.exists()

    def test_is_made_once_whoever_else_calls_the_webhook(self, ann, receiver, sent):
        hook_to(ann, receiver, "good")
        Webhook.objects.update(busy_until=now() + HOUR)

        sent(lambda: tell(ann, 5))

        assert receiver.received == {}
        Webhook.objects.update(busy_until=None)
        sent(lambda: start_all_due(now=now()))
        assert numbers(receiver, ann) == [5]


class TestAFailure:
    @pytest.mark.parametrize(
        ("behaviour", "told"),
        [
            ("dead", "no answer (RemoteDisconnected)"),
            ("broken", "answered 500"),
            ("moving", "answered 302"),
        ],
    )
    def test_is_tried_again_later_with_the_same_id(
        self, ann, receiver, sent, later, behaviour, told
    ):
        hook_to(ann, receiver, behaviour)
        sent(lambda: tell(ann, 5))
        delivery = Delivery.objects.get()
        assert (delivery.attempts, delivery.told) == (1, told)
        assert "Ann-moved" not in receiver.received
        receiver.heal()

        later(0)
        assert numbers(receiver, ann) == []
        later(1)

        ((headers, _),) = receiver.received["Ann"]
        assert headers["Webhook-Id"] == str(delivery.event_id)
        assert Webhook.objects.get().failing_since is None

    def test_keeps_the_order_of_each_object(self, ann, receiver, sent, later):
        hook_to(ann, receiver, "lying")
        sent(lambda: tell(ann, 1, 2, 1, 3, 1))

        for _ in range(20):
            later(1)

        assert Delivery.objects.filter(delivered_at=None).count() == 0
        ids = [headers["Webhook-Id"] for headers, _ in receiver.received["Ann"]]
        first = list(dict.fromkeys(ids))
        of_one = [
            str(pk)
            for pk in Delivery.objects.filter(about="order 1")
            .order_by("pk")
            .values_list("event_id", flat=True)
        ]
        assert [one for one in first if one in of_one] == of_one

    def test_of_a_day_stops_the_webhook_and_waits_on_home(self, ann, receiver, sent, later):
        hook_to(ann, receiver, "dead")
        sent(lambda: tell(ann, 5))
        for _ in range(9):
            later(3)
            tell(ann, 6)

        hook = Webhook.objects.get()
        assert hook.stopped_at is not None
        (line,) = stopped(Asked(owner=ann, currency="EUR", now=now()))
        assert hook.address in line.note
        assert line.to == "/app/settings#programs"
        calls = receiver.calls["Ann"]
        later(3)
        assert receiver.calls["Ann"] == calls

    def test_with_410_stops_it_at_once(self, ann, receiver, sent):
        hook_to(ann, receiver, "gone")

        sent(lambda: tell(ann, 5))

        assert Webhook.objects.get().stopped_at is not None

    def test_is_tried_after_pauses_that_grow_by_more_or_less(self):
        minutes = [[pause_after(n).total_seconds() / 60 for _ in range(50)] for n in range(1, 30)]

        assert all(max(few) < min(many) for few, many in itertools.pairwise(minutes[:6]))
        assert all(len(set(some)) > 1 for some in minutes)
        assert max(map(max, minutes)) <= 216


class TestAnAddress:
    @pytest.mark.parametrize(
        "resolved",
        [
            "127.0.0.1",
            "10.1.2.3",
            "169.254.169.254",
            "::1",
            "fd00::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "2002:a00:1::",
            "224.0.0.1",
            "100.64.0.1",
            "0.0.0.0",
        ],
    )
    def test_that_leads_into_a_private_network_is_not_called(self, monkeypatch, resolved):
        family = socket.AF_INET6 if ":" in resolved else socket.AF_INET
        found = [
            (family, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443)),
            (family, socket.SOCK_STREAM, 6, "", (resolved, 443)),
        ]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)

        with pytest.raises(calling.NotCalled, match="private network"):
            calling.call("https://example.org/", body=b"", headers={}, to_private=False)

    def test_is_called_with_tls_alone(self):
        with pytest.raises(calling.NotCalled, match="https"):
            calling.call("http://example.org/", body=b"", headers={}, to_private=False)

    def test_must_prove_its_name(self, receiver):
        address = receiver.url.replace("http", "https")

        with pytest.raises(calling.NotCalled, match="SSL"):
            calling.call(address, body=b"", headers={}, to_private=True)
        assert ssl.create_default_context().check_hostname

    def test_that_never_ends_its_answer_is_not_waited_for(self, receiver):
        address = f"{receiver.url}/endless/x"

        assert calling.call(address, body=b"{}", headers={}, to_private=True) == 200

    def test_that_answers_byte_by_byte_is_left_in_time(self, monkeypatch):
        monkeypatch.setattr(calling, "SECONDS", 0.5)
        over = threading.Event()

        def drip(server):
            caller, _ = server.accept()
            with caller:
                while not over.wait(0.05):
                    with suppress(OSError):
                        caller.sendall(b"H")

        with socket.create_server(("127.0.0.1", 0)) as server:
            dripping = threading.Thread(target=drip, args=(server,))
            dripping.start()
            address = f"http://127.0.0.1:{server.getsockname()[1]}/"

            with pytest.raises(calling.NotCalled, match="no answer"):
                calling.call(address, body=b"{}", headers={}, to_private=True)

            over.set()
            dripping.join()


class TestSendingAgain:
    def test_sends_the_same_event_once_more(self, api, ann, receiver, sent):
        hook, _ = hook_to(ann, receiver, "good")
        sent(lambda: tell(ann, 5))
        log = f"/api/webhooks/{hook.pk}/deliveries"
        (row,) = api(ann).get(log).json()["data"]
        assert row["deliveredAt"]

        sent(lambda: api(ann).post(f"{log}/{row['id']}/again"))

        first, second = (headers["Webhook-Id"] for headers, _ in receiver.received["Ann"])
        assert first == second


class TestTheApi:
    def test_shows_the_secret_once_and_keeps_it_encrypted(self, api, ann, receiver):
        given = {"address": "https://example.org/hook", "events": ["order.received"]}

        (row,) = api(ann).post("/api/webhooks", given).json()["data"]

        (listed,) = api(ann).get("/api/webhooks").json()["data"]
        assert row["secret"].startswith("whsec_")
        assert "secret" not in listed
        assert row["secret"] not in str(Webhook.objects.values().get())

    def test_takes_https_alone_unless_the_operator_allows_more(self, api, ann, settings):
        given = {"address": "http://example.org/hook", "events": ["order.received"]}

        assert api(ann).post("/api/webhooks", given).status_code == 400

    def test_resumes_what_was_stopped(self, api, ann, receiver, sent):
        hook, _ = hook_to(ann, receiver, "gone")
        sent(lambda: tell(ann, 5))
        Delivery.objects.update(due_at=now())
        receiver.heal()

        sent(lambda: api(ann).post(f"/api/webhooks/{hook.pk}/resume"))

        assert numbers(receiver, ann) == [5]

    def test_tells_a_stranger_of_no_delivery(self, api, ann, bo, receiver, sent):
        hook, _ = hook_to(ann, receiver, "good")
        sent(lambda: tell(ann, 5))
        row = Delivery.objects.get()
        address = f"/api/webhooks/{hook.pk}/deliveries"

        assert api(bo).get(address).status_code == 404
        assert api(bo).post(f"{address}/{row.pk}/again").status_code == 404


def test_a_job_of_calls_is_nobodys(ann, receiver, sent):
    hook_to(ann, receiver, "good")

    sent(lambda: tell(ann, 5))

    assert not Job.objects.filter(owner=ann).exists()

"""Passkeys by the API, with an authenticator made of software."""

import datetime as dt
import hashlib
import json
import secrets

import cbor2
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url

from apps.accounts.models import Passkey, RecoveryCode
from apps.accounts.services import passkeys
from apps.accounts.services.factors import Answer, Purpose, TicketRefused, answer, ask
from apps.accounts.services.second_factor import add_passkey, begin_passkey
from apps.core.clock import now
from apps.core.errors import ValueRefused

pytestmark = pytest.mark.django_db


class Device:
    """Keeps one key, and answers as a browser does."""

    def __init__(self, origin="http://localhost:8000", site="localhost"):
        self.origin, self.site = origin, site
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id, self.count = secrets.token_bytes(16), 0

    def make(self, options):
        public = self.key.public_key().public_numbers()
        point = {-2: public.x.to_bytes(32, "big"), -3: public.y.to_bytes(32, "big")}
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, **point})
        kept = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + key
        told = {"fmt": "none", "attStmt": {}, "authData": self._data(0x41) + kept}
        return self._credential(
            self._client("webauthn.create", options), attestationObject=cbor2.dumps(told)
        )

    def answer(self, options):
        self.count += 1
        client, data = self._client("webauthn.get", options), self._data(0x01)
        signed = data + hashlib.sha256(client).digest()
        signature = self.key.sign(signed, ec.ECDSA(hashes.SHA256()))
        return self._credential(client, authenticatorData=data, signature=signature)

    def _data(self, flags):
        site = hashlib.sha256(self.site.encode()).digest()
        return site + bytes([flags]) + self.count.to_bytes(4, "big")

    def _client(self, kind, options):
        told = {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps(told).encode()

    def _credential(self, client, **response):
        named = {"clientDataJSON": client, **response}
        name = bytes_to_base64url(self.id)
        return json.dumps(
            {
                "id": name,
                "rawId": name,
                "type": "public-key",
                "response": {key: bytes_to_base64url(value) for key, value in named.items()},
            }
        )


@pytest.fixture(autouse=True)
def site(settings):
    settings.PUBLIC_URL = "http://localhost:8000"


def add(user, device):
    ticket, options = begin_passkey(user=user, now=now())
    made = device.make(options)
    return add_passkey(user=user, ticket=ticket, name="Laptop", passkey=made, now=now())


def enter(asked, passkey, at=None):
    return answer(
        ticket=asked.ticket,
        purpose=Purpose.SIGN_IN,
        given=Answer(passkey=passkey),
        address="x",
        now=at or now(),
    )


def asked_of(user):
    return ask(user=user, purpose=Purpose.SIGN_IN, now=now())


class TestAPasskey:
    def test_is_kept_with_ten_recovery_codes_and_lets_in(self, ann):
        device = Device()

        kept, codes = add(ann, device)
        asked = asked_of(ann)

        assert (kept.name, len(codes), RecoveryCode.objects.count()) == ("Laptop", 10, 10)
        assert asked.methods == ["passkey", "recovery"]
        assert enter(asked, device.answer(asked.passkey_options)) == ann
        assert Passkey.objects.get().sign_count == 1

    def test_counts_once_for_one_question(self, ann):
        device = Device()
        add(ann, device)
        asked = asked_of(ann)
        given = device.answer(asked.passkey_options)
        enter(asked, given)
        Passkey.objects.update(sign_count=0)  # of keys that do not count

        with pytest.raises(TicketRefused):
            enter(asked, given)

    def test_does_not_answer_a_question_of_before(self, ann):
        device = Device()
        add(ann, device)
        before, after = asked_of(ann), asked_of(ann)
        early = device.answer(before.passkey_options)
        enter(after, device.answer(after.passkey_options))
        Passkey.objects.update(sign_count=0)

        with pytest.raises(TicketRefused):
            enter(before, early)

    def test_answers_its_own_question_alone(self, ann):
        device = Device()
        add(ann, device)
        one, other = asked_of(ann), asked_of(ann)

        with pytest.raises(ValueRefused):
            enter(one, device.answer(other.passkey_options))

    def test_answers_within_five_minutes(self, ann):
        device = Device()
        add(ann, device)
        asked = asked_of(ann)

        with pytest.raises(TicketRefused):
            enter(asked, device.answer(asked.passkey_options), now() + dt.timedelta(minutes=6))

    def test_of_another_person_does_not_let_in(self, ann, bo):
        mine, theirs = Device(), Device()
        add(ann, mine)
        add(bo, theirs)
        asked = asked_of(ann)

        with pytest.raises(ValueRefused):
            enter(asked, theirs.answer(asked.passkey_options))

    def test_of_another_page_is_refused(self, ann):
        device = Device()
        add(ann, device)
        asked = asked_of(ann)
        device.origin = "http://localhost.example.org"

        with pytest.raises(ValueRefused):
            enter(asked, device.answer(asked.passkey_options))
        with pytest.raises(ValueRefused):
            add(ann, Device(origin="http://localhost.example.org"))

    def test_is_kept_for_one_account(self, ann, bo):
        device = Device()
        add(ann, device)

        with pytest.raises(ValueRefused):
            add(bo, device)

    def test_is_made_with_the_ticket_of_its_person(self, ann, bo):
        ticket, options = begin_passkey(user=ann, now=now())
        made = Device().make(options)

        with pytest.raises(TicketRefused):
            add_passkey(user=bo, ticket=ticket, name="x", passkey=made, now=now())

    @pytest.mark.parametrize("text", ["", "{}", "[]", "1", "x", '{"id": 1}', '{"id": "a\\u0000"}'])
    def test_that_cannot_be_read_is_refused(self, ann, text):
        add(ann, Device())
        asked = asked_of(ann)

        assert passkeys.id_of(text) in ("", "a")
        assert passkeys.verified_key(text, passkeys.new_challenge()) is None
        with pytest.raises(ValueRefused):
            enter(asked, text or "x")

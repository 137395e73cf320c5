"""People of a store: invited, acting there, removed."""

import datetime as dt

import jwt
import pytest
from rest_framework.test import APIClient

from apps.accounts.models import Invitation, Membership, RefreshGrant, Role
from apps.accounts.services import members
from apps.accounts.services.closing import close_account
from apps.accounts.services.tokens import issue_tokens
from apps.accounts.tests.factories import PASSWORD
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import Movement
from apps.inventory.tests.factories import make_stock
from apps.locations.models import Location
from apps.locations.tests.factories import make_location
from apps.orders.tests.factories import make_order, stock_in

pytestmark = pytest.mark.django_db

BINS = "/api/inventoryLocations"


def client_with(access):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {access}")
    return client


def signed_in(person, store=None):
    return client_with(issue_tokens(user=person, store=store, now=now()).access)


def works_for(store, person, role=Role.MANAGER):
    return Membership.objects.create(owner=store, person=person, role=role)


def invited(owner, role="picker", at=None):
    """Return the text of a new invitation."""
    return members.invite(owner=owner, role=role, email_address="", now=at or now())[1]


class TestInviting:
    def test_shows_the_link_once_and_keeps_a_keyed_hash(self, ann):
        response = signed_in(ann).post("/api/invitations", {"role": "sorter"})

        (row,) = response.json()["data"]
        token = row["link"].removeprefix("/join#")
        kept = str(Invitation.objects.values().get())
        assert response.status_code == 201
        assert len(token) == members.SECRET_LENGTH
        assert token not in kept
        (listed,) = signed_in(ann).get("/api/invitations").json()["data"]
        assert "link" not in listed
        assert listed["role"] == "sorter"

    def test_makes_a_member_of_who_follows_the_link(self, ann, bo):
        token = invited(ann, "sorter")
        (told,) = APIClient().post("/api/invitations/look", {"token": token}).json()["data"]

        response = signed_in(bo).post("/api/invitations/accept", {"token": token})

        assert told == {"store": "Ann", "role": "sorter"}
        assert response.status_code == 201
        assert response.json()["data"] == [{"id": ann.pk, "name": "Ann", "role": "sorter"}]
        (member,) = signed_in(ann).get("/api/members").json()["data"]
        assert (member["name"], member["role"]) == ("Bo", "sorter")

    def test_is_good_once(self, ann, bo, make_user):
        token = invited(ann)
        signed_in(bo).post("/api/invitations/accept", {"token": token})

        response = signed_in(make_user("cy")).post("/api/invitations/accept", {"token": token})

        assert response.status_code == 400
        assert Membership.objects.count() == 1

    def test_is_good_for_a_week(self, ann, bo):
        token = invited(ann, at=now() - dt.timedelta(days=7, seconds=1))

        assert signed_in(bo).post("/api/invitations/accept", {"token": token}).status_code == 400

    def test_can_be_withdrawn_by_its_owner_alone(self, ann, bo):
        token = invited(ann)
        address = f"/api/invitations/{Invitation.objects.get().pk}"

        assert signed_in(bo).delete(address).status_code == 404
        assert signed_in(ann).delete(address).status_code == 200
        assert signed_in(bo).post("/api/invitations/accept", {"token": token}).status_code == 400

    def test_refuses_the_owner_and_who_is_a_member(self, ann, bo):
        works_for(ann, bo)
        token = invited(ann)

        assert signed_in(ann).post("/api/invitations/accept", {"token": token}).status_code == 409
        assert signed_in(bo).post("/api/invitations/accept", {"token": token}).status_code == 409

    def test_is_refused_for_the_demo_account(self, make_user):
        demo = make_user("demo", is_demo=True)

        assert signed_in(demo).post("/api/invitations", {"role": "picker"}).status_code == 403

    def test_mails_the_link_and_forgets_it(self, ann, settings, mailoutbox):
        settings.MAIL_IS_SENT = True
        asked = {"role": "picker", "email_address": "cy@example.org"}

        (row,) = signed_in(ann).post("/api/invitations", asked).json()["data"]
        run_jobs()

        (mail,) = mailoutbox
        assert mail.to == ["cy@example.org"]
        assert row["link"] in mail.body
        assert "Ann" not in mail.body
        assert Job.objects.get(kind=members.SEND_INVITATION).payload == {}


class TestActing:
    def test_begins_in_ones_own_store(self, ann, bo):
        works_for(ann, bo)

        (row,) = signed_in(bo).get("/api/users/me").json()["data"]

        assert row["store"]["id"] == bo.pk
        assert row["store"]["refuses"] == []
        assert [one["id"] for one in row["stores"]] == [bo.pk, ann.pk]

    def test_goes_on_in_another_store(self, ann, bo):
        works_for(ann, bo, Role.SORTER)
        make_location(ann, name="A-1")
        pair = issue_tokens(user=bo, now=now())

        answer = client_with(pair.access).post("/api/users/store", {"id": ann.pk})

        (row,) = answer.json()["data"]
        assert row["id"] == bo.pk
        assert (row["store"]["id"], row["store"]["role"]) == (ann.pk, "sorter")
        claims = jwt.decode(row["accessToken"], options={"verify_signature": False})
        assert claims["store"] == ann.pk
        (found,) = client_with(row["accessToken"]).get(BINS).json()["data"]
        assert found["name"] == "A-1"
        again = APIClient().post("/api/users/token-refresh", {"refreshToken": row["refreshToken"]})
        renewed = again.json()["data"][0]["accessToken"]
        assert client_with(renewed).get(BINS).json()["data"] == [found]

    def test_of_one_device_leaves_another_where_it_is(self, ann, bo):
        works_for(ann, bo)
        here, there = issue_tokens(user=bo, now=now()), issue_tokens(user=bo, now=now())

        client_with(here.access).post("/api/users/store", {"id": ann.pk})

        (row,) = client_with(there.access).get("/api/users/me").json()["data"]
        assert row["store"]["id"] == bo.pk

    def test_in_a_store_of_strangers_is_404(self, ann, bo):
        assert signed_in(bo).post("/api/users/store", {"id": ann.pk}).status_code == 404

    def test_comes_back_after_signing_in_anew(self, ann, bo, client):
        works_for(ann, bo)
        signed_in(bo, ann)

        (row,) = client.post(
            "/api/users/login",
            {"email_address": bo.email_address, "password": PASSWORD},
            content_type="application/json",
        ).json()["data"]

        assert row["store"]["id"] == ann.pk

    def test_goes_on_there_after_a_new_password(self, ann, bo):
        works_for(ann, bo)
        told = {"current_password": PASSWORD, "new_password": "another one, longer"}

        (row,) = signed_in(bo, ann).post("/api/users/change-password", told).json()["data"]

        (me,) = client_with(row["accessToken"]).get("/api/users/me").json()["data"]
        assert me["store"]["id"] == ann.pk

    def test_writes_into_the_store_and_names_the_person(self, ann, bo):
        works_for(ann, bo)
        stock = make_stock(ann, quantity=5, location=make_location(ann, name="A-1"))
        other = make_location(ann, name="A-2")
        client = signed_in(bo, ann)

        moved = client.post(f"/api/inventoryItems/{stock.pk}/move", {"to": other.pk, "quantity": 2})
        client.post(BINS, {"name": "A-3"})

        assert moved.status_code == 200
        assert Location.objects.get(name="A-3").owner == ann
        assert {one.by for one in Movement.objects.order_by("-pk")[:2]} == {bo}
        (last, *_) = client.get(f"/api/inventoryItems/{stock.pk}/movements").json()["data"]
        assert last["by_name"] == "Bo"

    def test_begins_jobs_in_the_persons_name(self, ann, bo):
        works_for(ann, bo)

        signed_in(bo, ann).post("/api/exports", {"kind": "bsx", "scope": "inventory"})

        job = Job.objects.get(owner=ann)
        assert job.by == bo

    def test_keeps_the_profile_of_the_person_and_the_preferences_of_the_store(self, ann, bo):
        works_for(ann, bo)
        client = signed_in(bo, ann)

        client.patch("/api/users/me", {"name": "Boris"})
        client.patch("/api/preferences", {"last_sold_recent_days": 7})

        for person in (ann, bo):
            person.refresh_from_db()
        assert (ann.name, bo.name) == ("Ann", "Boris")
        assert ann.preferences.last_sold_recent_days == 7
        assert bo.preferences.last_sold_recent_days == 30

    def test_signs_out_the_persons_own_devices_alone(self, ann, bo):
        works_for(ann, bo)
        owners, client = signed_in(ann), signed_in(bo, ann)

        assert len(client.get("/api/users/sessions").json()["data"]) == 1
        assert client.post("/api/users/sessions/end-others").status_code == 200
        assert owners.get(BINS).status_code == 200

    def test_gives_nobody_the_rights_of_staff(self, staff, bo):
        works_for(staff, bo)

        assert signed_in(bo, staff).get("/api/catalogImports").status_code == 403


class TestIdempotencyKeys:
    KEY = {"HTTP_IDEMPOTENCY_KEY": "11111111-2222-3333-4444-555555555555"}

    def test_of_one_store_do_nothing_in_another(self, ann, bo):
        works_for(ann, bo)
        for client in (signed_in(bo), signed_in(bo, ann)):
            answer = client.post(BINS, {"name": "A-1"}, **self.KEY)
            assert answer.status_code == 201
            assert "Idempotent-Replay" not in answer

        assert Location.objects.filter(name="A-1").count() == 2

    def test_of_one_person_show_another_nothing(self, ann, bo):
        works_for(ann, bo)
        signed_in(ann).post(BINS, {"name": "A-1"}, **self.KEY)

        answer = signed_in(bo, ann).post(BINS, {"name": "A-1"}, **self.KEY)

        assert answer.status_code == 400  # there is such a bin
        again = signed_in(ann).post(BINS, {"name": "A-1"}, **self.KEY)
        assert again["Idempotent-Replay"] == "true"

    def test_of_a_member_answer_the_member_again(self, ann, bo):
        works_for(ann, bo)
        key = {"HTTP_IDEMPOTENCY_KEY": "k" * 200}
        first = signed_in(bo, ann).post(BINS, {"name": "A-1"}, **key)

        again = signed_in(bo, ann).post(BINS, {"name": "A-1"}, **key)

        assert again["Idempotent-Replay"] == "true"
        assert again.json() == first.json()


class TestTheEnd:
    def test_of_a_membership_ends_sessions_in_that_store_at_once(self, ann, bo):
        membership = works_for(ann, bo)
        pair = issue_tokens(user=bo, store=ann, now=now())
        own = signed_in(bo)

        assert signed_in(ann).delete(f"/api/members/{membership.pk}").status_code == 200

        assert client_with(pair.access).get(BINS).status_code == 401
        refreshed = APIClient().post("/api/users/token-refresh", {"refreshToken": pair.refresh})
        assert refreshed.status_code == 401
        assert own.get(BINS).status_code == 200

    def test_of_a_membership_lets_the_next_sign_in_begin_in_ones_own_store(self, ann, bo):
        membership = works_for(ann, bo)
        issue_tokens(user=bo, store=ann, now=now())
        members.remove_member(membership=membership, now=now())
        told = {"email_address": bo.email_address, "password": PASSWORD}

        (row,) = APIClient().post("/api/users/login", told).json()["data"]

        assert row["store"]["id"] == bo.pk

    def test_of_a_membership_tells_the_owner_what_was_under_way(self, ann, bo):
        membership = works_for(ann, bo, Role.PICKER)
        order = make_order(ann, (stock_in(ann, "A-1"), 2))
        signed_in(ann).post("/api/pickWalks", {"order_ids": [make_order(ann).pk]})
        asked = signed_in(bo, ann).post("/api/pickWalks", {"order_ids": [order.pk]})
        walk = asked.json()["data"][0]["id"]

        def waiting():
            (home,) = signed_in(ann).get("/api/home").json()["data"]
            lines = [one for one in home["waiting"] if one["id"].startswith("walk-")]
            return [(one["title"], one["note"], one["to"]) for one in lines]

        before = waiting()
        members.remove_member(membership=membership, now=now())
        after = waiting()
        assert signed_in(ann).post(f"/api/pickWalks/{walk}/end").status_code == 200

        assert before == waiting() == []
        assert after == [
            (
                f"{bo.name} left a pick walk open",
                "1 order in it: go on with it, or end it",
                f"/app/orders?walk={walk}",
            )
        ]

    def test_of_a_role_counts_from_the_next_request_on(self, ann, bo):
        membership = works_for(ann, bo)
        client = signed_in(bo, ann)
        assert client.get("/api/orders").status_code == 200

        signed_in(ann).patch(f"/api/members/{membership.pk}", {"role": "sorter"})

        assert client.get("/api/orders").status_code == 403

    def test_of_a_role_takes_a_change_that_names_none(self, ann, bo):
        membership = works_for(ann, bo)

        answer = signed_in(ann).patch(f"/api/members/{membership.pk}", {})

        assert (answer.status_code, answer.json()["data"][0]["role"]) == (200, "manager")

    def test_of_the_owners_account_ends_sessions_of_members(self, ann, bo):
        works_for(ann, bo)
        client = signed_in(bo, ann)

        close_account(user=ann, email_address=ann.email_address, password=PASSWORD, now=now())
        assert client.get(BINS).status_code == 401
        run_jobs()

        assert not Membership.objects.exists()
        assert not RefreshGrant.objects.filter(user=bo).exists()

    def test_of_a_members_account_leaves_what_he_did(self, ann, bo):
        works_for(ann, bo)
        signed_in(bo, ann).post(BINS, {"name": "A-3"})

        close_account(user=bo, email_address=bo.email_address, password=PASSWORD, now=now())
        run_jobs()

        assert Location.objects.get(name="A-3").owner == ann
        assert not Membership.objects.exists()

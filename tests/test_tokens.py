"""What a program may do with a token, and what it never may."""

import datetime as dt
import random
import re
import string
import uuid
import zipfile

import pytest
from rest_framework.test import APIClient

from apps.accounts.api import authentication
from apps.accounts.api.scopes import (
    FOR_ANYBODY,
    FOR_PERSONS,
    GROUP_OF,
    SCOPES,
    path_of_route,
    plans,
    scope_of,
)
from apps.accounts.models import ApiToken
from apps.accounts.services.api_tokens import find_token, make_token
from apps.accounts.services.closing import close_account
from apps.accounts.services.tokens import issue_tokens
from apps.accounts.services.users import change_password, end_other_sessions
from apps.accounts.tests.factories import PASSWORD
from apps.backups.services.backups import start_backup
from apps.batches.tests.factories import make_batch, make_item
from apps.core.api.schema import METHODS
from apps.core.clock import now
from apps.core.testing.jobs import run_jobs
from apps.inventory.services import acts
from apps.inventory.tests.factories import make_stock
from apps.locations.tests.factories import make_location
from apps.orders.tests.factories import make_order, stock_in
from tests.routes import api_routes, api_schema
from tests.test_ownership import PUBLIC

pytestmark = pytest.mark.django_db

ADDRESS = "/api/tokens"
NEW = {"name": "Nightly", "scopes": ["stock:read"], "days": 30}
# For browsers and marketplaces.
NOT_IN_THE_SCHEMA = {"schema", "docs", "hooks/orders/{}"}
BINS = "/api/inventoryLocations"


def made(owner, *scopes, addresses=(), days=30, at=None):
    """Return a new token of the owner's and its text."""
    return make_token(
        owner=owner,
        name="Nightly",
        scopes=scopes or SCOPES,
        addresses=addresses,
        days=days,
        now=at or now(),
    )


def program(text, **extra):
    client = APIClient(raise_request_exception=False, **extra)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def operations():
    paths = api_schema()["paths"]
    return {
        (path, method): operation
        for path, methods in paths.items()
        for method, operation in methods.items()
        if method in METHODS
    }


def fields_sent():
    """Return the names of the fields of each operation's body."""
    schema = api_schema()

    def names(part):
        if "$ref" in part:
            part = schema["components"]["schemas"][part["$ref"].rpartition("/")[2]]
        kinds = [one for kind in ("allOf", "anyOf", "oneOf") for one in part.get(kind, [])]
        return {*part.get("properties", {}), *(name for one in kinds for name in names(one))}

    return {
        short(path): {name for one in body["content"].values() for name in names(one["schema"])}
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
        if method in METHODS and (body := operation.get("requestBody"))
    }


def short(path):
    return re.sub(r"\{\w+\}", "{}", path.removeprefix("/api/"))


class TestTheTableOfScopes:
    def test_has_every_operation_of_the_api_and_no_other(self):
        assert {short(path) for path, _ in operations()} | NOT_IN_THE_SCHEMA == set(GROUP_OF)

    def test_is_named_by_each_operation_in_the_schema(self):
        for (path, method), operation in operations().items():
            named = [scope for one in operation["security"] for scope in one.get("bearer", [])]
            scope = scope_of(path, method)
            assert named == ([scope] if scope else []), f"{method} {path}"

    def test_knows_the_routes_by_the_paths_of_the_schema(self):
        found = {route.name: path_of_route(route.path.lstrip("/")) for route in api_routes()}

        assert {short(re.sub(r"\{\w+\}", "{}", path)) for path in found.values()} == set(GROUP_OF)

    def test_lets_anybody_call_what_asks_for_no_sign_in_alone(self):
        public = {short(route.path) for route in api_routes() if route.name in PUBLIC}

        assert {path for path, group in GROUP_OF.items() if group == FOR_ANYBODY} == public

    def test_keeps_from_programs_what_is_a_persons(self):
        kept = {path for path, group in GROUP_OF.items() if group in FOR_PERSONS}
        secret = (
            "users/",
            "tokens",
            "backups",
            "marketplaceConnection",
            "orderHook",
            "members",
            "invitations",
            "preferences",
        )
        theirs = {path for path in GROUP_OF if path.startswith(secret)}

        assert {path for path in theirs if GROUP_OF[path] != FOR_ANYBODY} <= kept


class TestMaking:
    def test_shows_the_text_once_and_keeps_a_keyed_hash(self, api, ann, settings):
        response = api(ann).post(ADDRESS, {**NEW, "addresses": ["10.0.0.0/8"]})

        (row,) = response.json()["data"]
        token = ApiToken.objects.get()
        assert response.status_code == 201
        assert re.fullmatch(rf"bst_{token.public}_[A-Za-z0-9]{{43}}", row["token"])
        assert row["token"].rpartition("_")[2] not in str(ApiToken.objects.values().get())
        (listed,) = api(ann).get(ADDRESS).json()["data"]
        assert "token" not in listed
        assert (listed["name"], listed["scopes"]) == ("Nightly", ["stock:read"])
        assert (listed["addresses"], listed["lastUsedAt"]) == (["10.0.0.0/8"], None)
        settings.SECRET_KEY = "another server's"
        assert find_token(row["token"], now=now()) is None

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"name": " "}, "name"),
            ({"scopes": []}, "scopes"),
            ({"scopes": ["account:write"]}, "scopes.0"),
            ({"days": 0}, "days"),
            ({"days": 731}, "days"),
            ({"addresses": ["10.0.0.0/33"]}, "addresses.0"),
            ({"addresses": ["example.org"]}, "addresses.0"),
        ],
        ids=str,
    )
    def test_names_the_field_that_is_wrong(self, api, ann, given, field):
        response = api(ann).post(ADDRESS, NEW | given)

        assert response.status_code == 400
        assert list(response.json()["meta"]["error"]["fields"]) == [field]
        assert not ApiToken.objects.exists()

    def test_is_refused_for_the_demo_account_and_the_fifty_first(self, api, ann, make_user):
        demo = make_user("demo", is_demo=True)
        assert api(demo).post(ADDRESS, NEW).status_code == 403
        for _ in range(50):
            made(ann)

        assert api(ann).post(ADDRESS, NEW).status_code == 409


class TestCalling:
    def test_reads_and_writes_what_its_owner_has(self, ann):
        token, text = made(ann, "stock:read", "stock:write")

        assert program(text).post(BINS, {"name": "A-1"}).status_code == 201
        (row,) = program(text).get(BINS).json()["data"]

        assert row["name"] == "A-1"
        assert ApiToken.objects.get(pk=token.pk).last_used_at is not None

    def test_notes_its_use_once_a_minute(self, ann, monkeypatch):
        token, text = made(ann)
        noon = now()
        used = []
        for seconds in (0, 59, 61):
            at = noon + dt.timedelta(seconds=seconds)
            monkeypatch.setattr(authentication, "now", lambda at=at: at)
            program(text).get(BINS)
            used.append((ApiToken.objects.get(pk=token.pk).last_used_at - noon).seconds)

        assert used == [0, 0, 61]

    def test_has_a_limit_of_its_own(self, ann, api, settings, one_window):
        settings.TOKEN_CALLS_PER_MINUTE = 2
        at = now()
        (_, text), (_, other) = made(ann, at=at), made(ann, at=at)

        answers = [program(text).get(BINS) for _ in range(3)]

        assert [one.status_code for one in answers] == [200, 200, 429]
        assert "Retry-After" in answers[-1]
        assert program(other).get(BINS).status_code == 200
        assert api(ann).get(BINS).status_code == 200

    @pytest.mark.parametrize(
        ("allowed", "caller", "answered"),
        [
            ("203.0.113.0/24", "203.0.113.9", 200),
            ("203.0.113.0/24", "203.0.114.9", 403),
            ("203.0.113.9", "::ffff:203.0.113.9", 200),
            ("2001:db8::/32", "2001:db8::7", 200),
            ("2001:db8::/32", "203.0.113.9", 403),
            ("203.0.113.9", "unknown", 403),
        ],
    )
    def test_counts_from_allowed_addresses_alone(self, ann, allowed, caller, answered):
        _, text = made(ann, addresses=[allowed])

        assert program(text, REMOTE_ADDR=caller).get(BINS).status_code == answered

    def test_reaches_nothing_beyond_its_scopes(self, ann):
        """Each operation is called with every scope but its own."""
        texts = {scope: made(ann, *(one for one in SCOPES if one != scope))[1] for scope in SCOPES}
        _, all_of_them = made(ann)
        found = []
        for route in api_routes():
            for method in route.methods:
                by_uuid = route.path.startswith(("/api/jobs/", "/api/users/sessions/"))
                path = re.sub(r"\{\w+\}", str(uuid.uuid4() if by_uuid else 1), route.path)
                scope = scope_of(route.path, method)
                if GROUP_OF[short(route.path)] == FOR_ANYBODY:
                    continue
                caller = program(texts.get(scope, all_of_them))
                response = getattr(caller, method)(path, {}, format="json")
                said = response.content.decode()
                told = method == "head" or (scope or "person") in said
                if response.status_code != 403 or not told:
                    found.append(f"{method} {path}: {response.status_code} {said}")

        assert found == []

    @pytest.mark.parametrize("path", [path for path in GROUP_OF if plans(path)])
    def test_plans_with_the_scope_that_reads(self, ann, path):
        client = program(made(ann, *(one for one in SCOPES if one.endswith("read")))[1])
        address = f"/api/{path.replace('{}', '1')}"

        assert client.post(address, {"dry_run": True}).status_code in (400, 404)
        for as_act in ({}, {"dry_run": False}, {"dry_run": "true"}, {"dry_run": 1}):
            assert client.post(address, as_act, format="json").status_code == 403, as_act

    def test_plans_nothing_that_is_not_known_to_change_nothing(self):
        """What else heeds `dry_run`, and why it asks for the scope of the act."""
        others = {path for path in GROUP_OF if plans(path)}
        found = {path for path, names in fields_sent().items() if "dry_run" in names}

        assert found - others == {
            *("batches/labels", "batches/partOut/prices", "inventoryLocations/labels"),  # read
            *("batches/{}/reprice", "inventoryItems/reprice"),  # asks the marketplace for figures
            "batches/partOut",  # may add lots to the catalogue
            *("batchItems/bulk", "inventoryItems/bulk"),  # `create` heeds it not
            "inventoryItems/changeCurrency",  # a person's
        }
        assert others <= found


class TestBadTokens:
    def test_let_nobody_through(self, ann, bo, make_user):
        """1,000 of them: stolen and changed, expired, revoked, of the closed, guessed.

        Every fifth, of each kind, is sent to the API; `find_token` is asked for all.
        """
        draw = random.Random(7)
        letters = string.ascii_letters + string.digits
        gone = make_user("gone")
        past = now() - dt.timedelta(days=2)
        good = [made(ann)[1] for _ in range(5)]
        bad = [made(bo, days=1, at=past)[1] for _ in range(20)]
        for _ in range(20):
            token, text = made(bo)
            token.delete()
            bad += [text, made(gone)[1]]
        gone.is_active = False
        gone.save()
        ends = [text.rpartition("_") for text in good]
        bad += [f"{a[0]}_{b[2]}" for a in ends for b in ends if a != b]
        while len(bad) < 1_000:
            text = draw.choice(good)
            place = draw.randrange(4, len(text))
            other = draw.choice(letters.replace(text[place], "") + "\x7f \u00e9_-")
            kinds = [
                text[:place] + other + text[place + 1 :],
                text[:place],
                text + other,
                "bst_" + "".join(draw.choices(letters, k=60)),
                text.swapcase(),
            ]
            bad.append(draw.choice(kinds))
        bad = [text for text in bad if text.strip() not in good]
        client = APIClient()

        found = [text for text in bad if find_token(text, now=now())]
        through = [
            text
            for text in bad[::5]
            if client.get(BINS, HTTP_AUTHORIZATION=f"Bearer {text}").status_code != 401
        ]

        assert len(bad) > 980
        assert (found, through) == ([], [])


class TestTheEnd:
    def test_of_a_token_is_its_revoking(self, api, ann):
        token, text = made(ann)

        assert api(ann).delete(f"{ADDRESS}/{token.pk}").status_code == 200

        assert program(text).get(BINS).status_code == 401
        assert api(ann).delete(f"{ADDRESS}/{token.pk}").status_code == 404

    @pytest.mark.parametrize(
        "act",
        [
            lambda user: change_password(
                user=user, current_password=PASSWORD, new_password="a new one 77", now=now()
            ),
            lambda user: end_other_sessions(user=user, grant=session_of(user), now=now()),
            lambda user: close_account(
                user=user, email_address=user.email_address, password=PASSWORD, now=now()
            ),
        ],
        ids=["new password", "signed out others", "closed"],
    )
    def test_comes_with_the_sessions(self, ann, bo, act):
        (_, mine), (_, other) = made(ann), made(bo)

        act(ann)

        assert program(mine).get(BINS).status_code == 401
        assert program(other).get(BINS).status_code == 200

    def test_is_in_no_backup(self, ann):
        token, _ = made(ann)

        backup = start_backup(owner=ann, now=now())
        run_jobs()
        backup.refresh_from_db()

        with backup.file.open() as file, zipfile.ZipFile(file) as archive:
            assert all(
                token.public.encode() not in archive.read(name) for name in archive.namelist()
            )


def session_of(user):
    issue_tokens(user=user, now=now())
    return user.refresh_grants.latest("issued_at").pk


class TestWhoDidIt:
    """Each log names the token beside the person."""

    @pytest.fixture
    def send(self, ann):
        _, text = made(ann)
        return program(text).post

    def named(self, api, ann, path):
        return [one["program"] for one in api(ann).get(path).json()["data"]]

    def test_is_named_by_the_ledger_of_a_row_and_of_a_bin(self, api, ann, send):
        bin_ = make_location(ann)
        row = make_stock(ann)

        assert send(f"/api/inventoryItems/{row.pk}/move", {"to": bin_.pk}).status_code == 200
        api(ann).post(f"/api/inventoryItems/{row.pk}/move", {"to": None})

        assert self.named(api, ann, f"/api/inventoryItems/{row.pk}/movements") == [
            *("", "", "Nightly", "Nightly", "")
        ]
        assert self.named(api, ann, f"{BINS}/{bin_.pk}/movements") == ["", "Nightly"]

    def test_is_named_by_a_job_and_all_that_it_does(self, api, ann, send, monkeypatch):
        monkeypatch.setattr(acts, "AT_ONCE", 1)
        bin_ = make_location(ann)
        rows = [{"id": make_stock(ann, remarks=one).pk} for one in "ab"]

        answer = send("/api/inventoryItems/move", {"items": rows, "to": bin_.pk})
        assert answer.status_code == 202
        run_jobs()

        assert self.named(api, ann, "/api/jobs") == ["Nightly"]
        assert self.named(api, ann, "/api/inventoryActs") == ["Nightly"]
        assert self.named(api, ann, f"{BINS}/{bin_.pk}/movements") == ["Nightly", "Nightly"]

    def test_is_named_by_the_log_of_a_batch(self, api, ann, send):
        batch = make_batch(ann)
        item = make_item(batch)

        sent = {"items": [item.pk], "location_id": make_location(ann).pk}
        assert send(f"/api/batches/{batch.pk}/stow", sent).status_code == 200

        assert self.named(api, ann, f"/api/batches/{batch.pk}/operations") == ["Nightly"]

    def test_is_named_by_the_history_of_an_order_and_by_a_walk(self, api, ann, send):
        order = make_order(ann, (stock_in(ann, "A-1"), 2))

        assert send("/api/pickWalks", {"order_ids": [order.pk]}).status_code == 201
        assert send(f"/api/orders/{order.pk}/cancel", {}).status_code == 200

        assert self.named(api, ann, "/api/pickWalks") == ["Nightly"]
        assert "Nightly" in self.named(api, ann, f"/api/orders/{order.pk}/events")

import datetime as dt
import threading
import uuid
from contextlib import suppress

import jwt
import pytest
from django.conf import settings as django_settings
from django.db import transaction
from rest_framework_simplejwt.tokens import AccessToken, RefreshToken

from apps.accounts.models import RefreshGrant
from apps.accounts.services.tokens import (
    RefreshRefused,
    forget_expired,
    issue_tokens,
    refresh_tokens,
    revoke_all,
    revoke_token,
)
from apps.accounts.services.users import change_password
from apps.accounts.tests.factories import PASSWORD
from apps.core.clock import now
from apps.core.testing.threads import at_once

pytestmark = pytest.mark.django_db


def later(seconds: float) -> dt.datetime:
    return now() + dt.timedelta(seconds=seconds)


def good(token: str) -> bool:
    try:
        refresh_tokens(refresh_token=token, now=now())
    except RefreshRefused:
        return False
    return True


class TestIssueTokens:
    def test_names_the_account_and_the_times(self, ann):
        instant = now().replace(microsecond=0)

        pair = issue_tokens(user=ann, now=instant)

        access, refresh = AccessToken(pair.access), RefreshToken(pair.refresh)
        assert access["sub"] == refresh["sub"] == str(ann.pk)
        assert access["exp"] - access["iat"] == 20 * 60
        assert refresh["exp"] - refresh["iat"] == 14 * 24 * 3600
        assert access["iat"] == int(instant.timestamp())

    def test_carries_nothing_of_the_password(self, ann):
        pair = issue_tokens(user=ann, now=now())

        claims = {"token_type", "exp", "iat", "jti", "sub", "store"}
        assert set(AccessToken(pair.access).payload) == claims
        assert set(RefreshToken(pair.refresh).payload) == claims

    def test_begins_a_family_each_time(self, ann):
        issue_tokens(user=ann, now=now())
        issue_tokens(user=ann, now=now())

        assert RefreshGrant.objects.values("family").distinct().count() == 2


class TestRefreshTokens:
    def test_replaces_the_token(self, ann):
        first = issue_tokens(user=ann, now=now())

        second = refresh_tokens(refresh_token=first.refresh, now=now())

        assert second.refresh != first.refresh
        old = RefreshGrant.objects.get(replaced_at__isnull=False)
        new = RefreshGrant.objects.get(replaced_at=None)
        assert old.replaced_by == new
        assert old.family == new.family

    def test_answers_a_replaced_token_with_the_same_pair_for_a_minute(self, ann):
        first = issue_tokens(user=ann, now=now())
        instant = now()
        second = refresh_tokens(refresh_token=first.refresh, now=instant)

        again = refresh_tokens(refresh_token=first.refresh, now=instant + dt.timedelta(seconds=60))

        assert again == second
        assert RefreshGrant.objects.count() == 2

    def test_ends_the_family_when_a_replaced_token_comes_back_later(self, ann):
        first = issue_tokens(user=ann, now=now())
        other_sign_in = issue_tokens(user=ann, now=now())
        instant = now()
        second = refresh_tokens(refresh_token=first.refresh, now=instant)

        with pytest.raises(RefreshRefused):
            refresh_tokens(refresh_token=first.refresh, now=instant + dt.timedelta(seconds=61))

        assert not good(second.refresh)
        assert not good(first.refresh)
        assert good(other_sign_in.refresh)

    def test_ends_the_descendants_too(self, ann):
        first = issue_tokens(user=ann, now=now())
        instant = now()
        second = refresh_tokens(refresh_token=first.refresh, now=instant)
        third = refresh_tokens(refresh_token=second.refresh, now=instant)

        with pytest.raises(RefreshRefused):
            refresh_tokens(refresh_token=first.refresh, now=instant + dt.timedelta(seconds=61))

        assert not good(third.refresh)

    @pytest.mark.django_db(transaction=True)
    def test_makes_one_successor_when_eight_come_at_once(self, ann):
        first = issue_tokens(user=ann, now=now())

        pairs = at_once(lambda _: refresh_tokens(refresh_token=first.refresh, now=now()), threads=8)

        assert len(set(pairs)) == 1
        assert RefreshGrant.objects.count() == 2

    def test_refuses_an_account_that_was_closed(self, ann):
        pair = issue_tokens(user=ann, now=now())
        ann.is_active = False
        ann.save(update_fields=["is_active"])

        assert not good(pair.refresh)

    def test_refuses_an_expired_token(self, ann):
        pair = issue_tokens(user=ann, now=now() - dt.timedelta(days=15))

        assert not good(pair.refresh)

    def test_refuses_a_token_that_expired_by_the_clock_passed_in(self, ann):
        pair = issue_tokens(user=ann, now=now())

        with pytest.raises(RefreshRefused):
            refresh_tokens(refresh_token=pair.refresh, now=later(14 * 24 * 3600 + 1))

    def test_refuses_a_token_whose_row_is_gone(self, ann):
        pair = issue_tokens(user=ann, now=now())
        RefreshGrant.objects.all().delete()

        assert not good(pair.refresh)

    def test_refuses_a_session_that_began_with_the_old_password(self, ann):
        pair = issue_tokens(user=ann, now=now())
        ann.set_password("another one")
        ann.save(update_fields=["password"])

        assert not good(pair.refresh)
        assert RefreshGrant.objects.count() == 1


def forged(kind, user) -> str:
    """Return a token forged without the key, or a token of the wrong kind."""
    good_refresh = issue_tokens(user=user, now=now()).refresh
    claims = jwt.decode(good_refresh, options={"verify_signature": False})
    key = django_settings.SECRET_KEY
    return {
        "alg none": lambda: jwt.encode(claims, None, algorithm="none"),
        "another key": lambda: jwt.encode(claims, "k" * 64, algorithm="HS256"),
        "another algorithm": lambda: jwt.encode(claims, key, algorithm="HS512"),
        "no signature": lambda: good_refresh.rpartition(".")[0] + ".",
        "an access token": lambda: issue_tokens(user=user, now=now()).access,
        "access dressed as refresh": lambda: jwt.encode(
            {**claims, "token_type": "access"}, key, algorithm="HS256"
        ),
        "no type": lambda: jwt.encode(
            {name: value for name, value in claims.items() if name != "token_type"}, key
        ),
        "no expiry": lambda: jwt.encode(
            {name: value for name, value in claims.items() if name != "exp"}, key
        ),
        "no id": lambda: jwt.encode(
            {name: value for name, value in claims.items() if name != "jti"}, key
        ),
        "an unknown id": lambda: jwt.encode({**claims, "jti": uuid.uuid4().hex}, key),
        "an id that is none": lambda: jwt.encode({**claims, "jti": "x"}, key),
        "not a token": lambda: "nonsense",
        "two dots": lambda: "..",
        "not text": lambda: "\x00\ud800",
    }[kind]()


FORGERIES = [
    "alg none",
    "another key",
    "another algorithm",
    "no signature",
    "an access token",
    "access dressed as refresh",
    "no type",
    "no expiry",
    "no id",
    "an unknown id",
    "an id that is none",
    "not a token",
    "two dots",
    "not text",
]


class TestForgedRefreshTokens:
    @pytest.mark.parametrize("kind", FORGERIES)
    def test_are_refused_and_change_nothing(self, ann, kind):
        token = forged(kind, ann)
        before = list(RefreshGrant.objects.order_by("pk").values())

        assert not good(token)

        assert list(RefreshGrant.objects.order_by("pk").values()) == before


class TestRevokeToken:
    def test_ends_the_session_and_no_other(self, ann):
        first = issue_tokens(user=ann, now=now())
        second = refresh_tokens(refresh_token=first.refresh, now=now())
        other = issue_tokens(user=ann, now=now())

        revoke_token(refresh_token=first.refresh, now=now())

        assert not good(first.refresh)
        assert not good(second.refresh)
        assert good(other.refresh)

    @pytest.mark.parametrize("kind", FORGERIES)
    def test_says_nothing_of_a_token_that_is_none(self, ann, kind):
        pair = issue_tokens(user=ann, now=now())

        revoke_token(refresh_token=forged(kind, ann), now=now())

        assert good(pair.refresh)


class TestRevokeAll:
    def test_ends_every_session_of_that_person(self, ann, bo):
        mine = [issue_tokens(user=ann, now=now()) for _ in range(3)]
        theirs = issue_tokens(user=bo, now=now())

        revoke_all(user=ann, now=now())

        assert [good(pair.refresh) for pair in mine] == [False] * 3
        assert good(theirs.refresh)

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.parametrize("end", ["sign out", "change of password"])
    def test_leaves_no_successor_of_a_refresh_in_the_same_moment(self, ann, end):
        pairs = [issue_tokens(user=ann, now=now()) for _ in range(8)]

        def act(number: int) -> None:
            if number % 2 == 0:
                with suppress(RefreshRefused):
                    refresh_tokens(refresh_token=pairs[number // 2].refresh, now=now())
            elif end == "sign out":
                revoke_token(refresh_token=pairs[number // 2].refresh, now=now())
            elif number == 1:
                change_password(
                    user=ann, current_password=PASSWORD, new_password="new brick words", now=now()
                )

        at_once(act, threads=8)

        ended = {RefreshToken(pair.refresh)["jti"] for pair in pairs[:4]}
        families = RefreshGrant.objects.filter(pk__in=ended).values("family")
        assert RefreshGrant.objects.filter(family__in=families, revoked_at=None).count() == 0

    @pytest.mark.django_db(transaction=True)
    def test_waits_for_a_refresh_that_has_not_committed_yet(self, ann):
        pair = issue_tokens(user=ann, now=now())
        refreshed = threading.Event()

        def act(number: int) -> None:
            if number == 0:
                with transaction.atomic():
                    refresh_tokens(refresh_token=pair.refresh, now=now())
                    refreshed.set()
                    threading.Event().wait(0.3)  # the other one is in its UPDATE by now
            else:
                assert refreshed.wait(60)
                revoke_token(refresh_token=pair.refresh, now=now())

        at_once(act, threads=2)

        assert RefreshGrant.objects.count() == 2
        assert RefreshGrant.objects.filter(revoked_at=None).count() == 0


class TestForgetExpired:
    def test_forgets_grants_that_no_token_can_use(self, ann):
        issue_tokens(user=ann, now=now() - dt.timedelta(days=15))
        kept = issue_tokens(user=ann, now=now())

        assert forget_expired(now=now()) == 1

        assert good(kept.refresh)

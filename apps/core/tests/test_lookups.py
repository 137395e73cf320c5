"""`among`: `in` with one parameter."""

import pytest

from apps.accounts.models import Preferences, User


@pytest.fixture
def people(db):
    people = [User.objects.create_user(f"{n}@example.org", "x") for n in range(3)]
    Preferences.objects.bulk_create(Preferences(user=one, currency="EUR") for one in people)
    return people


def test_finds_the_rows_with_these_ids(people):
    ids = [people[0].pk, people[2].pk, 10**15]

    assert list(User.objects.filter(pk__among=ids).order_by("pk")) == [people[0], people[2]]


def test_finds_rows_by_what_they_point_to(people):
    found = Preferences.objects.filter(user_id__among=[people[1].pk])

    assert [one.user for one in found] == [people[1]]


def test_finds_nothing_among_none(people):
    assert not User.objects.filter(pk__among=[]).exists()


def test_is_one_parameter(db):
    _sql, params = User.objects.filter(pk__among=range(2_000)).query.sql_with_params()

    assert len(params) == 1

"""`among`: `in` with one parameter."""

import pytest
from django.contrib.auth import get_user_model

from apps.core.jobs.models import Job

User = get_user_model()
pytestmark = pytest.mark.postgres


@pytest.fixture
def people(db):
    return [User.objects.create_user(f"{n}@example.org", "x") for n in range(3)]


def test_finds_the_rows_with_these_ids(people):
    ids = [people[0].pk, people[2].pk, 10**15]

    assert list(User.objects.filter(pk__among=ids).order_by("pk")) == [people[0], people[2]]


def test_finds_rows_by_what_they_point_to(people):
    for person in people:
        Job.objects.create(owner=person, kind="test", payload={})

    found = Job.objects.filter(owner_id__among=[people[1].pk])

    assert [job.owner for job in found] == [people[1]]


def test_finds_nothing_among_none(people):
    assert not User.objects.filter(pk__among=[]).exists()


def test_is_one_parameter(db):
    _sql, params = User.objects.filter(pk__among=range(2_000)).query.sql_with_params()

    assert len(params) == 1

"""Queries that are compiled once."""

import datetime as dt

import pytest

from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.prepared import IDS, INSTANT, TEXT, WHOLE, Prepared, united, update_of

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
KINDS = Prepared(
    lambda owner: Job.objects.filter(owner=owner).order_by("kind").values_list("kind"), owner=WHOLE
)


def job(owner, kind="a", *, days=0):
    made = Job.objects.create(owner=owner, kind=kind, payload={})
    Job.objects.filter(pk=made.pk).update(created_at=now() - dt.timedelta(days=days))
    return made


def test_finds_what_belongs_to_each_value(ann, bo):
    job(ann, "a")
    job(bo, "b")
    job(bo, "c")

    assert KINDS.rows(owner=ann.pk) == [("a",)]
    assert KINDS.rows(owner=bo.pk) == [("b",), ("c",)]


def test_is_built_once_for_each_shape(ann):
    built = []

    def build(kind, owner):
        built.append(kind)
        return Job.objects.filter(owner=owner, kind=kind).values_list("kind")

    query = Prepared(build, owner=WHOLE)
    job(ann, "b")

    found = [query.rows(kind, owner=ann.pk) for kind in "abab"]

    assert found == [[], [("b",)], [], [("b",)]]
    assert built == ["a", "b"]


def test_unites_the_first_rows_of_several_in_one_query(ann, bo, django_assert_num_queries):
    for owner in (ann, bo):
        job(owner, "b")
        job(owner, "a")
    first = Prepared(
        lambda owner: Job.objects.filter(owner=owner).order_by("kind").values_list("kind")[:1],
        owner=WHOLE,
    )
    both = Prepared(
        lambda: [Job.objects.order_by(by).values_list("kind")[:1] for by in ("kind", "-kind")]
    )

    with django_assert_num_queries(2):
        assert united([first.bound(owner=one.pk) for one in (ann, bo)]) == [("a",), ("a",)]
        assert sorted(both.rows()) == [("a",), ("b",)]


def test_costs_one_query(ann, django_assert_num_queries):
    with django_assert_num_queries(1):
        KINDS.rows(owner=ann.pk)


def test_counts_from_an_instant_before_the_one_that_is_given(ann):
    job(ann, "old", days=9)
    job(ann, "new", days=2)
    week = dt.timedelta(days=7)
    query = Prepared(
        lambda at: Job.objects.filter(created_at__gte=at.before(week)).values_list("kind"),
        at=INSTANT,
    )

    assert query.rows(at=now()) == [("new",)]


def test_finds_rows_among_ids(ann, bo):
    job(ann, "a")
    job(bo, "b")
    query = Prepared(
        lambda ids, kind: Job.objects.filter(owner_id__among=ids, kind=kind).values_list("kind"),
        ids=IDS,
        kind=TEXT,
    )

    assert query.rows(ids={ann.pk, bo.pk}, kind="b") == [("b",)]
    assert query.rows(ids=(), kind="b") == []


def test_returns_the_values_as_the_model_has_them(ann):
    made = job(ann)
    query = Prepared(
        lambda owner: Job.objects.filter(owner=owner).values("pk", "created_at", "payload"),
        owner=WHOLE,
    )
    made.refresh_from_db()

    assert query.dicts(owner=ann.pk) == [
        {"pk": made.pk, "created_at": made.created_at, "payload": {}}
    ]


def test_sets_values_in_its_rows_and_counts_them(ann, bo):
    of_ann, of_bo = job(ann), job(bo)
    query = Prepared(
        lambda owner, message: update_of(Job.objects.filter(owner=owner), message=message),
        owner=WHOLE,
        message=TEXT,
    )

    assert query.update(owner=ann.pk, message="first") == 1
    assert query.update(owner=bo.pk, message="second") == 1
    assert query.update(owner=0, message="nobody's") == 0
    of_ann.refresh_from_db()
    of_bo.refresh_from_db()
    assert (of_ann.message, of_bo.message) == ("first", "second")


def test_refuses_none_which_would_need_another_statement():
    with pytest.raises(ValueError, match="owner is None"):
        KINDS.rows(owner=None)

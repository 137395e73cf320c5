import datetime as dt

import pytest
from django.db import transaction

from apps.core.bulk import (
    add_to_rows,
    allocate_ids,
    insert_missing,
    insert_rows,
    instant_text,
    update_rows,
)
from apps.core.idempotency.models import StoredAnswer

NOON = dt.datetime(2026, 11, 21, 12, 0, 0, 5, tzinfo=dt.UTC)
FIELDS = ("id", "owner_id", "key", "fingerprint", "status_code", "body", "created_at")


def insert(ann, keys):
    with transaction.atomic():
        ids = allocate_ids(StoredAnswer, len(keys))
        rows = [
            (pk, ann.pk, key, "f", 200, b"\x00\xff", instant_text(NOON))
            for pk, key in zip(ids, keys, strict=True)
        ]
        insert_rows(StoredAnswer, FIELDS, rows)
    return ids


@pytest.mark.django_db
class TestInsertRows:
    def test_stores_what_the_model_reads_back(self, ann):
        first, second = insert(ann, ["tab\tand\\slash", "new\nline"])

        stored = StoredAnswer.objects.get(pk=first)
        assert (stored.key, stored.status_code, stored.created_at) == ("tab\tand\\slash", 200, NOON)
        assert bytes(stored.body) == b"\x00\xff"
        assert StoredAnswer.objects.get(pk=second).key == "new\nline"

    def test_leaves_later_rows_their_own_ids(self, ann):
        ids = insert(ann, ["a", "b", "c"])

        made = StoredAnswer.objects.create(owner=ann, key="d", fingerprint="f")

        assert made.pk > max(ids)
        assert insert(ann, ["e"])[0] > made.pk

    def test_takes_no_rows_at_all(self, ann):
        assert insert(ann, []) == []


@pytest.mark.django_db
class TestUpdateRows:
    def test_gives_each_row_its_own_values_and_leaves_the_rest(self, ann):
        one, two, three = insert(ann, ["one", "two", "three"])
        later = instant_text(NOON + dt.timedelta(days=1))

        with transaction.atomic():
            update_rows(
                StoredAnswer,
                ("key", "status_code", "created_at"),
                [(one, "uno", 201, later), (two, "it's", 202, later)],
            )

        rows = StoredAnswer.objects.order_by("pk").values_list("pk", "key", "status_code")
        assert list(rows) == [(one, "uno", 201), (two, "it's", 202), (three, "three", 200)]
        assert StoredAnswer.objects.get(pk=one).created_at == NOON + dt.timedelta(days=1)

    @pytest.mark.parametrize("text", ["", "NULL", "a,b", "{a}", '"a"', "a\\b\\", "%s 'a' ¤\n"])
    def test_writes_texts_as_they_are(self, ann, text):
        one, two = insert(ann, ["one", "two"])

        with transaction.atomic():
            update_rows(StoredAnswer, ("key",), [(one, text), (two, f"2{text}")])

        assert dict(StoredAnswer.objects.values_list("pk", "key")) == {one: text, two: f"2{text}"}

    def test_takes_no_rows_at_all(self, ann):
        update_rows(StoredAnswer, ("key",), [])

        assert not StoredAnswer.objects.exists()


@pytest.mark.django_db
class TestInsertMissing:
    def test_leaves_what_is_there_as_it_is(self, ann):
        insert(ann, ["there"])
        row = ("new", 201, b"", instant_text(NOON))
        fields = ("owner_id", "key", "fingerprint", "status_code", "body", "created_at")

        made = insert_missing(
            StoredAnswer, fields, [(ann.pk, "there", *row), (ann.pk, "new", *row)]
        )

        assert made == 1
        assert dict(StoredAnswer.objects.values_list("key", "status_code")) == {
            "there": 200,
            "new": 201,
        }


@pytest.mark.django_db
class TestAddToRows:
    def test_adds_to_each(self, ann):
        one, two = insert(ann, ["one", "two"])

        add_to_rows(StoredAnswer, ("status_code",), [(one, 5), (two, -7), (99_999, 1)])

        assert dict(StoredAnswer.objects.values_list("key", "status_code")) == {
            "one": 205,
            "two": 193,
        }

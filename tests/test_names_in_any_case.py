"""Names of locations, container types and sources: seen, and once to an owner in any case."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.backups.tests.factories import backup_of, restored, zip_of
from apps.core.clock import now
from apps.core.names import rekey
from apps.locations.models import ContainerType, Location
from apps.locations.services.locations import locations_named, name_in_remarks
from apps.locations.tests.factories import make_location
from apps.sources.models import Source

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

RESOURCES = {
    "inventoryLocations": (Location, "name"),
    "inventoryContainerTypes": (ContainerType, "inventory_container_type_name"),
    "sources": (Source, "name"),
}


def add(client: Any, path: str, name: str) -> Any:
    return client.post(f"/api/{path}", {"name": name}, format="json")


def fields_of(response: Any) -> dict[str, Any]:
    return response.json()["meta"]["error"]["fields"]


def make_twins(owner: Any, model: Any) -> list[Any]:
    """Rows as they were before twins were refused."""
    rows = [model.objects.create(owner=owner, name=name) for name in ("A-2", "other")]
    model.objects.filter(pk=rows[1].pk).update(name="a-2", name_key="a-2", twin=rows[1].pk)
    return rows


def restored_from(owner: Any, api: Any) -> Any:
    """The job that restored everything of `owner` into a new account."""
    other = User.objects.create_user("eve@example.org", name="Eve")
    return restored(other, zip_of(backup_of(owner)))


@pytest.mark.parametrize("path", RESOURCES)
class TestATwin:
    def test_is_refused_with_the_name_that_is_there(self, api, ann, bo, path):
        assert add(api(ann), path, "A-2").status_code == 201

        response = add(api(ann), path, "a-2")

        assert response.status_code == 400
        assert fields_of(response) == {"name": ["differs from “A-2” only in capitals or width"]}
        assert RESOURCES[path][0].objects.owned_by(ann).count() == 1
        assert add(api(bo), path, "a-2").status_code == 201

    @pytest.mark.parametrize("name", ["Ａ-2", "a－２", "A-2\ufe0f", "A-\u200d2", "Ａ－２"])
    def test_is_refused_that_differs_in_width_or_marks(self, api, ann, path, name):
        add(api(ann), path, "A-2")

        response = add(api(ann), path, name)

        assert fields_of(response) == {"name": ["differs from “A-2” only in capitals or width"]}

    def test_is_refused_of_another_rows_name_and_not_of_its_own(self, api, ann, path):
        add(api(ann), path, "A-2")
        pk = add(api(ann), path, "B-1").json()["data"][0]["id"]

        refused = api(ann).patch(f"/api/{path}/{pk}", {"name": "a-2"}, format="json")
        changed = api(ann).patch(f"/api/{path}/{pk}", {"name": "b-1"}, format="json")

        assert refused.status_code == 400
        assert list(fields_of(refused)) == ["name"]
        assert changed.status_code == 200
        assert changed.json()["data"][0]["name"] == "b-1"

    def test_is_refused_by_the_database(self, ann, path):
        model = RESOURCES[path][0]
        model.objects.create(owner=ann, name="Straße")

        with pytest.raises(IntegrityError), transaction.atomic():
            model.objects.create(owner=ann, name="STRASSE")

    def test_from_before_is_kept_shown_and_merged(self, api, ann, path):
        model = RESOURCES[path][0]
        first, twin = make_twins(ann, model)
        client = api(ann)

        shown = client.get(f"/api/{path}/twins").json()["data"]
        edited = client.patch(f"/api/{path}/{twin.pk}", {"name": "a-2"}, format="json")
        third = add(client, path, "A-2 ".strip().lower())
        merged = client.post(f"/api/{path}/{first.pk}/merge", {"into": twin.pk}, format="json")

        rows = [{"id": first.pk, "name": "A-2"}, {"id": twin.pk, "name": "a-2"}]
        assert shown == [{"rows": rows}]
        assert edited.status_code == 200
        assert third.status_code == 400
        assert merged.status_code == 200
        assert client.get(f"/api/{path}/twins").json()["data"] == []
        assert add(client, path, "A-2").status_code == 400
        assert list(model.objects.owned_by(ann).values_list("name", flat=True)) == ["a-2"]


@pytest.mark.parametrize("path", RESOURCES)
class TestAnInvisibleName:
    @pytest.mark.parametrize(
        "name",
        [
            "\u200b",
            "\u2800\u2800",
            "\u3164",
            "\u200d\ufe0f",
            "A-1\u202e",
            "A\u200b-1",
            "\ufeffA",
            "A\u2066",
        ],
    )
    def test_is_refused(self, api, ann, path, name):
        add(api(ann), path, "B-1")
        pk = api(ann).get(f"/api/{path}").json()["data"][0]["id"]

        made = add(api(ann), path, name)
        renamed = api(ann).patch(f"/api/{path}/{pk}", {"name": name}, format="json")

        assert [made.status_code, renamed.status_code] == [400, 400]
        assert fields_of(made)["name"] == ["has invisible or direction-changing characters"]
        assert RESOURCES[path][0].objects.count() == 1

    def test_from_before_can_be_kept_and_everything_else_of_it_changed(self, api, ann, path):
        model = RESOURCES[path][0]
        row = model.objects.create(owner=ann, name="A\u200b-1")

        kept = api(ann).patch(f"/api/{path}/{row.pk}", {"name": row.name}, format="json")
        restored_job = restored_from(ann, api)

        assert kept.status_code == 200
        assert restored_job.failed == []

    def test_of_a_picture_made_of_several_is_taken(self, api, ann, path):
        assert add(api(ann), path, "❤\ufe0f 1").status_code == 201


class TestRekeying:
    def test_keeps_every_row_and_makes_twins_of_those_that_are_one_now(self, ann, bo):
        names = ["Ａ-1", "A-1", "B\u200b", "b", "\u200b", "\u2800", "plain"]
        rows = [Location.objects.create(owner=ann, name=f"x{at}") for at in range(len(names))]
        for row, name in zip(rows, names, strict=True):
            Location.objects.filter(pk=row.pk).update(name=name, name_key=f"{name.casefold()}")
        make_location(bo, "A-1")

        rekey(Location, using="default")
        rekey(Location, using="default")

        told = Location.objects.owned_by(ann).order_by("pk")
        assert [one.name for one in told] == names
        keys = [(one.name_key, one.twin == 0) for one in told]
        assert keys[0][0] == keys[1][0] == "a-1"
        for key in {key for key, _ in keys}:
            assert [is_first for one, is_first in keys if one == key].count(True) == 1


class TestNamesOfAFile:
    def test_are_those_that_are_seen(self):
        assert name_in_remarks("A-\u200b01\u202e") == "A-01"
        assert name_in_remarks("\u200b\u2800") == name_in_remarks("\ufe0f") == ""

    def test_of_another_width_find_the_bin_that_is_there(self, ann):
        there = make_location(ann, "A-2")

        assert locations_named(owner=ann, names=["Ａ-2"], create=True, now=now()) == {
            "Ａ-2": there.pk
        }

    def test_find_a_location_in_any_case_and_make_no_twin(self, ann):
        there = make_location(ann, "A-2")

        found = locations_named(
            owner=ann, names=["a-2", "A-2", "b-1", "B-1"], create=True, now=now()
        )

        assert found["a-2"] == found["A-2"] == there.pk
        assert found["b-1"] == found["B-1"]
        assert set(Location.objects.values_list("name", flat=True)) == {"A-2", "b-1"}

    def test_prefer_the_spelling_among_twins(self, ann):
        first, twin = make_twins(ann, Location)

        found = locations_named(owner=ann, names=["a-2", "A-2"], create=True, now=now())

        assert found == {"a-2": twin.pk, "A-2": first.pk}

    def test_of_a_pattern_skip_what_is_there_in_another_case(self, api, ann):
        make_location(ann, "a-2")

        response = api(ann).post(
            "/api/inventoryLocations/pattern", {"pattern": "A-[1-3]"}, format="json"
        )

        row = response.json()["data"][0]
        assert (row["names"], row["existing"]) == (["A-1", "A-3"], ["A-2"])


class TestABackup:
    @pytest.mark.parametrize("path", RESOURCES)
    def test_brings_twins_back_as_they_were(self, ann, bo, path):
        model = RESOURCES[path][0]
        make_twins(ann, model)

        restored(bo, zip_of(backup_of(ann)))

        rows = model.objects.owned_by(bo).order_by("pk")
        assert [(row.name, row.name_key, row.twin) for row in rows] == [
            ("A-2", "a-2", 0),
            ("a-2", "a-2", rows[1].pk),
        ]

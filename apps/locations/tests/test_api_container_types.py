from decimal import Decimal

import pytest

from apps.locations.models import ContainerType, Location
from apps.locations.tests.factories import make_container_type, make_location

pytestmark = pytest.mark.django_db
URL = "/api/inventoryContainerTypes"
D = Decimal


def data(response):
    return response.json()["data"]


class TestContainerTypes:
    def test_are_made_listed_edited_and_deleted(self, ann, api):
        client = api(ann)

        made = data(client.post(URL, {"name": "Drawer", "max_item_count": 50}))[0]
        edited = data(client.patch(f"{URL}/{made['id']}", {"max_total_weight": "12.5"}))[0]
        deleted = client.delete(f"{URL}/{made['id']}")

        assert (made["name"], made["max_item_count"], made["location_count"]) == ("Drawer", 50, 0)
        assert edited["max_total_weight"] == "12.5000"
        assert deleted.status_code == 200
        assert not ContainerType.objects.exists()

    def test_tell_their_size_and_their_label(self, ann, api):
        client = api(ann)

        plain = data(client.post(URL, {"name": "Box"}))[0]
        made = client.post(URL, {"name": "Drawer", "size_class": "small", "label_size": "roll_12"})
        edited = client.patch(f"{URL}/{data(made)[0]['id']}", {"size_class": ""})

        assert (plain["size_class"], plain["label_size"]) == ("", "")
        told = [(data(one)[0]["size_class"], data(one)[0]["label_size"]) for one in (made, edited)]
        assert told == [("small", "roll_12"), ("", "roll_12")]

    def test_leave_their_locations_when_they_go(self, ann, api):
        drawer = make_container_type(ann, max_item_count=9)
        bin_ = make_location(ann, container_type=drawer)

        assert data(api(ann).get(URL))[0]["location_count"] == 1
        api(ann).delete(f"{URL}/{drawer.pk}")

        left = Location.objects.get(pk=bin_.pk)
        assert (left.container_type, left.max_item_count) == (None, 9)

    def test_change_no_location_that_was_made_before(self, ann, api):
        drawer = make_container_type(ann, max_item_count=9)
        bin_ = make_location(ann, container_type=drawer)

        api(ann).patch(f"{URL}/{drawer.pk}", {"max_item_count": 5})

        bin_.refresh_from_db()
        assert bin_.max_item_count == 9

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"name": " "}, "name"),
            ({"name": "Drawer"}, "name"),
            ({"name": "Box", "max_item_count": 1.5}, "max_item_count"),
            ({"name": "Box", "size_class": "tiny"}, "size_class"),
            ({"name": "Box", "label_size": "a3"}, "label_size"),
            ({"name": "Box", "min_item_weight": "2", "max_item_weight": "1"}, "min_item_weight"),
        ],
        ids=str,
    )
    def test_refuse_bad_values_by_field(self, ann, api, body, field):
        make_container_type(ann, "Drawer")

        response = api(ann).post(URL, body)

        assert response.status_code == 400
        assert list(response.json()["meta"]["error"]["fields"]) == [field]
        assert ContainerType.objects.count() == 1

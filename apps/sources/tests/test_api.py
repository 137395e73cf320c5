import pytest

from apps.sources.models import Source
from apps.sources.services import create_source

pytestmark = pytest.mark.django_db
URL = "/api/sources"


def data(response):
    return response.json()["data"]


class TestSources:
    def test_are_made_edited_and_deleted(self, ann, api):
        client = api(ann)

        made = client.post(URL, {"name": "Market", "notes": "Sundays"})
        row = data(made)[0]
        edited = data(client.patch(f"{URL}/{row['id']}", {"notes": ""}))[0]
        deleted = client.delete(f"{URL}/{row['id']}")

        assert made.status_code == 201
        assert set(row) >= {"id", "name", "notes", "createdAt", "updatedAt"}
        assert (edited["name"], edited["notes"]) == ("Market", "")
        assert deleted.status_code == 200
        assert not Source.objects.exists()

    def test_are_listed_by_name_and_found(self, ann, api):
        for name, notes in (("Market", ""), ("Auction", "loud"), ("Friend", "")):
            create_source(owner=ann, fields={"name": name, "notes": notes})
        client = api(ann)

        assert [row["name"] for row in data(client.get(URL))] == ["Auction", "Friend", "Market"]
        assert [row["name"] for row in data(client.get(URL, {"search": "LOUD"}))] == ["Auction"]
        newest = data(client.get(URL, {"ordering": "-createdAt"}))
        assert [row["name"] for row in newest] == ["Friend", "Auction", "Market"]

    @pytest.mark.parametrize(
        "body", [{}, {"name": ""}, {"name": "x" * 201}, {"name": "Market"}, {"name": "a\x00"}]
    )
    def test_refuse_bad_names(self, ann, api, body):
        create_source(owner=ann, fields={"name": "Market"})

        response = api(ann).post(URL, body)

        assert response.status_code == 400
        assert list(response.json()["meta"]["error"]["fields"]) == ["name"]
        assert Source.objects.count() == 1

    def test_are_each_owners_own(self, ann, bo, api):
        hers = create_source(owner=ann, fields={"name": "Market"})
        client = api(bo)

        assert data(client.get(URL)) == []
        assert client.get(f"{URL}/{hers.pk}").status_code == 404
        assert client.patch(f"{URL}/{hers.pk}", {"name": "x"}).status_code == 404
        assert client.delete(f"{URL}/{hers.pk}").status_code == 404
        assert client.post(URL, {"name": "Market"}).status_code == 201

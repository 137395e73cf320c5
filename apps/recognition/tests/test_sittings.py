import pytest

from apps.recognition.models import StationSitting

pytestmark = pytest.mark.django_db

BEGUN = {"started_at": "2026-11-21T10:00:00Z", "acted_at": "2026-11-21T10:05:00Z"}


class TestStationSittings:
    def test_keep_the_sums(self, api, ann):
        body = {"key": "k", **BEGUN, "adds": 12, "keys": 15, "accept_p50_ms": 900}

        (row,) = api(ann).post("/api/stationSittings", body).json()["data"]

        assert (row["adds"], row["keys"], row["accept_p50_ms"], row["undos"]) == (12, 15, 900, 0)

    def test_are_replaced_when_told_again(self, api, ann):
        api(ann).post("/api/stationSittings", {"key": "k", **BEGUN, "adds": 1})

        api(ann).post("/api/stationSittings", {"key": "k", **BEGUN, "adds": 2})

        assert list(StationSitting.objects.values_list("adds", flat=True)) == [2]

    def test_of_two_people_may_have_one_key(self, api, ann, bo):
        api(ann).post("/api/stationSittings", {"key": "k", **BEGUN, "adds": 1})

        api(bo).post("/api/stationSittings", {"key": "k", **BEGUN, "adds": 2})

        assert sorted(StationSitting.objects.values_list("adds", flat=True)) == [1, 2]

    def test_cannot_end_before_they_began(self, api, ann):
        body = {"key": "k", "started_at": BEGUN["acted_at"], "acted_at": BEGUN["started_at"]}

        answer = api(ann).post("/api/stationSittings", body)

        assert answer.status_code == 400
        assert not StationSitting.objects.exists()

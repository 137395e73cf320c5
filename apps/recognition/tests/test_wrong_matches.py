import pytest

from apps.recognition.models import WrongMatch

pytestmark = pytest.mark.django_db
URL = "/api/recognition/wrongMatches"
SEEN = {"listing_id": "res-1", "seen_type": "PART", "seen_number": "3001", "score": 0.87}


class TestWrongMatches:
    def test_are_kept_with_the_recogniser_that_was_wrong(self, api, ann):
        answer = api(ann).post(URL, {**SEEN, "right_type": "PART", "right_number": "3002"})

        (row,) = answer.json()["data"]
        assert answer.status_code == 201
        assert (row["provider"], row["listing_id"]) == ("Brickstow", "res-1")
        assert (row["seen_number"], row["score"], row["right_number"]) == ("3001", 0.87, "3002")

    def test_need_not_say_what_is_right(self, api, ann):
        (row,) = api(ann).post(URL, SEEN).json()["data"]

        assert (row["right_type"], row["right_number"]) == ("", "")

    def test_are_taken_back(self, api, ann):
        (row,) = api(ann).post(URL, SEEN).json()["data"]

        api(ann).delete(f"{URL}/{row['id']}")

        assert not WrongMatch.objects.exists()

    @pytest.mark.parametrize(
        "wrong",
        [{"score": 1.5}, {"seen_type": "BRICK"}, {"seen_number": ""}, {"right_number": "3002"}],
        ids=str,
    )
    def test_are_refused_where_they_say_nothing(self, api, ann, wrong):
        assert api(ann).post(URL, {**SEEN, **wrong}).status_code == 400
        assert not WrongMatch.objects.exists()

    def test_are_their_owners(self, api, ann, bo):
        api(ann).post(URL, SEEN)

        assert api(bo).get(URL).json()["data"] == []

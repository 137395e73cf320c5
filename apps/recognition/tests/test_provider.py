"""The client and the simulator are held to the same documented examples."""

import json
import time
import urllib.error
import urllib.request

import pytest
from PIL import Image, ImageDraw

from apps.recognition.providers.base import (
    PictureRefused,
    RecogniserBusy,
    RecogniserFailed,
    RecogniserUnreachable,
)
from apps.recognition.providers.brickognize import Brickognize, prediction_of
from apps.recognition.tests.pictures import HEIC, encoded, sample


@pytest.fixture
def client(recogniser_url):
    return Brickognize(recogniser_url)


def best(prediction):
    return prediction.items[0].number if prediction.items else None


class TestIdentify:
    @pytest.mark.parametrize(
        ("picture", "lookup", "number", "color"),
        [
            ("brick-2x4-red", "PART", "3001", "Red"),
            ("brick-2x4-blue", "PART", "3001", "Blue"),
            ("brick-1x4-black", "PART", "3010", "Black"),
            ("plate-1x2-brown", "PART", "3023", "Reddish Brown"),
        ],
    )
    def test_names_part_and_colour(self, client, picture, lookup, number, color):
        found = client.identify(jpeg=sample(picture), lookup=lookup)

        assert (best(found), found.colors[0].name) == (number, color)
        assert found.items[0].sites[0].name == "bricklink"

    @pytest.mark.parametrize(
        ("picture", "lookup", "number"),
        [
            ("figure", "MINIFIG", "sp001"),
            ("figure", "PART", None),
            ("set-box", "SET", "10030-1"),
            ("set-box", "ANY", "10030-1"),
            ("nothing", "ANY", None),
        ],
    )
    def test_asks_for_one_type_or_for_any(self, client, picture, lookup, number):
        assert best(client.identify(jpeg=sample(picture), lookup=lookup)) == number

    def test_gives_a_shortlist_in_descending_order(self, client):
        items = client.identify(jpeg=sample("brick-1x2-green"), lookup="PART").items

        assert len(items) > 1
        assert [each.score for each in items] == sorted(
            (each.score for each in items), reverse=True
        )

    def test_guesses_at_a_thing_that_it_does_not_know(self, client):
        picture = Image.new("RGB", (400, 300), "white")
        ImageDraw.Draw(picture).polygon([(90, 200), (200, 60), (310, 200)], fill="magenta")

        items = client.identify(jpeg=encoded(picture), lookup="PART").items

        scores = [each.score for each in items]
        assert 1 <= len(scores) <= 3
        assert scores == sorted(scores, reverse=True)
        assert scores[0] <= 0.6

    def test_guesses_at_nothing_that_is_cut_off(self, client):
        noise = Image.effect_noise((400, 300), 80).convert("RGB")

        assert client.identify(jpeg=encoded(noise), lookup="ANY").items == ()

    @pytest.mark.parametrize(
        ("what", "problem"),
        [
            ("busy", RecogniserBusy),
            ("broken", RecogniserFailed),
            ("html", RecogniserFailed),
            ("twice", RecogniserFailed),
            ("cut", RecogniserFailed),
        ],
    )
    def test_says_how_it_failed(self, client, play, what, problem):
        play(what)

        with pytest.raises(problem):
            client.identify(jpeg=sample("figure"), lookup="ANY")

    def test_is_over_when_nobody_answers_in_time(self, client, play, monkeypatch):
        monkeypatch.setattr("apps.recognition.providers.brickognize.READ_SECONDS", 0.2)
        play("late")

        with pytest.raises(RecogniserUnreachable):
            client.identify(jpeg=sample("figure"), lookup="ANY")

    def test_is_over_when_nobody_is_there(self):
        with pytest.raises(RecogniserUnreachable):
            Brickognize("http://127.0.0.1:9").identify(jpeg=b"", lookup="ANY")

    def test_tells_a_refused_picture(self, client):
        with pytest.raises(PictureRefused, match="Unsupported file format"):
            client.identify(jpeg=HEIC, lookup="ANY")

    def test_is_stopped_by_the_sixth_call_of_a_second(self, client, simulator):
        simulator.calls = [time.monotonic() + 60] * 5  # a second that lasts

        with pytest.raises(RecogniserBusy):
            client.identify(jpeg=sample("nothing"), lookup="ANY")


class TestIsHealthy:
    def test_is_true_while_it_answers(self, client):
        assert client.is_healthy()

    def test_is_false_when_nobody_is_there(self):
        assert not Brickognize("http://127.0.0.1:9").is_healthy()


class TestPredictionOf:
    def test_reads_the_documented_answer(self):
        found = prediction_of(
            {
                "listing_id": "res-d492bca0",
                "bounding_box": {"left": 114.09, "score": 0.907},
                "items": [
                    {
                        "id": "3001",
                        "name": "Brick 2 x 4",
                        "img_url": "https://storage.googleapis.com/x/3001/0.webp",
                        "external_sites": [
                            {"name": "bricklink", "url": "https://www.bricklink.com/x?P=3001"}
                        ],
                        "category": "Brick",
                        "type": "part",
                        "score": 0.9,
                    }
                ],
                "colors": [{"id": "3", "name": "Yellow", "score": 0.73}],
            }
        )

        (item,) = found.items
        assert (item.number, item.kind, item.score) == ("3001", "part", 0.9)
        assert (found.colors[0].number, found.colors[0].name) == ("3", "Yellow")

    @pytest.mark.parametrize(
        "name",
        ["brickognize_predict_parts_color", "brickognize_predict_figs"],
    )
    def test_reads_the_samples(self, shared_data, name):
        document = json.loads(shared_data(f"api/{name}.json").read_text())

        assert best(prediction_of(document)) == document["items"][0]["id"]

    def test_leaves_out_rows_without_number_or_score(self):
        rows = [None, {}, {"id": "1"}, {"id": "2", "score": "high"}, {"id": 3, "score": 2}]

        (item,) = prediction_of({"items": rows}).items
        assert (item.number, item.score) == ("3", 1.0)

    def test_lets_no_address_through_that_is_not_of_the_web(self):
        row = {
            "id": "1",
            "score": 0.5,
            "img_url": "javascript:alert(1)",
            "external_sites": [{"name": "x", "url": "data:text/html,x"}],
        }

        (item,) = prediction_of({"items": [row]}).items
        assert (item.image_url, item.sites) == (None, ())


class TestTheSimulator:
    """It answers as the samples of the real service do."""

    def refusal(self, address, body=b"", **headers):
        request = urllib.request.Request(address, data=body, headers=headers, method="POST")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=60)
        with refused.value as answer:
            return answer.code, json.loads(answer.read())

    def test_misses_the_field_in_the_documented_words(self, recogniser_url, shared_data):
        documented = json.loads(shared_data("api/brickognize_error_422.json").read_text())

        assert self.refusal(f"{recogniser_url}/predict/parts/") == (422, documented)

    def test_wants_the_slash_at_the_end(self, recogniser_url):
        assert self.refusal(f"{recogniser_url}/predict/parts")[0] == 404

    def test_answers_with_the_documented_fields(self, recogniser_url, shared_data):
        documented = json.loads(shared_data("api/brickognize_predict_parts_color.json").read_text())
        sent = self.raw(recogniser_url)

        assert set(sent) == set(documented)
        assert set(sent["items"][0]) == set(documented["items"][0])
        assert set(sent["bounding_box"]) == set(documented["bounding_box"])
        assert set(sent["colors"][0]) == set(documented["colors"][0])

    def raw(self, address):
        boundary = "frontier"
        head = 'Content-Disposition: form-data; name="query_image"; filename="a.jpg"'
        body = (
            f"--{boundary}\r\n{head}\r\nContent-Type: image/jpeg\r\n\r\n".encode()
            + sample("brick-2x4-red")
            + f"\r\n--{boundary}--\r\n".encode()
        )
        request = urllib.request.Request(
            f"{address}/predict/parts/?predict_color=true",
            data=body,
            headers={"Content-Type": f"multipart/form-data; boundary={boundary}"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.isolated import Isolated, Limits
from apps.core.testing.queries import count_queries
from apps.core.throttling import PictureThrottle
from apps.recognition.tests.pictures import (
    FALSE_JPEG,
    HEIC,
    SVG,
    encoded,
    jpeg_of_scans,
    png_that_claims,
    sample,
)

pytestmark = pytest.mark.django_db

ADDRESS = "/api/recognition/identify"


def send(client, content, *, name="picture.jpg", **fields):
    body = {"file": SimpleUploadedFile(name, content), "recogniser": "OUTSIDE", **fields}
    return client.post(ADDRESS, body, format="multipart")


@pytest.fixture
def client(api, ann, recogniser_url):
    return api(ann)


@pytest.fixture
def brick(db):
    """3001 in red, as the catalogue has it."""
    return make_lot(make_item("3001", name="Brick 2 x 4"), make_color(5, name="Red"))


class TestIdentify:
    def test_gives_candidates_with_the_ten_fields_best_first(self, client, brick):
        make_item("3003", name="Brick 2 x 2")

        answer = send(client, sample("brick-2x4-red"))

        first, second, *_ = answer.json()["data"]
        assert {
            "id",
            "item_number",
            "item_name",
            "item_id",
            "item_type",
            "image_url",
            "score",
            "category",
            "external_sites",
            "lots",
        } <= set(first)
        assert (first["item_id"], first["item_number"]) == (brick.item_id, "3001")
        assert first["score"] > second["score"]
        assert [lot["lot_id"] for lot in first["lots"]] == [brick.pk]
        assert first["external_sites"][0]["url"].endswith("P=3001")

    def test_matches_the_colour_by_name(self, client, brick):
        (first, *_) = send(client, sample("brick-2x4-red")).json()["data"]

        assert first["color_id"] == 5

    def test_names_no_colour_that_is_called_otherwise_here(self, client):
        make_lot(make_item("3001"), make_color(5, name="Rosso"))

        (first, *_) = send(client, sample("brick-2x4-red")).json()["data"]

        assert first["color_id"] is None
        assert first["colors"][0]["name"] == "Red"

    def test_shows_an_item_that_the_catalogue_does_not_know_as_such(self, client, play):
        play("unknown")

        (only,) = send(client, sample("brick-2x4-red")).json()["data"]

        assert (only["is_known"], only["item_id"], only["lots"]) == (False, None, [])
        assert (only["item_number"], only["item_name"]) == ("zz99999", "Part That Nobody Lists")

    def test_finds_an_item_under_its_other_number(self, client):
        from apps.catalog.models import ItemAlias
        from apps.catalog.models.choices import AliasKind
        from apps.catalog.rules.kinds import Catalogue

        item = make_item("3001new")
        ItemAlias.objects.create(
            item=item,
            catalogue=Catalogue.BRICKLINK,
            kind=AliasKind.FORMER,
            value="3001",
            value_key="3001",
            is_current=True,
        )

        (first, *_) = send(client, sample("brick-2x4-red")).json()["data"]

        assert first["item_id"] == item.pk

    def test_has_no_candidate_for_a_picture_of_nothing(self, client):
        answer = send(client, sample("nothing"), lookup_type="ANY")

        assert (answer.status_code, answer.json()["data"]) == (200, [])

    @pytest.mark.parametrize(
        ("lookup", "number"), [("MINIFIG", "sp001"), ("PART", None), ("ANY", "sp001")]
    )
    def test_looks_for_what_is_asked(self, client, lookup, number):
        found = send(client, sample("figure"), lookup_type=lookup).json()["data"]

        assert [row["item_number"] for row in found] == ([number] if number else [])

    def test_refuses_another_lookup_type(self, client):
        answer = send(client, sample("figure"), lookup_type="GEAR")

        assert answer.status_code == 400
        assert "lookup_type" in answer.json()["meta"]["error"]["fields"]

    @pytest.mark.parametrize(
        ("content", "status", "words"),
        [
            (b"a text that calls itself a picture", 415, "JPEG, PNG or WebP"),
            (HEIC, 415, "HEIC"),
            (SVG, 415, "SVG"),
            (FALSE_JPEG, 415, "cannot be read"),
            (png_that_claims(10_000, 6_000), 413, "60 megapixels"),
            (sample("figure") + b"\x00" * 20_000_000, 413, "20 MB"),
        ],
    )
    def test_refuses_bad_pictures_in_words(self, client, content, status, words):
        answer = send(client, content)

        assert answer.status_code == status
        assert words in answer.json()["message"]

    def test_answers_a_jpeg_of_1300_scans_at_once(self, client):
        answer = send(client, jpeg_of_scans(1300, size=(400, 300)))

        assert answer.status_code == 413
        assert "1300 passes" in answer.json()["message"]

    def test_answers_a_picture_that_ends_its_decoder(self, client, monkeypatch):
        limits = Limits(cpu_seconds=0.01, memory_bytes=300_000_000)
        decoder = Isolated("apps.recognition.rules.pictures:small_jpeg", limits)
        monkeypatch.setattr("apps.recognition.services.identify._small_jpeg", decoder)

        answer = send(client, jpeg_of_scans(40, size=(2000, 2000)))

        assert answer.status_code == 413
        assert "too much time or memory" in answer.json()["message"]

    def test_counts_a_picture_that_takes_long_as_several(self, client, monkeypatch, one_window):
        monkeypatch.setattr(PictureThrottle, "limit", 3)
        monkeypatch.setattr(PictureThrottle, "seconds_of_one", 0.001)

        first, then = (send(client, sample("brick-2x4-red")).status_code for _ in range(2))

        assert (first, then) == (200, 429)

    def test_misses_the_file(self, client):
        answer = client.post(ADDRESS, {"lookup_type": "PART"}, format="multipart")

        assert answer.status_code == 400
        assert "file" in answer.json()["meta"]["error"]["fields"]

    @pytest.mark.parametrize(
        ("what", "status", "code"),
        [
            ("busy", 429, "RATE_LIMITED"),
            ("broken", 502, "UPSTREAM_ERROR"),
            ("html", 502, "UPSTREAM_ERROR"),
            ("twice", 502, "UPSTREAM_ERROR"),
            ("cut", 502, "UPSTREAM_ERROR"),
        ],
    )
    def test_says_what_is_wrong_with_the_recogniser(self, client, play, what, status, code):
        play(what)

        answer = send(client, sample("figure"))

        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
        assert "number" in answer.json()["message"]

    def test_tells_how_long_to_wait(self, client, play):
        play("busy")

        assert int(send(client, sample("figure")).headers["Retry-After"]) >= 1

    def test_does_not_wait_for_ever(self, client, play, monkeypatch):
        monkeypatch.setattr("apps.recognition.providers.brickognize.READ_SECONDS", 0.2)
        play("late")

        answer = send(client, sample("figure"))

        assert (answer.status_code, answer.json()["error"]["code"]) == (504, "UPSTREAM_TIMEOUT")

    def test_asks_the_recogniser_five_times_a_second_for_all_people(self, client, one_window):
        statuses = [send(client, sample("nothing")).status_code for _ in range(6)]

        assert statuses == [200] * 5 + [429]

    def test_costs_the_same_whatever_is_known(self, client, brick):
        few, _ = count_queries(lambda: send(client, sample("brick-2x4-red")))
        for color in range(20):
            make_lot(brick.item, make_color(100 + color, name=f"Shade {color}"))
        make_lot(make_item("3003"), make_color(200, name="Other"))

        many, answer = count_queries(lambda: send(client, sample("brick-2x4-red")))

        assert len(answer.json()["data"][0]["lots"]) == 21
        assert many == few
        assert many <= 12


class TestState:
    def test_tells_that_this_is_the_demonstration(self, client):
        answer = client.get("/api/recognition/state")

        (state,) = answer.json()["data"]
        assert (state["provider"], state["is_demo"], state["is_reachable"]) == (
            "Brickognize", True, True,
        )  # fmt: skip
        assert state["has_outside"]

    def test_tells_that_nobody_answers(self, client, settings):
        settings.RECOGNITION_URL = "http://127.0.0.1:9"

        assert client.get("/api/recognition/state").json()["data"][0]["is_reachable"] is False


class TestPictureOfAPhone:
    def test_is_turned_before_it_is_asked_about(self, client, brick):
        import io

        from PIL import Image

        upright = Image.open(io.BytesIO(sample("brick-2x4-red"))).rotate(90, expand=True)
        exif = Image.Exif()
        exif[0x0112] = 6

        (first, *_) = send(client, encoded(upright, exif=exif)).json()["data"]

        assert first["item_number"] == "3001"

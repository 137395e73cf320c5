"""`/pictures/…` as a browser and a stranger ask it."""

import io
from collections import Counter
from itertools import islice, product

import pytest
from django.core.cache import cache
from PIL import Image

from apps.catalog.models import Color, Item, ItemInventory
from apps.catalog.rules.images import digest_of, face_image
from apps.catalog.services.starter import load_starter_catalog
from apps.core.clock import now
from apps.pictures.api.serving import face
from apps.pictures.models import Render
from apps.pictures.rules.coloring import SIZES
from apps.pictures.services import coloring
from apps.pictures.services.cache import keep
from apps.pictures.services.coloring import printed_pictures
from apps.pictures.services.starter import MORE, PACK, load_starter_pictures


@pytest.fixture(scope="module")
def loaded(rows_of_module):
    load_starter_catalog(now=now())
    load_starter_pictures()


@pytest.fixture
def starter(loaded, db, settings, tmp_path, monkeypatch):
    # A test counts in one window, however long it takes.
    monkeypatch.setattr(coloring, "WINDOW_SECONDS", 10**9)
    settings.PICTURE_CACHE_DIR = tmp_path / "pictures"
    cache.clear()


@pytest.fixture
def address(starter) -> str:
    return f"/pictures/1/{Item.objects.get(item_type='PART', number='3001').face}/{{}}/{{}}.webp"


def red() -> str:
    return f"{Color.objects.get(pk=5).rgb}-5"


class TestFace:
    def test_serves_a_part_in_its_colour_for_ever(self, client, address):
        answer = client.get(address.format(red(), 128))
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == "image/webp"
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Set-Cookie" not in answer.headers
        assert "Cookie" not in answer.headers.get("Vary", "")
        assert Image.open(io.BytesIO(answer.content)).size == (128, 128)

    def test_etag_answers_without_a_body(self, client, address, django_assert_num_queries):
        picture = address.format(red(), 64)
        first = client.get(picture)
        with django_assert_num_queries(0):
            again = client.get(picture, HTTP_IF_NONE_MATCH=first.headers["ETag"])
        assert again.status_code == 304
        assert again.content == b""

    def test_a_kept_picture_costs_no_query(self, client, address, django_assert_num_queries):
        picture = address.format(red(), 64)
        with django_assert_num_queries(3):  # one of them counts the new picture
            first = client.get(picture)
        with django_assert_num_queries(0):
            assert client.get(picture).content == first.content

    def test_no_colour(self, client, address):
        assert client.get(address.format("none", 256)).status_code == 200

    def test_unknown_colours_and_sizes_are_refused(self, client, address):
        for color, size in (
            ("C91A09-99999", 128),  # no such colour
            ("123456-5", 128),  # a colour that looks otherwise
            ("C91A09-5", 100),
            ("C91A09-5", 4096),
            ("c91a09-5", 128),
            ("C91A09-5%00", 128),
            ("none-5", 128),
            ("123456", 128),
        ):
            answer = client.get(address.format(color, size))
            assert answer.status_code == 404, (color, size)
            assert "immutable" not in answer.headers.get("Cache-Control", "")

    def test_unknown_renders_are_refused(self, client, starter):
        assert client.get(f"/pictures/1/{'0' * 12}/none/64.webp").status_code == 404
        assert client.get("/pictures/1/../../etc/passwd").status_code == 404
        assert client.get("/pictures/").status_code == 404

    def test_only_reading(self, client, address):
        assert client.post(address.format(red(), 64)).status_code == 405

    def test_a_stranger_makes_so_many_a_minute_and_kept_ones_go_on(
        self, client, address, settings, one_window
    ):
        settings.PICTURES_PER_MINUTE = 3
        kept = address.format("none", 64)
        assert client.get(kept).status_code == 200
        colors = Color.objects.exclude(rgb="")[:5]
        codes = [client.get(address.format(f"{c.rgb}-{c.pk}", 64)).status_code for c in colors]
        assert codes == [200, 200, 429, 429, 429]
        assert client.get(kept).status_code == 200

    def test_all_strangers_together_are_bounded(self, client, address, settings, one_window):
        settings.PICTURES_PER_MINUTE_OF_ALL = 2
        codes = [
            client.get(address.format("none", size), REMOTE_ADDR=f"10.0.0.{size}").status_code
            for size in (64, 128, 256)
        ]
        assert codes == [200, 200, 429]

    def test_unknown_ones_use_up_nobodys_limit(self, client, address, settings):
        settings.PICTURES_PER_MINUTE_OF_ALL = 1
        assert client.get(address.format("C91A09-99999", 64)).status_code == 404
        assert client.get(f"/pictures/1/{'0' * 12}/none/64.webp").status_code == 404
        assert client.get(address.format("none", 64)).status_code == 200

    def test_what_is_kept_never_grows_past_its_slots(self, client, address, settings):
        settings.PICTURE_CACHE_FILES = 4
        for color in Color.objects.exclude(rgb="")[:20]:
            assert client.get(address.format(f"{color.rgb}-{color.pk}", 64)).status_code == 200
        files = [path for path in settings.PICTURE_CACHE_DIR.rglob("*") if path.is_file()]
        assert 0 < len(files) <= 4

    def test_of_many_that_a_stranger_asks_for_few_are_made_and_fewer_kept(
        self, starter, settings, rf, monkeypatch, one_window
    ):
        settings.PICTURES_PER_MINUTE, settings.PICTURE_CACHE_FILES = 30, 8
        made = []
        monkeypatch.setattr(coloring, "keep", lambda *kept: made.append(kept) or keep(*kept))
        faces = Render.objects.order_by("pk").values_list("digest", flat=True)
        colors = [f"{color.rgb}-{color.pk}" for color in Color.objects.exclude(rgb="")]
        asked = list(islice(product(faces, colors, SIZES), 500))

        codes = Counter(
            face(rf.get("/"), digest=digest, color=color, size=str(size)).status_code
            for digest, color, size in asked
        )

        assert codes == {200: 30, 429: 470}
        assert len(made) == 30
        assert len([path for path in settings.PICTURE_CACHE_DIR.rglob("*") if path.is_file()]) <= 8

    def test_a_cache_that_cannot_be_written_costs_nothing_else(
        self, client, address, settings, tmp_path
    ):
        (tmp_path / "file").write_text("in the way")
        settings.PICTURE_CACHE_DIR = tmp_path / "file"
        assert client.get(address.format(red(), 64)).status_code == 200


class TestStarterPack:
    def test_covers_the_parts_of_the_starter_catalogue(self, starter):
        parts = Item.objects.filter(item_type="PART")
        assert parts.exclude(face="").count() / parts.count() >= 0.97

    def test_loads_once_and_leaves_drawn_ones_alone(self, starter):
        Render.objects.filter(number="3001").update(digest="ffffffffffff", source="mine")
        made, _ = load_starter_pictures()
        assert made == 0
        assert Item.objects.get(number="3001", item_type="PART").face == "ffffffffffff"

    def test_an_older_database_gets_it(self, starter):
        Render.objects.all().delete()
        Item.objects.update(face="")
        made, _ = load_starter_pictures()
        assert made > 500
        assert Item.objects.get(number="3001", item_type="PART").face

    def test_a_print_without_a_model_shows_its_plain_mould_and_says_so(self, starter):
        part = Item.objects.create(
            item_type="PART", number="3001pb01", number_key="3001PB01", name="Brick with Fish"
        )
        load_starter_pictures()
        part.refresh_from_db()
        assert part.face == Item.objects.get(number="3001", item_type="PART").face + "-plain"

    def test_writes_nothing_the_second_time(self, starter, django_assert_max_num_queries):
        with django_assert_max_num_queries(15):
            load_starter_pictures()


class TestTheHeapOfASet:
    def test_is_served_and_named_as_some_of_its_parts(self, starter, client):
        image = set_image("31017-1")

        answer = client.get(image.removesuffix("#parts"))

        assert image.endswith("/none/128.webp#parts")
        picture = Image.open(io.BytesIO(answer.content)).convert("RGBA")
        assert len(picture.getcolors(128 * 128)) > 100
        assert picture.getpixel((0, 127))[3] == 0

    def test_has_no_other_colours(self, starter, client):
        image = set_image("31017-1").removesuffix("#parts")

        assert client.get(image.replace("none", red())).status_code == 404

    def test_shows_the_parts_that_are_there(self, starter, client):
        heap = Render.objects.get(title="Sunset Speeder")
        Render.objects.filter(digest__in=[digest for digest, _ in heap.parts[1:]]).delete()
        image = set_image("31017-1").removesuffix("#parts")
        assert client.get(image).status_code == 200

        Render.objects.filter(digest=heap.parts[0][0]).delete()

        assert client.get(image.replace("128", "64")).status_code == 404
        assert printed_pictures({(heap.digest, 5)}) == {}

    def test_has_another_address_with_another_colour(self, starter):
        before = set_image("31017-1")
        Color.objects.update(rgb="123456")

        load_starter_pictures()

        assert set_image("31017-1") != before

    def test_is_none_where_no_contents_are_known(self, starter):
        assert set_image("10030-1") is None

    def test_goes_with_the_contents(self, starter):
        ItemInventory.objects.filter(item__number="31017-1").update(is_retired=True)

        load_starter_pictures()

        assert set_image("31017-1") is None
        assert not Render.objects.filter(title="Sunset Speeder").exists()

    def test_is_printed_on_labels(self, starter):
        digest = digest_of(Item.objects.get(number="31017-1").face)

        assert printed_pictures({(digest, 5)})


def set_image(number):
    return face_image(Item.objects.get(item_type="SET", number=number).face)


class TestThePackOfTheLargePart:
    def test_shows_a_figure_put_together_from_its_parts(self, starter):
        spaceman = Item.objects.get(number="sp005")

        load_starter_pictures(whole=True)

        spaceman.refresh_from_db()
        assert Render.objects.get(digest=spaceman.face).number == "figure sp005"

    def test_stays_within_what_may_travel_along(self):
        assert PACK.stat().st_size + MORE.stat().st_size < 25_000_000

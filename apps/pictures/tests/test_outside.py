"""Pictures of other sites: only where allowed, only of what the catalogue knows, once each."""

import io

import pytest
from django.core.cache import cache
from PIL import Image

from apps.catalog.models import Color, Item
from apps.catalog.selectors.faces import item_image
from apps.pictures.providers import outside as provider
from apps.pictures.providers.outside import NoPicture, fetch
from apps.pictures.services import outside as service

ADDRESS = "/pictures/1/outside/PART/5/3001.webp"


def png(size: tuple[int, int] = (80, 60)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "red").save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def asked(db, settings, tmp_path, monkeypatch) -> list[str]:
    settings.PICTURE_CACHE_DIR = tmp_path / "pictures"
    settings.OUTSIDE_PICTURES = True
    cache.clear()
    Color.objects.create(pk=5, name="Red", rgb="B30006")
    Item.objects.create(item_type="PART", number="3001", number_key="3001", name="Brick")
    addresses: list[str] = []

    def site(address: str) -> bytes:
        addresses.append(address)
        return png()

    monkeypatch.setattr(service, "fetch", site)
    return addresses


class TestOutside:
    def test_is_fetched_once_and_encoded_anew(self, client, asked):
        first = client.get(ADDRESS)
        assert first.status_code == 200
        picture = Image.open(io.BytesIO(first.content))
        assert (picture.format, picture.size) == ("WEBP", (256, 256))
        assert client.get(ADDRESS).content == first.content
        assert asked == ["https://img.bricklink.com/ItemImage/PN/5/3001.png"]

    def test_is_off_unless_switched_on(self, client, asked, settings):
        settings.OUTSIDE_PICTURES = False
        assert client.get(ADDRESS).status_code == 404
        assert item_image("PART", "3001", "", "B", "", 5, "B30006") is None
        assert asked == []

    def test_rows_show_it_only_without_a_render(self, asked):
        assert item_image("PART", "3001", "", "B", "", 5, "B30006") == ADDRESS
        ours = item_image("PART", "3001", "", "B", "0123456789ab", 5, "B30006")
        assert ours == "/pictures/1/0123456789ab/B30006-5/128.webp"

    def test_rows_of_sets_show_it_rather_than_some_of_their_parts(self, settings, asked):
        some = ("SET", "30301-1", "", "B", "0123456789ab-parts")
        assert item_image(*some) == "/pictures/1/outside/SET/0/30301-1.webp"
        settings.OUTSIDE_PICTURES = False
        assert item_image(*some) == "/pictures/1/0123456789ab/none/128.webp#parts"

    @pytest.mark.parametrize(
        "path", ["PART/5/9999.webp", "PART/77/3001.webp", "SET/5/3001.webp", "PART/5/../x.webp"]
    )
    def test_only_what_the_catalogue_knows(self, client, asked, path):
        assert client.get(f"/pictures/1/outside/{path}").status_code == 404
        assert asked == []

    def test_what_is_no_picture_is_not_asked_for_again(self, client, asked, monkeypatch):
        def bad(address: str) -> bytes:
            asked.append(address)
            return b"<html>not found</html>"

        monkeypatch.setattr(service, "fetch", bad)
        assert client.get(ADDRESS).status_code == 404
        assert client.get(ADDRESS).status_code == 404
        assert len(asked) == 1

    def test_a_stranger_makes_so_many_a_minute(self, client, asked, settings):
        settings.PICTURES_PER_MINUTE = 0
        assert client.get(ADDRESS).status_code == 429
        assert asked == []


@pytest.mark.parametrize(
    "address",
    [
        "http://img.bricklink.com/a.png",
        "https://127.0.0.1/a.png",
        "https://img.bricklink.com.example.org/a.png",
        "https://img.bricklink.com:8443/a.png",
        "file:///etc/passwd",
    ],
)
def test_no_other_host_is_asked(address, monkeypatch):
    monkeypatch.setattr(provider.requests, "get", lambda *_, **__: pytest.fail("asked"))
    with pytest.raises(NoPicture):
        fetch(address)

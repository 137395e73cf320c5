import io

import pytest
from PIL import Image

from apps.recognition.rules.lookup import type_letter
from apps.recognition.rules.pictures import PictureProblem, PictureTooLarge, small_jpeg
from apps.recognition.tests.pictures import (
    FALSE_JPEG,
    HEIC,
    SVG,
    encoded,
    jpeg_of_scans,
    png_that_claims,
    sample,
)


def opened(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


class TestSmallJpeg:
    @pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
    def test_makes_a_jpeg_of_each_format(self, kind):
        made = opened(small_jpeg(encoded(Image.new("RGB", (400, 300), "red"), kind)))

        assert (made.format, made.size) == ("JPEG", (400, 300))
        assert made.getpixel((10, 10))[0] > 240

    def test_shrinks_the_long_side_to_1024(self):
        made = opened(small_jpeg(encoded(Image.new("RGB", (4000, 1000), "blue"))))

        assert made.size == (1024, 256)

    def test_turns_as_exif_says_and_carries_none(self):
        exif = Image.Exif()
        exif[0x0112] = 6  # the camera was held upright
        exif[0x010F] = "A camera"
        picture = Image.new("RGB", (300, 200), "white")
        picture.paste("red", (0, 0, 150, 200))

        made = opened(small_jpeg(encoded(picture, exif=exif)))

        assert made.size == (200, 300)
        assert made.getpixel((100, 20))[2] < 60  # what was left is up
        assert not made.getexif()

    def test_puts_what_is_transparent_on_white(self):
        made = opened(small_jpeg(encoded(Image.new("RGBA", (64, 64), (0, 0, 0, 0)), "PNG")))

        assert made.getpixel((32, 32)) == (255, 255, 255)

    def test_knows_a_picture_by_its_bytes_whatever_it_calls_itself(self):
        assert opened(small_jpeg(sample("brick-2x4-red"))).format == "JPEG"

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b"", "empty"),
            (b"just text", "JPEG, PNG or WebP"),
            (b"GIF89a" + b"\x00" * 50, "JPEG, PNG or WebP"),
            (HEIC, "Most Compatible"),
            (SVG, "SVG"),
            (b'<?xml version="1.0"?><svg/>', "SVG"),
            (FALSE_JPEG, "begins like a JPEG"),
            (sample("figure")[:3000], "cannot be read"),
            (encoded(Image.new("RGB", (8, 8))), "8 × 8"),
        ],
    )
    def test_refuses_what_is_no_picture_and_says_why(self, content, words):
        with pytest.raises(PictureProblem, match=words):
            small_jpeg(content)

    def test_refuses_60_megapixels_by_the_head_alone(self):
        with pytest.raises(PictureTooLarge, match="60 megapixels"):
            small_jpeg(png_that_claims(10_000, 6_000))

    def test_refuses_a_bomb_of_pixels(self):
        with pytest.raises(PictureTooLarge, match="megapixels"):
            small_jpeg(png_that_claims(60_000, 60_000))

    def test_refuses_a_jpeg_of_1300_scans_before_it_decodes_one(self, monkeypatch):
        monkeypatch.setattr(Image, "open", None)

        with pytest.raises(PictureTooLarge, match="1300 passes; at most 50"):
            small_jpeg(jpeg_of_scans(1300, size=(400, 300)))

    def test_refuses_a_progressive_jpeg_that_needs_300_megabytes(self):
        flat = Image.new("RGB", (8000, 6000), "red")

        with pytest.raises(PictureTooLarge, match="time or memory"):
            small_jpeg(encoded(flat, progressive=True, subsampling=0))

    def test_reads_48_megapixels_in_an_ordinary_progressive_jpeg(self):
        flat = Image.new("RGB", (8000, 6000), "red")

        assert opened(small_jpeg(encoded(flat, progressive=True))).size == (1024, 768)

    def test_reads_16_bits_of_grey(self):
        made = opened(small_jpeg(encoded(Image.new("I;16", (64, 64), 40_000), "PNG")))

        assert abs(made.getpixel((32, 32))[0] - 156) < 3

    def test_refuses_more_than_20_megabytes(self):
        with pytest.raises(PictureTooLarge, match="at most 20 MB"):
            small_jpeg(sample("figure") + b"\x00" * 20_000_000)


class TestTypeLetter:
    @pytest.mark.parametrize(
        ("kind", "urls", "letter"),
        [
            ("part", [], "P"),
            ("fig", [], "M"),
            ("set", [], "S"),
            ("sticker", [], "P"),
            ("something new", [], "P"),
            ("sticker", ["https://www.bricklink.com/v2/catalog/catalogitem.page?G=1"], "G"),
            ("part", ["https://www.bricklink.com/v2/catalog/catalogitem.page?M=cty1"], "M"),
            ("fig", ["https://www.bricklink.com/page?x=1"], "M"),
        ],
    )
    def test_is_what_the_address_says_else_the_word(self, kind, urls, letter):
        assert type_letter(kind, urls) == letter

"""`manage.py render_pictures` from a library to what the catalogue shows."""

import csv
import io
import zipfile

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from PIL import Image

from apps.catalog.models import Component, Item, ItemInventory, Lot
from apps.catalog.tests.factories import make_color, make_item
from apps.pictures.models import Render
from vision.ldraw.tests.small_library import FILES, UNIT, box, write_folder, write_zip


def part(number: str, name: str = "Brick") -> Item:
    return Item.objects.create(
        item_type="PART", number=number, number_key=number.upper(), name=name
    )


def figure(number: str, pieces: list[tuple[str, str]]) -> Item:
    """A minifig with one piece of each part, in a colour of this RGB."""
    made = make_item(number, "Ann", "MINIFIG")
    contents = ItemInventory.objects.create(item=made, catalogue="O", has_components=True)
    for part_number, rgb in pieces:
        piece = Item.objects.filter(number=part_number).first() or make_item(part_number, "Part")
        lot, _ = Lot.objects.get_or_create(item=piece, color=make_color(int(rgb[:4], 16), rgb=rgb))
        Component.objects.create(inventory=contents, lot=lot, quantity=1)
    return made


def run(source, *arguments: str, processes: int = 1) -> str:
    out = io.StringIO()
    call_command(
        "render_pictures", str(source), f"--processes={processes}", *arguments,
        stdout=out, stderr=io.StringIO(),
    )  # fmt: skip
    return out.getvalue()


pytestmark = pytest.mark.django_db


class TestRenderPictures:
    def test_draws_what_the_catalogue_has_and_says_what_has_no_model(self, tmp_path):
        bricks = part("3001"), part("3003"), part("9999x", "Sticker")
        told = run(write_zip(tmp_path / "complete.zip"), f"--report={tmp_path / 'without.csv'}")
        faces = [Item.objects.get(pk=brick.pk).face for brick in bricks]
        assert faces[0]
        assert faces[:2] == [Render.objects.get().digest] * 2
        assert faces[2] == ""
        assert "3 parts, 2 with a model of their own" in told
        assert "moved or an alias in LDraw" in told
        rows = list(csv.reader((tmp_path / "without.csv").read_text().splitlines()))
        assert rows == [["number", "name"], ["9999x", "Sticker"]]

    def test_again_it_draws_only_what_changed(self, tmp_path):
        part("3001"), part("3626p01")
        folder = write_folder(tmp_path)
        assert "2 drawn" in run(folder)
        assert "0 drawn" in run(folder)
        # A change of a file that the part contains counts.
        (folder / "parts/s/3001s01.dat").write_text(box("Other", 7) + f"\n{UNIT} stud.dat")
        before = Render.objects.get(number="3001").digest
        assert "1 drawn" in run(folder)
        assert Render.objects.get(number="3001").digest != before
        assert Item.objects.get(number="3001").face == Render.objects.get(number="3001").digest

    def test_only_the_parts_named(self, tmp_path):
        part("3001"), part("3626p01")
        told = run(write_folder(tmp_path), "--only", "3001")
        assert "1 drawn" in told
        assert list(Render.objects.values_list("number", flat=True)) == ["3001"]

    def test_a_print_keeps_its_own_colours(self, tmp_path):
        part("3626p01", "Head")
        run(write_folder(tmp_path))
        own = Image.open(io.BytesIO(bytes(Render.objects.get().own_colors))).convert("RGBA")
        pixels = [pixel for pixel in own.get_flattened_data() if pixel[3] > 200]
        assert pixels
        assert all(red > 150 and green < 60 for red, green, _, _ in pixels)

    def test_broken_models_are_told_and_do_not_stop_the_others(self, tmp_path):
        part("3001"), part("round"), part("flat")
        files = FILES | {
            "parts/round.dat": f"0 Round\n{UNIT} round.dat\n",
            "parts/flat.dat": "0 Flat\n",
        }
        with pytest.raises(SystemExit) as ended:
            run(write_folder(tmp_path, files))
        assert ended.value.code == 1
        assert list(Render.objects.values_list("number", flat=True)) == ["3001"]
        assert Item.objects.get(number="round").face == ""

    def test_a_figure_is_put_together_from_its_parts(self, tmp_path):
        pieces = [("3626p01", "F2CD37"), ("973", "B30006"), ("3815", "0057A6")]
        ann, faceless = figure("ann", pieces), figure("ben", pieces[1:])
        files = FILES | {
            "parts/973.dat": box("Minifig Torso"),
            "parts/3815.dat": box("~Minifig Hips"),
        }

        told = run(write_folder(tmp_path, files))

        for one in (ann, faceless):
            one.refresh_from_db()
        drawn = Render.objects.get(number="figure ann")
        assert (ann.face, faceless.face) == (drawn.digest, "")
        assert "3 parts, 3 with a model of their own" in told
        own = Image.open(io.BytesIO(bytes(drawn.own_colors))).convert("RGBA")
        seen = {pixel[:3] for pixel in own.get_flattened_data() if pixel[3] > 250}
        for red, green, blue in ((242, 205, 55), (179, 0, 6), (0, 87, 166)):
            assert any(
                abs(r - red) < 9 and abs(g - green) < 9 and abs(b - blue) < 9 for r, g, b in seen
            )

    def test_what_cannot_be_read_ends_with_2(self, tmp_path):
        with pytest.raises(CommandError) as refused:
            run(tmp_path / "nothing.zip")
        assert refused.value.returncode == 2

    def test_writes_a_pack_that_another_database_loads(self, tmp_path, monkeypatch):
        from apps.pictures.services import starter

        part("3001")
        run(write_folder(tmp_path), f"--pack={tmp_path / 'parts.zip'}")
        face = Item.objects.get(number="3001").face
        Render.objects.all().delete()
        Item.objects.update(face="")
        monkeypatch.setattr(starter, "PACK", tmp_path / "parts.zip")
        made, _ = starter.load_starter_pictures()
        assert made == 1
        assert Item.objects.get(number="3001").face == face
        with zipfile.ZipFile(tmp_path / "parts.zip") as pack:
            assert sorted(pack.namelist()) == [f"{face}.webp", "renders.json"]


@pytest.mark.django_db(transaction=True)
def test_processes_side_by_side_draw_the_same(tmp_path):
    part("3001"), part("3626p01")
    folder = write_folder(tmp_path)
    run(folder, processes=1)
    alone = set(Render.objects.values_list("number", "digest"))
    Render.objects.all().delete()
    run(folder, processes=2)
    assert set(Render.objects.values_list("number", "digest")) == alone

"""The recogniser of our own, with the model that travels with the project."""

import base64
import io

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image, ImageDraw, ImageFilter

from apps.catalog.models import Item
from apps.catalog.tests.factories import make_item
from apps.core.testing.queries import count_queries
from apps.recognition.models import Capture
from apps.recognition.providers import eyes as network
from apps.recognition.rules import marker_card, ranking, seeing
from apps.recognition.rules.shades import Shade, ranked_shades
from apps.recognition.tests.pictures import (
    drawn,
    encoded,
    face,
    on_a_screen,
    sample,
    send,
    with_hand,
    wood,
)


class TestTheModel:
    def test_travels_with_its_licence_and_is_small(self):
        own = network.eyes()

        assert len(own.moulds) >= 400
        assert "LDraw" in own.licence
        assert sum(file.stat().st_size for file in network.MODEL.iterdir()) < 12_000_000

    def test_is_not_loaded_with_forms_of_another_list(self, broken):
        with np.load(broken / "sizes.npz") as views:
            kept = dict(views)
        np.savez(broken / "sizes.npz", **kept | {"covers": kept["covers"][:-1]})

        with pytest.raises(network.NoEyes, match="another version of its list"):
            network.Eyes(broken)

    def test_names_each_number_once_and_twins_both_ways(self):
        moulds = network.eyes().moulds

        assert len({mould.number for mould in moulds}) == len(moulds)
        for index, mould in enumerate(moulds):
            assert all(index in moulds[twin].twins for twin in mould.twins)
        numbers = {mould.number: mould for mould in moulds}
        assert numbers["3009"].twins  # a plate of this size looks the same from above


@pytest.mark.django_db
class TestIdentify:
    def test_gives_five_candidates_in_the_seen_colour(self, signed_in, catalogue):
        rows = send(signed_in, drawn((250, 200, 300, 150))).json()["data"]

        assert len(rows) == 5
        known = [row for row in rows if row["is_known"]]
        assert known
        assert {row["color_id"] for row in known} == {5}
        assert {row["provider"] for row in rows} == {"Brickstow"}
        assert [row["score"] for row in rows] == sorted((r["score"] for r in rows), reverse=True)

    def test_outlines_each_piece_and_names_them_apart(self, signed_in, catalogue):
        picture = drawn((60, 60, 200, 100), (500, 80, 200, 100), (280, 400, 200, 100))

        rows = send(signed_in, picture, every_piece=True).json()["data"]

        outlines = {row["piece"]: row["outline"] for row in rows}
        assert sorted(outlines) == [0, 1, 2]
        left, top, wide, high = min(outlines.values())
        assert (left, top) == pytest.approx((60 / 800, 60 / 600), abs=0.02)
        assert (wide, high) == pytest.approx((200 / 800, 100 / 600), abs=0.03)

    @pytest.mark.parametrize(
        "picture",
        [
            pytest.param(lambda: sample("nothing"), id="no part"),
            pytest.param(lambda: Image.new("RGB", (640, 480), "#101010"), id="black"),
            pytest.param(lambda: Image.effect_noise((640, 480), 90).convert("RGB"), id="noise"),
            pytest.param(lambda: drawn((0, 0, 799, 300)).filter(ImageFilter.GaussianBlur(20)), id="blur"),
            pytest.param(lambda: drawn(*[(x, y, 90, 44) for x in range(20, 700, 130)
                                 for y in range(20, 500, 110)]), id="many parts"),
            pytest.param(lambda: drawn((300, 250, 120, 60), color="#0a0c0e", ground="#15171a"),
                         id="black on black"),
            pytest.param(lambda: Image.new("RGB", (2000, 16), "white"), id="a line"),
            pytest.param(lambda: with_hand(drawn((250, 200, 240, 120)), (480, 260)), id="held by a hand"),
            pytest.param(lambda: with_hand(Image.new("RGB", (800, 600), "#e8e6e2"), (420, 300)),
                         id="a hand alone"),
            pytest.param(lambda: on_a_screen(drawn((250, 200, 300, 150))), id="a screen"),
            pytest.param(lambda: drawn((250, 200, 300, 150)).transpose(Image.Transpose.FLIP_LEFT_RIGHT),
                         id="mirrored"),
        ],
    )  # fmt: skip
    def test_answers_whatever_it_is_shown(self, signed_in, catalogue, picture):
        answer = send(signed_in, picture(), every_piece=True)

        assert answer.status_code == 200
        rows = answer.json()["data"]
        assert len({row["piece"] for row in rows}) <= seeing.MOST_PIECES
        assert all(row["presence"] in {"PART", "UNSURE", "NOTHING"} for row in rows)

    @pytest.mark.parametrize(
        "picture",
        [
            pytest.param(lambda: wood(), id="wood"),
            pytest.param(lambda: with_hand(wood(), (420, 300)), id="a hand on wood"),
            pytest.param(lambda: with_hand(Image.new("RGB", (800, 600), "#e8e6e2"), (420, 300)), id="a hand"),
            pytest.param(lambda: face(), id="a face"),
            pytest.param(lambda: Image.effect_noise((640, 480), 90).convert("RGB"), id="noise"),
        ],
    )  # fmt: skip
    def test_takes_nothing_for_a_part_where_there_is(self, signed_in, catalogue, picture):
        rows = send(signed_in, picture()).json()["data"]

        assert "PART" not in {row["presence"] for row in rows}

    def test_takes_a_part_for_one(self, signed_in, catalogue, shared_data):
        for name in ("3021_photo106-1", "3666_photo1-1"):
            photo = shared_data(f"photos/parts/{name}.png").read_bytes()

            rows = send(signed_in, photo).json()["data"]

            assert {row["presence"] for row in rows} == {"PART"}

    @pytest.mark.parametrize(
        "fingers",
        [
            pytest.param([(520, 360), (560, 300)], id="laid it down"),
            pytest.param([(410, 220), (430, 260)], id="holds it"),
        ],
    )
    def test_takes_the_part_and_not_the_hand_that(self, signed_in, catalogue, fingers):
        picture = with_hand(drawn((150, 120, 240, 120)), *fingers)

        first = send(signed_in, picture).json()["data"][0]

        assert first["outline"] == pytest.approx([150 / 800, 0.2, 0.3, 0.2], abs=0.02)
        assert first["color_id"] == 5

    @pytest.mark.parametrize("color", ["#e4cd9e", "#d67572", "#582a12"])
    def test_takes_a_large_part_of_a_colour_like_skin_for_a_part(self, color):
        seen = seeing.look(np.asarray(drawn((0, 100, 500, 300), color=color)))

        (left, _, wide, high) = seen.pieces[0].box
        assert (left, wide, high) == pytest.approx((0, 500, 300), abs=12)

    def test_prefers_what_the_heap_is_known_to_hold(self, signed_in, catalogue):
        picture = drawn((250, 200, 300, 150))
        alone = [row["item_number"] for row in send(signed_in, picture).json()["data"]]
        last = next(number for number in reversed(alone) if number in
                    {"3001", "3020", "3003", "3022", "3002", "3021", "3068"})  # fmt: skip
        listed = Item.objects.get(number=last)

        rows = send(signed_in, picture, item_ids=[listed.pk]).json()["data"]

        assert rows[0]["item_number"] == last

    def test_prefers_what_weighs_as_much(self, signed_in, catalogue):
        picture = drawn((250, 200, 300, 150))
        alone = [row["item_number"] for row in send(signed_in, picture).json()["data"]]
        known = set(Item.objects.values_list("number", flat=True))
        last = next(number for number in reversed(alone) if number in known)
        Item.objects.update(weight_grams=2)
        Item.objects.filter(number=last).update(weight_grams=9)

        heavy = send(signed_in, picture, grams="9.1").json()["data"]
        light = send(signed_in, picture, grams="2").json()["data"]

        assert heavy[0]["item_number"] == last
        assert light[0]["item_number"] != last

    def test_costs_the_same_for_one_piece_and_for_many(self, signed_in, catalogue):
        one, _ = count_queries(lambda: send(signed_in, drawn((250, 200, 300, 150))))
        many, _ = count_queries(
            lambda: send(
                signed_in, drawn((60, 60, 200, 100), (500, 80, 200, 100)), every_piece=True
            )
        )

        assert many == one <= 14

    def test_takes_a_second_picture_of_the_part(self, signed_in, catalogue):
        second = SimpleUploadedFile("b.jpg", encoded(drawn((200, 150, 300, 150))))

        answer = send(signed_in, drawn((250, 200, 300, 150)), second=second)

        assert len(answer.json()["data"]) == 5

    def test_knows_no_sets(self, signed_in):
        assert send(signed_in, sample("set-box"), lookup_type="SET").json()["data"] == []

    @pytest.mark.parametrize("damage", ["missing", "cut", "another list"])
    def test_says_that_the_model_is_unusable(self, signed_in, broken, damage):
        file = broken / "eyes.onnx"
        if damage == "missing":
            file.unlink()
        elif damage == "cut":
            file.write_bytes(file.read_bytes()[:1000])
        else:
            told = (broken / "eyes.json").read_text()
            at = told.index('{"number"')
            (broken / "eyes.json").write_text(told[:at] + told[told.index('{"number"', at + 5) :])

        answer = send(signed_in, drawn((250, 200, 300, 150)))

        assert answer.status_code == 502
        assert "model file" in answer.json()["message"]
        assert "number or name" in answer.json()["message"]
        (state,) = signed_in.get("/api/recognition/state").json()["data"]
        assert "model file" in state["own"]["problem"]
        assert state["is_reachable"] is False


@pytest.mark.django_db
class TestBothRecognisers:
    def test_are_asked_apart_and_each_row_says_who_named_it(
        self, api, ann, recogniser_url, catalogue
    ):
        picture = sample("brick-2x4-red")
        asked = {whom: send(api(ann), picture, recogniser=whom) for whom in ("OWN", "OUTSIDE")}

        rows = {whom: answer.json()["data"] for whom, answer in asked.items()}
        assert {row["provider"] for row in rows["OWN"]} == {"Brickstow"}
        assert {row["provider"] for row in rows["OUTSIDE"]} == {"Brickognize"}
        assert rows["OWN"][0]["item_id"] == rows["OUTSIDE"][0]["item_id"] is not None

    def test_leave_our_own_as_it_is_when_the_one_outside_fails(self, api, ann, play, catalogue):
        play("broken")

        answer = send(api(ann), drawn((250, 200, 300, 150)))
        outside = send(api(ann), drawn((250, 200, 300, 150)), recogniser="OUTSIDE")

        assert (answer.status_code, outside.status_code) == (200, 502)
        assert {row["provider"] for row in answer.json()["data"]} == {"Brickstow"}

    def test_leave_the_one_outside_when_our_own_is_closed(
        self, api, ann, recogniser_url, broken, catalogue
    ):
        (broken / "eyes.json").unlink()

        rows = send(api(ann), sample("brick-2x4-red"), recogniser="OUTSIDE").json()["data"]

        assert {row["provider"] for row in rows} == {"Brickognize"}

    def test_say_that_nobody_is_outside(self, signed_in):
        answer = send(signed_in, sample("brick-2x4-red"), recogniser="OUTSIDE")

        assert (answer.status_code, answer.json()["error"]["code"]) == (504, "UPSTREAM_TIMEOUT")


@pytest.mark.django_db
class TestCaptures:
    def seen(self, signed_in, picture=None):
        return send(signed_in, picture or drawn((250, 200, 300, 150))).json()["data"]

    def test_bring_forth_what_was_confirmed(self, signed_in, catalogue, ann):
        odd = make_item("zz77", name="Never learnt")
        first = self.seen(signed_in)[0]
        body = {"capture": first["capture"], "item_id": odd.pk, "seen_number": first["item_number"]}

        answer = signed_in.post("/api/recognition/captures", body)

        assert answer.status_code == 201, answer.json()
        again = self.seen(signed_in)
        assert "zz77" in [row["item_number"] for row in again]

    def test_are_another_persons_never(self, signed_in, api, bo, catalogue):
        odd = make_item("zz77")
        body = {"capture": self.seen(signed_in)[0]["capture"], "item_id": odd.pk}
        signed_in.post("/api/recognition/captures", body)

        rows = send(api(bo), drawn((250, 200, 300, 150))).json()["data"]

        assert "zz77" not in [row["item_number"] for row in rows]

    def test_keep_a_crop_and_can_be_forgotten(self, signed_in, catalogue):
        item = make_item("zz77")
        body = {"capture": self.seen(signed_in)[0]["capture"], "item_id": item.pk}
        (kept,) = signed_in.post("/api/recognition/captures", body).json()["data"]

        crop = Image.open(io.BytesIO(base64.b64decode(kept["crop"])))
        assert crop.size == (network.eyes().size,) * 2
        assert signed_in.delete(f"/api/recognition/captures/{kept['id']}").status_code in {200, 204}
        assert not Capture.objects.exists()

    def test_are_ours_only(self, signed_in, catalogue):
        item = make_item("zz77")

        answer = signed_in.post(
            "/api/recognition/captures", {"capture": "made:up:text", "item_id": item.pk}
        )

        assert answer.status_code == 400
        assert "capture" in answer.json()["meta"]["error"]["fields"]

    def test_are_counted_for_each_part(self, signed_in, catalogue):
        first = self.seen(signed_in)[0]
        item = Item.objects.get(number="3020")
        for seen in ("3020", "3001", "3001"):
            signed_in.post(
                "/api/recognition/captures",
                {"capture": first["capture"], "item_id": item.pk, "seen_number": seen},
            )

        (row,) = signed_in.get("/api/recognition/moulds").json()["data"]

        assert (row["item_number"], row["right"], row["wrong"]) == ("3020", 1, 2)
        assert row["taken_for"] == ["3001"]

    def test_are_looked_at_anew_by_another_model(self, signed_in, catalogue, ann):
        odd = make_item("zz77")
        body = {"capture": self.seen(signed_in)[0]["capture"], "item_id": odd.pk}
        signed_in.post("/api/recognition/captures", body)
        Capture.objects.update(model="older", vector="")

        rows = self.seen(signed_in)

        kept = Capture.objects.get()
        assert kept.model == network.eyes().version
        assert kept.vector
        assert "zz77" in [row["item_number"] for row in rows]


@pytest.fixture(scope="module")
def printed():
    """The card as a camera from above sees it, 4 pixels a mm."""
    import pypdfium2

    from apps.recognition.services.cards import marker_card_pdf

    paper = pypdfium2.PdfDocument(marker_card_pdf())
    return paper[0].render(scale=4 * 25.4 / 72).to_pil().convert("RGB").crop((0, 0, 840, 592))


class TestMarkerCard:
    def test_tells_millimetres_white_and_grey(self, printed):
        scale = seeing.find_card(np.asarray(printed))

        assert scale is not None
        pixels, elevation = scale.at(400, 300)
        assert pixels == pytest.approx(4, rel=0.01)
        assert elevation > 80
        assert scale.white == pytest.approx([1, 1, 1], abs=0.02)
        assert scale.grey == pytest.approx([0.18] * 3, abs=0.03)

    def test_measures_a_part_that_lies_on_it(self, printed):
        with_part = printed.copy()
        ImageDraw.Draw(with_part).rectangle((360, 260, 360 + 127, 260 + 63), fill="#c91a09")

        seen = seeing.look(np.asarray(with_part))

        (piece,) = seen.pieces
        pixels, _ = seen.scale.at(*piece.middle)
        assert (piece.long / pixels, piece.short / pixels) == pytest.approx((32, 16), abs=0.8)

    def test_is_not_read_from_its_mirror_image(self, printed):
        assert seeing.find_card(np.asarray(printed)[:, ::-1].copy()) is None

    def test_of_a_mirrored_camera_shows_the_part_as_it_is(self, printed):
        # A wing: mirrored, it is another part.
        with_part = printed.copy()
        ImageDraw.Draw(with_part).polygon([(360, 260), (487, 260), (360, 323)], fill="#c91a09")
        straight = seeing.look(np.asarray(with_part))

        seen = seeing.look(np.asarray(with_part)[:, ::-1].copy())

        (piece,), (same,) = seen.pieces, straight.pieces
        assert (seen.is_mirrored, straight.is_mirrored) == (True, False)
        assert piece == same
        assert (piece.form == same.form).all()
        left, top, wide, high = straight.outline(same)
        assert seen.outline(piece) == pytest.approx((1 - left - wide, top, wide, high))

    def test_has_its_marks_in_the_corners(self):
        assert set(marker_card.MARKS) == set(marker_card.PATTERNS)


class TestColour:
    SHADES = (
        Shade(5, "Red", "C91A09", False),
        Shade(7, "Blue", "0055BF", False),
        Shade(11, "Black", "05131D", False),
        Shade(86, "Light Bluish Gray", "A0A5A9", False),
    )

    @pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (1.0, 0.85, 0.65), (0.55, 0.6, 0.7)])
    @pytest.mark.parametrize(("rgb", "name"), [("#c91a09", "Red"), ("#0055bf", "Blue")])
    def test_is_told_against_the_paper_in_any_light(self, rgb, name, light):
        picture = np.asarray(drawn((250, 200, 300, 150), color=rgb), np.float32) * light

        seen = seeing.look(picture.astype(np.uint8))

        assert ranked_shades(seen.pieces[0].lab, self.SHADES)[0][0].name == name

    def test_of_a_dark_part_knows_what_its_gloss_mirrors(self):
        shades = (Shade(59, "Dark Red", "720E0F", False), Shade(88, "Brown", "582A12", False))
        # Dark red, and a twentieth of the white light on top.
        lab = seeing.lab_of((seeing.linear_of_hex("720E0F") * 0.95 + 0.05)[None])[0]

        assert ranked_shades(tuple(lab), shades)[0][0].name == "Dark Red"

    def test_of_a_transparent_part_knows_the_paper_that_shines_through(self):
        shades = (Shade(7, "Blue", "0055BF", False), Shade(14, "Trans-Blue", "0055BF", True))
        lab = seeing.lab_of((seeing.linear_of_hex("0055BF") * 0.6 + 0.28)[None])[0]

        assert ranked_shades(tuple(lab), shades)[0][0].name == "Trans-Blue"

    def test_is_one_of_those_that_are_given(self):
        (only,) = ranked_shades((50, 60, 40), self.SHADES[1:2])

        assert (only[0].name, only[1]) == ("Blue", 1.0)


class TestForm:
    @staticmethod
    def form(*boxes, turn=0):
        picture = Image.new("RGB", (480, 480), "#e8e6e2")
        for box in boxes:
            ImageDraw.Draw(picture).rectangle(box, fill="#c91a09")
        turned = picture.rotate(turn, Image.Resampling.BICUBIC, fillcolor="#e8e6e2")
        (piece,) = seeing.look(np.asarray(turned)).pieces
        return piece.form

    @pytest.mark.parametrize("turn", [0, 25, 160])
    def test_is_what_a_piece_covers_of_its_rectangle(self, turn):
        form = self.form((120, 180, 360, 300), turn=turn)

        assert form.shape == (seeing.FORM, seeing.FORM)
        assert form[1:-1, 1:-1].min() == 255
        assert form.mean() > 245

    def test_shows_what_is_missing_in_a_corner(self):
        form = self.form((120, 160, 360, 220), (120, 220, 240, 300))

        corners = {form[1, 1], form[1, -2], form[-2, 1], form[-2, -2]}
        assert corners == {0, 255}
        assert form.mean() == pytest.approx(255 * 0.71, abs=10)

    def test_is_not_told_of_a_piece_that_the_picture_ends_in(self):
        assert self.form((0, 160, 200, 260)) is None


class TestRanking:
    LOTS = np.array([5000.0, 20.0, 300.0])
    SIZES = np.log2(np.array([[[32, 16, 45]], [[16, 16, 45]], [[48, 16, 45]]], np.float32))

    # Two fields on each side: all covered, without a corner, and without the corner beside it.
    FORMS = ranking.Forms(
        weights=np.array([[[1, 1, 1, 1]], [[1, 1, 1, 0]], [[1, 0, 1, 1]]], np.float32),
        ratios=np.full((3, 1), -1, np.float32),
        mean=np.zeros(4, np.float32),
        patterns=np.eye(4, dtype=np.float32),
    )

    def ranked(self, views, **helps):
        sizes = np.repeat(self.SIZES, 6, axis=1)
        sizes[..., 2] = 45
        return ranking.ranked(
            [np.array(view) for view in views], lots=self.LOTS, sizes=sizes, forms=self.FORMS,
            weights=None, helps=ranking.Helps(**helps),
        )  # fmt: skip

    def test_counts_what_is_common(self):
        assert self.ranked([(0.4, 0.6, 0.0)]).argmax() == 0
        assert self.ranked([(0.4, 0.6, 0.0)], popularity=False).argmax() == 1

    def test_leaves_the_size_to_decide(self):
        measured = [ranking.Measured(48.0, 16.0, 45.0)]

        assert self.ranked([(0.6, 0.2, 0.2)], measured=measured).argmax() == 2

    def test_compares_a_size_with_views_from_the_same_height(self):
        # A flat part, and a tall one: wider where the camera does not look straight down.
        sizes = np.log2(
            np.array([[[64, 8, 1]] * 16, [[64, 12, 1]] * 14 + [[64, 8, 1]] * 2], np.float32)
        )
        sizes[0, :, 2], sizes[1, :, 2] = [60] * 14 + [88] * 2, [60] * 14 + [88] * 2

        fits = ranking.footprint(sizes, ranking.Measured(64, 8, 88))

        assert fits.min() > 0.9

    def test_compares_a_size_from_lower_than_any_view_with_the_lowest(self):
        measured = [ranking.Measured(48.0, 16.0, 5.0)]

        assert self.ranked([(0.6, 0.2, 0.2)], measured=measured).argmax() == 2

    @pytest.mark.parametrize(
        ("cover", "mould"),
        [
            pytest.param([[255, 255], [255, 255]], 0, id="whole"),
            pytest.param([[255, 255], [255, 0]], 1, id="without a corner"),
            pytest.param([[0, 255], [255, 255]], 1, id="turned by half"),
            pytest.param([[255, 0], [255, 255]], 2, id="mirrored"),
        ],
    )
    def test_leaves_the_form_to_decide(self, cover, mould):
        form = ranking.Form(np.array(cover, np.uint8), 0.5)

        found = self.ranked([(0.34, 0.33, 0.33)], popularity=False, forms=[form])

        assert found.argmax() == mould
        assert found.max() > 0.9

    def test_compares_sides_only_where_no_size_says_them(self):
        square = ranking.Form(np.full((2, 2), 255, np.uint8), 1.0)

        with_ratio = ranking.form_fits(self.FORMS, square)
        without = ranking.form_fits(self.FORMS, square, ratio=False)

        assert (with_ratio[0] < 0.01, without[0] > 0.99) == (True, True)

    def test_asks_no_form_of_what_is_cut_off(self):
        views = [(0.5, 0.3, 0.2)]

        found = self.ranked(views, popularity=False, forms=[ranking.Form(None, 0.5)])

        assert found == pytest.approx(views[0], abs=0.001)

    def test_leaves_a_second_picture_to_decide(self):
        views = [(0.55, 0.0, 0.45), (0.05, 0.0, 0.95)]

        assert self.ranked(views, popularity=False).argmax() == 2

    def test_lets_captures_count_less_where_the_network_is_sure(self):
        unsure = self.ranked([(0.4, 0.3, 0.3)], popularity=False, captures={1: 0.95})
        sure = self.ranked([(0.98, 0.01, 0.01)], popularity=False, captures={1: 0.95})

        assert (unsure.argmax(), sure.argmax()) == (1, 0)

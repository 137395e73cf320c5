"""How well the recogniser of our own names parts on photographs that it was never trained on.

Single parts cut out (`parts/NUMBER_….png`), loose parts on paper (`colours/`, with
`recogniser_crops.csv` for what some of them are, labelled by eye) and their colours; each help
alone and together, beside the figures of the studies. No time of the network is left out. Then the part that
is meant near a camera (`cameras/`), and empty grounds: what is around the parts of `colours/`.

    PHOTOS=folder python -m benchmarks.recogniser

measures another folder with a `manifest.csv` (`_photographs.py`) alone.
"""

import csv
import gzip
import io
import itertools
import os
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks._catalogue import SHARED
from benchmarks._photographs import Answers, bins, folder_figures, looked_at
from benchmarks._report import Limit, report

PHOTOS = SHARED.parent / "photos"
TABLES = SHARED.parent / "catalog"
CROPS = Path(__file__).with_name("recogniser_crops.csv")
# The cut-out photographs were taken from straight above, at one scale.
MM_A_PIXEL = 0.267
ABOVE = 88.0
LONG_SIDE = 1024


def main() -> int:
    photos = Path(os.environ.get("PHOTOS") or PHOTOS)
    if not photos.exists():
        return report("recogniser", figures={"photos": "none at hand"}, ratios={}, limits={})
    from apps.recognition.providers.eyes import eyes

    begun = time.process_time()
    own = eyes()
    figures: dict[str, float | str] = {
        "version": own.version,
        "moulds": len(own.moulds),
        "load_ms": round((time.process_time() - begun) * 1000),
    }
    known = {number: index for index, mould in enumerate(own.moulds) for number in mould.numbers}
    if (os.environ.get("PHOTOS")) and (photos / "manifest.csv").exists():
        told, _ = folder_figures(own, known, photos, _rgb)
        return report("recogniser", figures=figures | told, ratios={}, limits={})
    times: list[float] = []
    cut_outs = list(_cut_outs(own, known, photos, times))
    natural = list(_natural(own, known, photos))
    figures |= _parts(own, cut_outs) | _crops(own, natural, known) | _colors(photos)
    if (photos / "cameras").exists():
        near, answers = folder_figures(own, known, photos / "cameras", _rgb)
        figures |= {f"cameras_{name}": value for name, value in near.items()}
        answers += [_cut_out_answers(own, known, photos)]
        figures |= answers[-1].missed("cut") | bins("all", answers)
    figures |= _empty_grounds(own, photos)
    if times:
        figures["picture_p50_ms"] = round(statistics.median(times), 1)
        figures["picture_p95_ms"] = round(sorted(times)[int(len(times) * 0.95)], 1)
    limits = {
        "cut_popularity_top1": Limit(0.72, at_least=True),
        "cut_popularity_top5": Limit(0.90, at_least=True),
        "cut_scale_popularity_top1": Limit(0.78, at_least=True),
        "cut_scale_popularity_top5": Limit(0.98, at_least=True),
        "cut_two_scale_popularity_top1": Limit(0.86, at_least=True),
        "cut_two_scale_popularity_top5": Limit(0.99, at_least=True),
        "natural_popularity_top1": Limit(0.68, at_least=True),
        "natural_popularity_top5": Limit(0.93, at_least=True),
        "natural_in_a_set_top1": Limit(0.75, at_least=True),
        "natural_in_a_set_top5": Limit(0.96, at_least=True),
        "color_top1": Limit(0.72, at_least=True),
        "color_top3": Limit(0.92, at_least=True),
        "picture_p95_ms": Limit(60),
        "cameras_one_rejected": Limit(0.03),
        "cut_rejected": Limit(0.03),
        "ground_armed": Limit(0.05),
    }
    return report(
        "recogniser",
        figures=figures,
        ratios={},
        limits={name: limit for name, limit in limits.items() if name in figures},
    )


def _rgb(path: Path) -> Any:
    import numpy as np
    from PIL import Image

    from apps.recognition.rules.pictures import small_jpeg
    from apps.recognition.rules.seeing import read

    picture = Image.open(path).convert("RGB")
    if max(picture.size) <= LONG_SIDE:
        return np.asarray(picture)
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=95)
    return read(small_jpeg(file.getvalue()))


def _cut_outs(own: Any, known: dict[str, int], photos: Path, times: list[float]) -> Iterator[Any]:
    """Yield mould, look, look with its size, the measure and the form."""
    from apps.recognition.rules import ranking, seeing

    for path in sorted((photos / "parts").glob("*.png")):
        mould = known.get(path.name.split("_")[0])
        if mould is None:
            continue
        rgb = _rgb(path)
        begun = time.process_time()
        seen = seeing.look(rgb)
        if not seen.pieces:
            yield mould, None, None, None, None
            continue
        piece = seen.pieces[0]
        crop = seeing.crop(rgb, piece, own.size)
        look = own.look(crop, long=None, aspect=piece.short / piece.long)
        form = _form(piece)
        _ranked(own, [look], forms=[form])
        times.append((time.process_time() - begun) * 1000)
        measured = ranking.Measured(piece.long * MM_A_PIXEL, piece.short * MM_A_PIXEL, ABOVE)
        sized = own.look(crop, long=measured.long, aspect=piece.short / piece.long)
        yield mould, look, sized, measured, form


def _natural(own: Any, known: dict[str, int], photos: Path) -> Iterator[tuple[set[int], Any, Any]]:
    """Yield the moulds that each labelled crop may be, its look and its form."""
    from apps.recognition.rules import seeing

    by_file: dict[str, list[dict[str, str]]] = defaultdict(list)
    with CROPS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            by_file[row["file"]].append(row)
    for name, rows in by_file.items():
        path = photos / "colours" / name
        if not path.exists():
            continue
        rgb = _rgb(path)
        seen = seeing.look(rgb)
        for row in rows:
            x, y = float(row["x"]), float(row["y"])
            near = sorted(
                (abs(piece.middle[0] - x) + abs(piece.middle[1] - y), index)
                for index, piece in enumerate(seen.pieces)
            )
            right = {known[number] for number in row["numbers"].split() if number in known}
            if not right:
                continue
            if not near or near[0][0] > 25:
                yield right, None, None
                continue
            piece = seen.pieces[near[0][1]]
            crop = seeing.crop(rgb, piece, own.size)
            look = own.look(crop, long=None, aspect=piece.short / piece.long)
            yield right, look, _form(piece)


def _cut_out_answers(own: Any, known: dict[str, int], photos: Path) -> Answers:
    answers = Answers()
    for path in sorted((photos / "parts").glob("*.png")):
        mould = known.get(path.name.split("_")[0])
        if mould is not None:
            answers.add(own, looked_at(own, _rgb(path)), (mould,))
    return answers


def _empty_grounds(own: Any, photos: Path) -> dict[str, float | str]:
    """Return for how many windows of `colours/` beside all parts a row is chosen."""
    from apps.recognition.rules import seeing

    answers = Answers()
    for path in sorted((photos / "colours").glob("*.jp*g")):
        rgb = _rgb(path)
        seen = seeing.look(rgb)
        height, width = rgb.shape[:2]
        high, wide = height // 5, width // 5
        mask, factor = seen.found.mask, seen.found.factor
        for top, left in itertools.product(
            range(0, height - high, high), range(0, width - wide, wide)
        ):
            # Not by the pieces: of more than twelve the others are left out.
            low, right = (top + high + 20) * factor, (left + wide + 20) * factor
            rows = slice(round(max(0, top - 20) * factor), round(low))
            if not mask[rows, round(max(0, left - 20) * factor) : round(right)].any():
                answers.add(own, looked_at(own, rgb[top : top + high, left : left + wide]), ())
    return answers.armed("ground") if answers.presences else {}


def _form(piece: Any) -> Any:
    from apps.recognition.rules import ranking

    return ranking.Form(piece.form, piece.short / piece.long)


def _ranked(own: Any, looks: list[Any], **helps: Any) -> Any:
    from apps.recognition.rules import ranking

    return ranking.ranked(
        [look.shares for look in looks], lots=own.lots, sizes=own.sizes, forms=ranking.Forms(**own.forms),
        weights=None, helps=ranking.Helps(**helps),
    )  # fmt: skip


_CUT = (
    "cut_alone", "cut_form", "cut_popularity_no_form", "cut_popularity", "cut_scale",
    "cut_scale_popularity_no_form", "cut_scale_popularity",
)  # fmt: skip


class Tally:
    """Top-1, top-3 and top-5 of one way of asking."""

    def __init__(self) -> None:
        self.places: list[int] = []

    def add(self, shares: Any, right: set[int]) -> None:
        if shares is None:
            self.places.append(99)
            return
        order = [int(index) for index in (-shares).argsort()[:5]]
        place = next((at for at, index in enumerate(order) if index in right), 99)
        self.places.append(place)

    def figures(self, name: str) -> dict[str, float]:
        count = max(1, len(self.places))
        return {
            f"{name}_top{top}": round(sum(place < top for place in self.places) / count, 3)
            for top in (1, 3, 5)
        }


def _parts(own: Any, cut_outs: list[Any]) -> dict[str, float | str]:
    if not cut_outs:
        return {}
    tallies: dict[str, Tally] = defaultdict(Tally)
    rng = random.Random(1)
    same: dict[int, list[Any]] = defaultdict(list)
    for one in cut_outs:
        same[one[0]].append(one)
    for mould, look, sized, measured, form in cut_outs:
        right = {mould}
        if look is None:
            for name in _CUT:
                tallies[name].add(None, right)
            continue
        forms = [form]
        tallies["cut_alone"].add(_ranked(own, [look], popularity=False), right)
        tallies["cut_form"].add(_ranked(own, [look], forms=forms, popularity=False), right)
        tallies["cut_popularity_no_form"].add(_ranked(own, [look]), right)
        tallies["cut_popularity"].add(_ranked(own, [look], forms=forms), right)
        helps = {"measured": [measured], "forms": forms}
        tallies["cut_scale"].add(_ranked(own, [sized], popularity=False, **helps), right)
        tallies["cut_scale_popularity_no_form"].add(
            _ranked(own, [sized], measured=[measured]), right
        )
        tallies["cut_scale_popularity"].add(_ranked(own, [sized], **helps), right)
        for count in (1, 3):
            captures = _captures(same, mould, look, count, rng)
            tallies[f"cut_captures{count}_popularity"].add(
                _ranked(own, [look], forms=forms, captures=captures), right
            )
    for mould, pictures in same.items():
        # Each with each other: a draw of partners moves the figures by a hundredth.
        for one, other in itertools.combinations([one for one in pictures if one[1]], 2):
            looks, sized = [one[1], other[1]], [one[2], other[2]]
            helps = {"measured": [one[3], other[3]], "forms": [one[4], other[4]]}
            tallies["cut_two"].add(
                _ranked(own, looks, forms=helps["forms"], popularity=False), {mould}
            )
            tallies["cut_two_scale_popularity"].add(_ranked(own, sized, **helps), {mould})
    found: dict[str, float | str] = {"cut_pictures": len(cut_outs)}
    for name, tally in tallies.items():
        found |= tally.figures(name)
    return found


def _captures(
    same: dict[int, list[Any]], mould: int, look: Any, count: int, rng: random.Random
) -> dict[int, float]:
    """Return the nearness of so many other pictures of each part that was confirmed."""
    near = {}
    for other, pictures in same.items():
        usable = [one[1] for one in pictures if one[1] is not None and one[1] is not look]
        kept = rng.sample(usable, min(count, len(usable)))
        near[other] = max((float(one.vector @ look.vector) for one in kept), default=0.0)
    return near


def _crops(own: Any, natural: list[Any], known: dict[str, int]) -> dict[str, float | str]:
    if not natural:
        return {}
    tallies: dict[str, Tally] = defaultdict(Tally)
    sets = _sets(known)
    rng = random.Random(1)
    for right, look, form in natural:
        if look is None:
            for name in ("natural_alone", "natural_popularity_no_form", "natural_popularity",
                         "natural_in_a_set"):  # fmt: skip
                tallies[name].add(None, right)
            continue
        tallies["natural_alone"].add(_ranked(own, [look], popularity=False), right)
        tallies["natural_popularity_no_form"].add(_ranked(own, [look]), right)
        tallies["natural_popularity"].add(_ranked(own, [look], forms=[form]), right)
        holding = [moulds for moulds in sets if moulds & right]
        if holding:
            some = rng.sample(holding, min(5, len(holding)))
            for moulds in some:
                tallies["natural_in_a_set"].add(
                    _ranked(own, [look], forms=[form], among=moulds), right
                )
    found: dict[str, float | str] = {"natural_pictures": len(natural)}
    for name, tally in tallies.items():
        found |= tally.figures(name)
    return found


def _sets(known: dict[str, int]) -> list[set[int]]:
    """Return the moulds of each real set of about 70 lots."""
    path = TABLES / "mapping" / "inventory_parts.derived.csv.gz"
    if not path.exists():
        return []
    lots: dict[str, int] = defaultdict(int)
    moulds: dict[str, set[int]] = defaultdict(set)
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            lots[row["inventory_id"]] += 1
            if row["part_num"] in known:
                moulds[row["inventory_id"]].add(known[row["part_num"]])
    return [moulds[key] for key, count in sorted(lots.items()) if 60 <= count <= 80]


def _colors(photos: Path) -> dict[str, float | str]:
    """Return how often the colour of a photograph of one colour was the first, or among three."""
    from apps.recognition.rules import seeing
    from apps.recognition.rules.shades import Shade, ranked_shades

    table = TABLES / "rebrickable" / "colors.csv.gz"
    if not table.exists():
        return {}
    with gzip.open(table, "rt", encoding="utf-8", newline="") as file:
        colors = {row["id"]: row for row in csv.DictReader(file)}
    with (photos / "manifest.csv").open(encoding="utf-8", newline="") as file:
        shown = [row for row in csv.DictReader(file) if row["file"].startswith("colours/rb")]
    wanted = {row["rebrickable_color_id"] for row in shown}
    palette = [
        Shade(int(pk), colors[pk]["name"], colors[pk]["rgb"], colors[pk]["is_trans"] == "True")
        for pk in sorted(wanted)
    ]
    places = []
    for row in shown:
        shares: dict[int, float] = defaultdict(float)
        for piece in seeing.look(_rgb(photos / row["file"])).pieces:
            if not piece.is_cut_off:
                for shade, share in ranked_shades(piece.lab, palette, most=len(palette)):
                    shares[shade.id] += share
        order = sorted(shares, key=lambda pk: -shares[pk])
        right = int(row["rebrickable_color_id"])
        places.append(order.index(right) if right in order else 99)
    count = max(1, len(places))
    return {
        "color_pictures": len(places),
        "color_top1": round(sum(place < 1 for place in places) / count, 3),
        "color_top3": round(sum(place < 3 for place in places) / count, 3),
    }


if __name__ == "__main__":
    sys.exit(main())

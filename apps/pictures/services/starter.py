"""The pack of pictures that the project carries, for all parts of the starter catalogue."""

import io
import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Final

from django.db import transaction

from apps.catalog.models import Item
from apps.catalog.rules.images import digest_of
from apps.pictures.models import Render
from apps.pictures.rules.finding import Rule
from apps.pictures.services.faces import assign_faces

PACK: Final = Path(__file__).resolve().parent.parent / "starter" / "parts.zip"
# What the large part of the starter catalogue adds.
MORE: Final = PACK.with_name("more.zip")
_INDEX: Final = "renders.json"
_FIELDS: Final = ("number", "title", "digest", "source", "moved_from", "bricklink")
# So that the same pictures give the same file.
_WHEN: Final = (2024, 5, 1, 0, 0, 0)


def load_starter_pictures(*, whole: bool = False) -> "tuple[int, Counter[Rule]]":
    """Make the renders that are missing, and give every part its picture.

    Pictures drawn from a library are kept. Returns how many were made, and the parts by
    rule. Run it again at any time, after an import, too. `whole` adds those of the large part.
    """
    made = sum(map(_load_pack, (PACK, MORE) if whole else (PACK,)))
    return made, assign_faces()


def _load_pack(path: Path) -> int:
    with zipfile.ZipFile(path) as pack:
        rows = json.loads(pack.read(_INDEX))
        known = set(Render.objects.values_list("number", flat=True))
        known_digests = set(Render.objects.values_list("digest", flat=True))
        missing = [
            row for row in rows if row["number"] not in known and row["digest"] not in known_digests
        ]
        with transaction.atomic():
            Render.objects.bulk_create(
                (
                    Render(
                        **{name: row[name] for name in _FIELDS},
                        shape=pack.read(f"{row['digest']}.webp"),
                        own_colors=pack.read(f"{row['digest']}.own.webp") if row["own"] else b"",
                    )
                    for row in missing
                ),
                batch_size=100,
            )
    return len(missing)


def write_pack(path: Path, *, beside: Path | None = None) -> int:
    """Write the renders that show this catalogue, but those of a pack beside; return how many."""
    others: set[str] = set()
    if beside is not None:
        with zipfile.ZipFile(beside) as pack:
            others = {row["digest"] for row in json.loads(pack.read(_INDEX))}
    shown = {
        digest_of(face) for face in Item.objects.exclude(face="").values_list("face", flat=True)
    }
    renders = Render.objects.filter(digest__in=shown - others, parts=[]).order_by("number")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as pack:
        rows = []
        for render in renders:
            rows.append(
                {name: getattr(render, name) for name in _FIELDS}
                | {"own": bool(bytes(render.own_colors))}
            )
            pack.writestr(zipfile.ZipInfo(f"{render.digest}.webp", _WHEN), bytes(render.shape))
            if render.own_colors:
                info = zipfile.ZipInfo(f"{render.digest}.own.webp", _WHEN)
                pack.writestr(info, bytes(render.own_colors))
        index = zipfile.ZipInfo(_INDEX, _WHEN)
        index.compress_type = zipfile.ZIP_DEFLATED
        pack.writestr(index, json.dumps(rows, separators=(",", ":")))
    path.write_bytes(content.getvalue())
    return len(rows)

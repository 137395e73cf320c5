"""The starter catalogue that the project carries, so that a newcomer finds something."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.db import transaction

from apps.catalog.models import Color, ColorAlias
from apps.catalog.models.choices import AliasKind
from apps.catalog.rules.kinds import Catalogue

FOLDER: Final = Path(__file__).resolve().parent.parent / "starter"


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def load_colors() -> int:
    """Make the BrickLink colours that are missing, and their Rebrickable ids; return how many."""
    known = set(Color.objects.values_list("pk", flat=True))
    colors, aliases = [], []
    for row in _rows("colors.csv"):
        number = int(row["id"])
        for rank, value in enumerate(row["rebrickable"].split()):
            aliases.append(
                ColorAlias(
                    color_id=number,
                    catalogue=Catalogue.REBRICKABLE,
                    kind=AliasKind.ID,
                    value=value,
                    rank=rank,
                    confidence=900,
                )
            )
        if number not in known:
            colors.append(
                Color(
                    pk=number,
                    name=row["name"],
                    rgb=row["rgb"],
                    color_type=row["type"],
                    is_trans=row["type"] == "Transparent" or "Trans-" in row["name"],
                    year_from=int(row["first_year"]) if row["first_year"] else None,
                    year_to=int(row["last_year"]) if row["last_year"] else None,
                    origin=Catalogue.BRICKLINK,
                )
            )
    taken = set(
        ColorAlias.objects.filter(catalogue=Catalogue.REBRICKABLE, kind=AliasKind.ID).values_list(
            "value", flat=True
        )
    )
    with transaction.atomic():
        Color.objects.bulk_create(colors)
        ColorAlias.objects.bulk_create(a for a in aliases if a.value not in taken)
    return len(colors)

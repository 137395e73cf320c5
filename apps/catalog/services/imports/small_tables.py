"""Colours and categories: a few hundred rows, compared in memory."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db import models, transaction

from apps.catalog.models import Category, Color
from apps.catalog.rules.kinds import (
    REBRICKABLE_PART_CATEGORY_BASE,
    REBRICKABLE_THEME_BASE,
    Catalogue,
)
from apps.catalog.rules.readers import values
from apps.catalog.rules.readers.formats import Table
from apps.catalog.services.imports.report import TableFigures
from apps.catalog.services.imports.work import Work

Model = TypeVar("Model", bound=models.Model)


def merge_rows(
    model: type[Model], rows: Mapping[int, Mapping[str, Any]], figures: TableFigures
) -> None:
    """Add and change rows by primary key; None and '' never erase a stored value."""
    present = model._default_manager.in_bulk(list(rows))
    added, changed = [], []
    fields: set[str] = set()
    for key, row in rows.items():
        known = present.get(key)
        if known is None:
            added.append(model(pk=key, **row))
            continue
        differing = {
            name: value
            for name, value in row.items()
            if value not in (None, "") and getattr(known, name) != value
        }
        if differing:
            for name, value in differing.items():
                setattr(known, name, value)
            fields |= differing.keys()
            changed.append(known)
    with transaction.atomic():
        model._default_manager.bulk_create(added, batch_size=500)
        if changed:
            model._default_manager.bulk_update(changed, sorted(fields), batch_size=200)
    figures.added += len(added)
    figures.changed += len(changed)
    figures.rows += len(rows)


def import_bricklink_colors(work: Work) -> None:
    """Colours with BrickLink's ids."""
    with work.table("colours") as figures:
        rows: dict[int, dict[str, Any]] = {}
        for _file, _line, row in work.values(Table.BL_COLORS, values.bl_color):
            number, name, rgb, kind, parts, first, last = row
            rows[number] = {
                "name": name,
                "rgb": rgb,
                "color_type": kind,
                "is_trans": kind == "Transparent" or "Trans-" in name,
                "part_count": parts,
                "year_from": first,
                "year_to": last,
                "origin": Catalogue.BRICKLINK.value,
            }
        merge_rows(Color, rows, figures)


def import_categories(work: Work) -> None:
    """BrickLink's categories, Rebrickable's part categories and its tree of themes."""
    with work.table("categories") as figures:
        rows: dict[int, dict[str, Any]] = {}
        for _file, _line, (number, name) in work.values(Table.BL_CATEGORIES, values.bl_category):
            rows[number] = {"name": name, "path": name, "origin": Catalogue.BRICKLINK.value}
        for _file, _line, (number, name) in work.values(
            Table.RB_PART_CATEGORIES, values.bl_category
        ):
            rows[REBRICKABLE_PART_CATEGORY_BASE + number] = {
                "name": name,
                "path": name,
                "origin": Catalogue.REBRICKABLE.value,
            }
        rows.update(_theme_rows(work))
        merge_rows(Category, rows, figures)


def _theme_rows(work: Work) -> dict[int, dict[str, Any]]:
    themes: dict[int, tuple[str, int | None]] = {}
    where: dict[int, tuple[str, int]] = {}
    for _file, line, (number, name, parent) in work.values(Table.RB_THEMES, values.rb_theme):
        themes[number] = (name, parent)
        where[number] = (work.inputs[Table.RB_THEMES][0].source.name, line)
    known = set(themes) | {
        number - REBRICKABLE_THEME_BASE
        for number in Category.objects.filter(
            pk__gte=REBRICKABLE_THEME_BASE, origin=Catalogue.REBRICKABLE
        ).values_list("pk", flat=True)
    }
    for number, (name, parent) in themes.items():
        if parent is not None and parent not in known:
            file, line = where[number]
            work.report.park(file, line, f"theme '{parent}' is not there; kept at the top", name)
            themes[number] = (name, None)
    return {
        REBRICKABLE_THEME_BASE + number: {
            "name": themes[number][0],
            "path": _theme_path(number, themes),
            "parent_id": None if parent is None else REBRICKABLE_THEME_BASE + parent,
            "origin": Catalogue.REBRICKABLE.value,
        }
        # Parents before children, so that each row's parent is there when it is added.
        for number in sorted(themes, key=lambda theme: len(_line_of(theme, themes)))
        for parent in [themes[number][1]]
    }


def _line_of(number: int, themes: Mapping[int, tuple[str, int | None]]) -> list[int]:
    """Return the theme and its ancestors, top last; a cycle is cut where it closes."""
    found = [number]
    while True:
        parent = themes.get(found[-1], ("", None))[1]
        if parent is None or parent in found:
            return found
        found.append(parent)


def _theme_path(number: int, themes: Mapping[int, tuple[str, int | None]]) -> str:
    line = reversed(_line_of(number, themes))
    return " / ".join(themes[theme][0] for theme in line if theme in themes)[:400]

"""Rebrickable's colours: which of ours each is, and those that only Rebrickable has."""

from django.db import transaction

from apps.catalog.models import Color, ColorAlias
from apps.catalog.models.choices import AliasKind
from apps.catalog.rules.kinds import REBRICKABLE_COLOR_BASE, Catalogue
from apps.catalog.rules.matching import ColorMatch, match_colors
from apps.catalog.rules.readers import values
from apps.catalog.rules.readers.formats import Table
from apps.catalog.services.imports.report import TableFigures
from apps.catalog.services.imports.small_tables import merge_rows
from apps.catalog.services.imports.work import Work

Votes = list[tuple[int, int, int]]


def import_rebrickable_colors(work: Work) -> None:
    """Map Rebrickable's colours by element ids; a colour once mapped stays without new votes."""
    with work.table("colour aliases") as figures:
        second = [
            row
            for table in (Table.COLOR_MAP_JSON, Table.COLOR_IDS_2017)
            for _file, _line, row in work.values(table, values.color_pair)
        ]
        votes = _votes(work)
        colors = {
            row[0]: row for _file, _line, row in work.values(Table.RB_COLORS, values.rb_color)
        }
        if not colors:
            return
        names = {number: row[1] for number, row in colors.items()}
        matches = match_colors(
            votes,
            second_sources=[(one, other) for one, other in second],
            names=names,
            bricklink_names=dict(
                Color.objects.filter(origin=Catalogue.BRICKLINK).values_list("pk", "name")
            ),
        )
        known = {
            int(alias.value): alias
            for alias in ColorAlias.objects.filter(
                catalogue=Catalogue.REBRICKABLE, kind=AliasKind.ID
            )
        }
        own = {}
        for number, (_, name, rgb, is_trans, first, last) in colors.items():
            kept = known.get(number)
            if number in matches or (kept is not None and kept.color_id < REBRICKABLE_COLOR_BASE):
                continue
            own[REBRICKABLE_COLOR_BASE + number] = {
                "name": name,
                "rgb": rgb,
                "color_type": "Rebrickable only",
                "is_trans": is_trans,
                "year_from": first,
                "year_to": last,
                "origin": Catalogue.REBRICKABLE.value,
            }
        merge_rows(Color, own, work.report.table("colours"))
        _merge_aliases(names, matches, known, figures)


def _votes(work: Work) -> Votes:
    """Count the shared elements by colour pair, from both catalogues' own lists or from a map."""
    if "s_rb_elements" in work.staged and work.stage.value("SELECT 1 FROM s_bl_codes LIMIT 1"):
        return [
            (rebrickable, bricklink, count)
            for rebrickable, bricklink, count in work.stage.rows(
                "SELECT e.color, k.color_id, COUNT(*) FROM s_rb_elements e "
                "JOIN s_bl_codes k ON k.code = e.code WHERE k.color_id IS NOT NULL "
                "GROUP BY e.color, k.color_id"
            )
        ]
    return [
        (rebrickable, bricklink, count)
        for _file, _line, (rebrickable, bricklink, count) in work.values(
            Table.COLOR_MAP, values.color_vote
        )
    ]


def _merge_aliases(
    names: dict[int, str],
    matches: dict[int, ColorMatch],
    known: dict[int, ColorAlias],
    figures: TableFigures,
) -> None:
    added, changed = [], []
    for number, name in names.items():
        match = matches.get(number)
        alias = known.get(number)
        if match is not None:
            wanted = (match.bricklink, name, match.rank, match.confidence, match.votes)
        elif alias is not None and alias.color_id < REBRICKABLE_COLOR_BASE:
            wanted = (alias.color_id, name, alias.rank, alias.confidence, alias.votes)
        else:
            wanted = (REBRICKABLE_COLOR_BASE + number, name, 0, 1000, 0)
        if alias is None:
            alias = ColorAlias(
                catalogue=Catalogue.REBRICKABLE, kind=AliasKind.ID, value=str(number)
            )
            added.append(alias)
        elif wanted != (
            alias.color_id,
            alias.name,
            alias.rank,
            alias.confidence,
            alias.votes,
        ):
            # Fewer votes than before: an older or smaller list must not turn a colour over.
            if match is not None and match.votes < alias.votes and match.votes < 3:
                continue
            changed.append(alias)
        else:
            continue
        alias.color_id, alias.name, alias.rank, alias.confidence, alias.votes = wanted
    with transaction.atomic():
        ColorAlias.objects.bulk_create(added, batch_size=500)
        if changed:
            ColorAlias.objects.bulk_update(
                changed, ["color", "name", "rank", "confidence", "votes"], batch_size=200
            )
    figures.added += len(added)
    figures.changed += len(changed)
    figures.rows += len(names)

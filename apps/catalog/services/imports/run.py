"""One run of the importer: recognise files, compare with earlier runs, import, record."""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Max

from apps.catalog.models import Color, CurrentFile, ImportRun, RefusedRow
from apps.catalog.rules.readers.formats import Layout, Table, UnknownFile
from apps.catalog.rules.readers.layouts import recognise
from apps.catalog.rules.readers.sources import Source, UnreadableFile, sources_in
from apps.catalog.services.imports import (
    aliases,
    bricklink_contents,
    bricklink_items,
    codes,
    color_mapping,
    contents,
    moves,
    old_pieces,
    part_matches,
    rebrickable_parts,
    rebrickable_sets,
    relations,
    small_tables,
    texts,
)
from apps.catalog.services.imports.report import FileFigures, Report
from apps.catalog.services.imports.staging import Staging
from apps.catalog.services.imports.work import InputFile, Work
from apps.catalog.services.starter import load_colors
from apps.core.errors import DomainError, ErrorCode, StateConflict
from apps.core.jobs.run import Clock

# Raise it when the same file would be read differently: everything is then read again.
IMPORTER_VERSION: Final = 1
# The largest files: left unread where nothing that they are resolved by has changed.
CONTENTS: Final = (
    Table.RB_INVENTORY_PARTS,
    Table.RB_INVENTORY_MINIFIGS,
    Table.RB_INVENTORY_SETS,
    Table.OLD_SET_PIECES,
    Table.BL_CONTENTS,
)
# A run that has not beaten for this long was killed.
DEAD_AFTER: Final = timedelta(minutes=2)


class ImportAlreadyRunning(StateConflict):
    """Another run is at work; two would stage and compare against each other."""

    message = (
        "An import that began at {since:%H:%M:%S} UTC is still running "
        "(one that was killed counts as running for two minutes)."
    )


class NothingToImport(DomainError):
    """No path could be read, or none of the files is a known table."""

    code = ErrorCode.VALIDATION_ERROR
    message = "{reason}"


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How to run. `reread` also reads files that are the same as last time."""

    dry_run: bool = False
    reread: bool = False
    retire_all: bool = False
    report_path: Path | None = None
    progress: Callable[[str], None] = lambda message: None


@dataclass(slots=True)
class _Chosen:
    """The files of a run by the place they take, with their hashes."""

    by_slot: dict[str, tuple[Source, Layout, str]] = field(default_factory=dict)


def import_catalog(*, paths: Sequence[Path], options: ImportOptions, clock: Clock) -> Report:
    """Import the catalogue files under `paths`; return what happened.

    Each step commits by itself and can be repeated: a run that was killed is finished by the
    next one. A dry run works in one transaction and takes it back.
    Raises NothingToImport and ImportAlreadyRunning.
    """
    report = Report(path=options.report_path, progress=options.progress)
    chosen = _choose(paths, report)
    run, was_broken = _claim(options, clock())
    try:
        _work(run, chosen, report, options, clock, everything=was_broken)
    except BaseException as problem:
        run.message = f"{type(problem).__name__}: {problem}"[:300]
        run.is_running = False
        run.save(update_fields=["message", "is_running"])
        raise
    finally:
        report.close()
    return report


def recognise_files(paths: Sequence[Path]) -> list[FileFigures]:
    """Return the files under `paths` as an import would take them; `note` says why one is not read."""
    report = Report()
    with suppress(NothingToImport):
        _choose(paths, report)
    return list(report.files.values())


def _choose(paths: Sequence[Path], report: Report) -> _Chosen:
    """Recognise the files; where two hold the same table, use one and report the other."""
    sources: list[Source] = []
    for path in paths:
        try:
            sources += sources_in([path])
        except UnreadableFile as problem:
            report.files[path.name] = FileFigures(path.name, "", "damaged", note=str(problem))
    found: dict[str, list[tuple[tuple[int, int, int], Source, Layout]]] = {}
    for source in sources:
        figures = FileFigures(source.name, "", "unknown")
        report.files[source.name] = figures
        try:
            layout = recognise(source)
        except UnknownFile as problem:
            figures.note = str(problem)
            continue
        except UnreadableFile as problem:
            figures.state, figures.note = "damaged", str(problem)
            continue
        figures.table, figures.state = layout.slot, "read"
        # More columns mean a newer format; then the later path, then the larger file.
        weight = (layout.width, _folder_order(paths, source), source.path.stat().st_size)
        found.setdefault(layout.slot, []).append((weight, source, layout))
    chosen = _Chosen()
    for slot, candidates in found.items():
        *others, (_, source, layout) = sorted(candidates, key=lambda c: (c[0], c[1].name))
        for _, other, _layout in others:
            report.files[other.name].state = "superseded"
            report.files[other.name].note = f"{source.name} holds the same table"
        chosen.by_slot[slot] = (source, layout, source.sha256())
    if not chosen.by_slot:
        raise NothingToImport(reason=_nothing(report))
    return chosen


def _folder_order(paths: Sequence[Path], source: Source) -> int:
    for place, path in enumerate(paths):
        if source.path == path or path in source.path.parents:
            return place
    return 0


def _nothing(report: Report) -> str:
    notes = [f"{figures.name}: {figures.note}" for figures in report.files.values()]
    return "Nothing to import. " + ("; ".join(notes[:5]) if notes else "The folder is empty.")


def _claim(options: ImportOptions, now: datetime) -> tuple[ImportRun, bool]:
    """Begin a run, ending one that died. Return it, and whether the last one broke off."""
    dead = ImportRun.objects.filter(is_running=True, heartbeat_at__lt=now - DEAD_AFTER)
    dead.update(is_running=False, message="broke off without a word")
    last = ImportRun.objects.filter(is_dry_run=False).order_by("-started_at").first()
    try:
        with transaction.atomic():
            run = ImportRun.objects.create(
                started_at=now,
                heartbeat_at=now,
                importer_version=IMPORTER_VERSION,
                is_dry_run=options.dry_run,
                revision=_revision(),
            )
    except IntegrityError:
        running = ImportRun.objects.filter(is_running=True).first()
        raise ImportAlreadyRunning(since=running.started_at if running else now) from None
    return run, last is not None and last.finished_at is None


def _revision() -> int:
    return ImportRun.objects.aggregate(last=Max("revision"))["last"] or 0


def _work(
    run: ImportRun,
    chosen: _Chosen,
    report: Report,
    options: ImportOptions,
    clock: Clock,
    *,
    everything: bool,
) -> None:
    known = set() if options.reread or everything else _known_slots(chosen, run.revision)
    if known == chosen.by_slot.keys():
        for source, _layout, _hash in chosen.by_slot.values():
            report.files[source.name].state = "unchanged"
        _finish(run, report, clock, message="nothing has changed")
        return

    def beat() -> None:
        ImportRun.objects.filter(pk=run.pk).update(heartbeat_at=clock())

    inputs: dict[Table, list[InputFile]] = {}
    for source, layout, _hash in chosen.by_slot.values():
        inputs.setdefault(layout.table, []).append(InputFile(source, layout))
    work = Work(
        now=run.started_at,
        stage=Staging(beat),
        report=report,
        inputs=inputs,
        retire_all=options.retire_all,
        beat=beat,
    )
    contents_are_known = all(
        slot in known
        for slot, (_source, layout, _hash) in chosen.by_slot.items()
        if layout.table in CONTENTS
    )
    with transaction.atomic() if options.dry_run else nullcontext(), work.stage.session():
        _run_steps(work, everything=everything, contents_are_known=contents_are_known)
        if options.dry_run:
            transaction.set_rollback(True)
    if not options.dry_run:
        if report.written:
            run.revision = _revision() + 1
        _remember(chosen, report, run)
    _finish(run, report, clock)


def _run_steps(work: Work, *, everything: bool, contents_are_known: bool) -> None:
    _require_own_colors(work)
    aliases_before = texts.last_alias(work)
    small_tables.import_bricklink_colors(work)
    small_tables.import_categories(work)
    list(work.values(Table.BL_ITEM_TYPES, lambda row: row))  # known already; read to be counted
    codes.stage_codes(work)
    bricklink_items.stage_items(work)
    color_mapping.import_rebrickable_colors(work)
    bricklink_items.stage_part_list(work)
    part_matches.stage_matches(work)
    part_matches.renumber_parts(work)
    bricklink_items.import_items(work)
    bricklink_items.import_part_list(work)
    bricklink_items.add_parts_of_codes(work)
    bricklink_items.import_weights(work)
    bricklink_items.retire_items(work)
    rebrickable_parts.import_parts(work)
    rebrickable_sets.import_sets(work)
    rebrickable_sets.import_minifigs(work)
    aliases.import_alternates(work)
    relations.import_relations(work)
    relations.import_ldraw(work)
    texts.refresh_touched(work, aliases_after=aliases_before, everything=everything)
    aliases_before = texts.last_alias(work)
    codes.stage_color_words(work)
    if everything or work.report.table("colours").changed:
        codes.rename_lots(work)
    codes.import_colorless_lots(work)
    codes.import_bricklink_codes(work)
    codes.import_rebrickable_elements(work)
    moves.follow_moves(work)
    if texts.last_alias(work) > aliases_before:
        texts.refresh_touched(work, aliases_after=aliases_before)
    contents.stage_subjects(work)
    contents.import_inventories(work)
    if contents_are_known and not _contents_are_moved(work):
        for table in CONTENTS:
            for file in work.inputs.pop(table, []):
                work.report.files[file.source.name].state = "unchanged"
        return
    contents.import_contents(work)
    old_pieces.import_old_pieces(work)
    bricklink_contents.import_bricklink_contents(work)


def _contents_are_moved(work: Work) -> bool:
    """Whether this run changed what lines of contents are resolved by."""
    tables = work.report.tables
    return bool(
        work.report.table("items").added
        or any(
            tables[name].written
            for name in ("item aliases", "colour aliases", "inventories")
            if name in tables
        )
    )


def _require_own_colors(work: Work) -> None:
    """Colours come first: without BrickLink's, every Rebrickable colour would be a stranger."""
    if not Color.objects.filter(origin="B").exists():
        work.report.table("colours").added += load_colors()


def _known_slots(chosen: _Chosen, revision: int) -> set[str]:
    """Return the slots whose file is the one read last, with nothing written since by others."""
    current = {
        file.slot: (file.sha256, file.importer_version, file.revision)
        for file in CurrentFile.objects.filter(slot__in=[_key(slot) for slot in chosen.by_slot])
    }
    return {
        slot
        for slot, (_source, _layout, sha256) in chosen.by_slot.items()
        if current.get(_key(slot)) == (sha256, IMPORTER_VERSION, revision)
    }


def _key(slot: str) -> str:
    return slot if len(slot) <= 100 else hashlib.sha256(slot.encode()).hexdigest()


def _remember(chosen: _Chosen, report: Report, run: ImportRun) -> None:
    for slot, (source, _layout, sha256) in chosen.by_slot.items():
        figures = report.files[source.name]
        if figures.state == "damaged":
            continue
        if figures.state == "unchanged":
            CurrentFile.objects.filter(slot=_key(slot)).update(revision=run.revision)
            continue
        CurrentFile.objects.update_or_create(
            slot=_key(slot),
            defaults={
                "name": source.name[-200:],
                "sha256": sha256,
                "importer_version": IMPORTER_VERSION,
                "rows": figures.rows,
                "refused": figures.refused,
                "parked": figures.parked,
                "imported_at": run.started_at,
                "revision": run.revision,
            },
        )


def _finish(run: ImportRun, report: Report, clock: Clock, message: str = "") -> None:
    with transaction.atomic():
        RefusedRow.objects.bulk_create(
            [
                RefusedRow(
                    run=run,
                    file=row.file[-200:],
                    line=row.line,
                    is_parked=row.is_parked,
                    reason=row.reason,
                    text=row.text,
                )
                for row in report.kept
            ],
            batch_size=500,
        )
        run.is_running = False
        run.finished_at = clock()
        run.files = [
            {
                "name": figures.name,
                "table": figures.table,
                "state": figures.state,
                "rows": figures.rows,
                "refused": figures.refused,
                "parked": figures.parked,
                "note": figures.note,
            }
            for figures in report.files.values()
        ]
        run.tables = {name: figures.as_json() for name, figures in report.tables.items()}
        run.refused, run.parked = report.refused, report.parked
        run.message = (message or "; ".join(report.notes))[:300]
        run.save(
            update_fields=[
                *("is_running", "finished_at", "files", "tables"),
                *("refused", "parked", "message", "revision"),
            ]
        )

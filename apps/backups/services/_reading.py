"""The rows of an opened backup: checked first, then written under new ids."""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Final

from django.db import DataError, IntegrityError, connection, transaction

from apps.accounts.models import User
from apps.accounts.rules import plain_name
from apps.backups.rules import CONTENTS, ITEMS, LOTS, PRICED_BY_ZERO, ROWS, place_of
from apps.backups.services._archive import Archive, BackupRefused
from apps.backups.services._tables import (
    PERSON,
    PERSON_FIELDS,
    Column,
    Meaning,
    Table,
    tables,
)
from apps.backups.services._values import MAX_ID, BadValue, checked, default_of, to_database
from apps.backups.services.row_checks import Checks
from apps.catalog.models import Item, ItemInventory, Lot
from apps.catalog.rules.kinds import LETTER_OF_TYPE, NO_COLOR, ItemType
from apps.catalog.selectors import LotIdentity, Resolved, resolve_lots
from apps.catalog.services.lots import ensure_lots
from apps.core.bulk import allocate_ids, insert_rows
from apps.core.names import NamedOnce, name_key
from apps.core.texts import is_unprintable
from apps.inventory.models import CauseKind
from apps.inventory.services.promises import count_promised

AT_ONCE: Final = 2_000
_WITH_LOTS: Final = frozenset({"inventory_items", "batch_items"})
_CAUSES: Final = {
    CauseKind.BATCH_ITEM.value: "batch_items",
    CauseKind.ORDER.value: "order_lines",
}
Row = dict[str, Any]
# Its position in the file, and its values for the database.
Line = tuple[int, list[Any]]


class Reading:
    """One way through a backup: `check` all rows, `find_lots`, then `write` in a transaction."""

    def __init__(self, archive: Archive, owner: Any, checks: Checks) -> None:
        self._archive = archive
        self._checks = checks
        self._owner = owner
        # Table -> old id -> new one; None until it is written, absent where the row is lost.
        self._ids: dict[str, dict[int, int | None]] = {}
        self._lots: dict[int, Row] = {}
        self._items: dict[int, Row] = {}
        self._lot_ids: dict[int, int] = {}
        self._item_ids: dict[int, int] = {}
        self._contents: list[Row] = []
        self._contents_ids: dict[int, int] = {}
        # Items missing from this catalogue, without which the row cannot be stored.
        self.lost: list[dict[str, Any]] = []

    def check(self, *, tell: Callable[[int], None]) -> None:
        """Read and check every row, changing nothing. Raises BackupRefused.

        `tell` is called with the rows seen so far, every 2,000.
        """
        done = 0
        for name in (PERSON, *(table.name for table in tables() if table.is_setting)):
            if self._archive.counts.get(name, 0) > 1:
                raise BackupRefused(reason=f"{ROWS}{name}.jsonl: Expected one line.")
        self._lots = {row["id"]: row for row in self._references(LOTS, ("color_id",), "item_name")}
        self._items = {row["id"]: row for row in self._references(ITEMS, (), "name")}
        self._contents = list(self._lists_of_contents())
        self._person()
        for table in tables():
            seen = self._ids.setdefault(table.name, {})
            for row in self._rows(table, is_first=True):
                if not table.is_setting:
                    if row["id"] in seen:
                        raise _refused(table.name, len(seen) + 1, "id", "is there twice")
                    seen[row["id"]] = None
                done += 1
                if done % AT_ONCE == 0:
                    tell(done)

    def find_lots(self, *, now: dt.datetime) -> None:
        """Find each lot in this catalogue, adding unknown pairs of item and colour."""
        wanted = {
            pk: LotIdentity(row["item_type"], row["number"], row["color_id"])
            for pk, row in self._lots.items()
        }
        self._lot_ids = _same_lots(wanted, self._owner)
        wanted = {pk: one for pk, one in wanted.items() if pk not in self._lot_ids}
        found = resolve_lots(wanted.values(), person=self._owner)
        missing = [found[one] for one in wanted.values() if found[one].reason == "no_lot"]
        made = ensure_lots(pairs=[_pair(one) for one in missing], now=now, by=self._owner)
        for pk, identity in wanted.items():
            lot_id = found[identity].lot_id or made.get(_pair(found[identity]))
            if lot_id is not None:
                self._lot_ids[pk] = lot_id
        items = {
            pk: LotIdentity(row["item_type"], row["number"]) for pk, row in self._items.items()
        }
        self._item_ids = _same_items(items)
        items = {pk: one for pk, one in items.items() if pk not in self._item_ids}
        of_items = resolve_lots(items.values(), person=self._owner)
        for pk, identity in items.items():
            if (item_id := of_items[identity].item_id) is not None:
                self._item_ids[pk] = item_id
        self._find_contents()
        self._lose_rows()

    def write(self) -> None:
        """Insert every row under a new id, for the owner. Call inside a transaction."""
        for table in tables():
            ids = self._ids[table.name]
            new_ids = allocate_ids(table.model, len(ids))
            self._ids[table.name] = dict(zip(ids, new_ids, strict=True))
        for table in tables():
            if table.is_setting and self._archive.counts.get(table.name):
                table.model._base_manager.filter(**{table.to_owner: self._owner}).delete()
            columns = [one for one in table.columns if not _is_own_key(table, one)]
            rows = self._written(table, columns)
            while some := list(islice(rows, AT_ONCE)):
                self._insert(table, columns, some)
        count_promised(owner=self._owner)
        person = self._person()
        User.objects.filter(pk=self._owner.pk).update(**person)

    def _insert(self, table: Table, columns: list[Column], rows: list[Line]) -> None:
        """Insert rows; find the one that contradicts the others. Raises BackupRefused."""
        names = [one.name for one in columns]
        try:
            _insert_rows(table, names, [values for _line, values in rows])
        except (IntegrityError, DataError):
            for line, values in rows:
                try:
                    _insert_rows(table, names, [values])
                except (IntegrityError, DataError) as problem:
                    said = str(problem).splitlines()[0]
                    field = next((name for name in names if name in said), "the row")
                    raise _refused(
                        table.name, line, field, f"contradicts itself or another row ({said})"
                    ) from problem
            raise  # each by itself is fine: the database is at fault

    # -- Reading -----------------------------------------------------------------------

    def _rows(self, table: Table, *, is_first: bool = False) -> Iterator[Row]:
        known = {column.name: column for column in table.stored}
        defaults: Row = {}
        for number, raw in self._archive.rows(table.name):
            if strange := raw.keys() - known.keys():
                raise _refused(table.name, number, min(strange), "is not known here")
            row = {}
            for name, column in known.items():
                try:
                    if name in raw:
                        row[name] = checked(column, raw[name])
                        if is_first and raw[name] is not None:
                            self._check_as_typed(table.name, name, raw[name])
                    else:
                        if name not in defaults:
                            defaults[name] = default_of(column)
                        row[name] = defaults[name]
                except BadValue as problem:
                    raise _refused(table.name, number, name, str(problem)) from None
                if name in self._none_is_zero(table) and not row[name]:
                    row[name] = None
                if is_first:  # afterwards some rows that are named may be lost
                    self._check_reference(table, column, row[name], number)
            yield row

    def _none_is_zero(self, table: Table) -> tuple[str, ...]:
        """Return the columns of an older backup in which 0 means that there is no price."""
        is_old = self._archive.format == PRICED_BY_ZERO
        return ("price",) if is_old and table.name in _WITH_LOTS else ()

    def _check_as_typed(self, table: str, name: str, value: Any) -> None:
        """Check a value as the API does. Raises BadValue."""
        check = self._checks.get((table, name))
        if check is not None and (why := check(value)):
            raise BadValue(why)

    def _check_reference(self, table: Table, column: Column, value: Any, line: int) -> None:
        if value is None:
            return
        among: Any = None
        if column.meaning is Meaning.LOT:
            among = self._lots
        elif column.meaning is Meaning.ITEM:
            among = self._items
        elif column.meaning is Meaning.ROW and not column.outlives:
            among = self._ids.get(column.target)
        if among is not None and value not in among:
            raise _refused(table.name, line, column.name, "names a row that is not there")

    def _references(self, name: str, whole: tuple[str, ...], named: str) -> Iterator[Row]:
        """Yield the catalogue entries that the rows name, each value checked."""
        texts = {"item_type": 16, "number": 64, named: 500}
        if whole:
            texts["color_name"] = 100
        for line, row in self._archive.rows(name):
            kept: Row = {}
            for key in ("id", *whole):
                value = row.get(key)
                if key in whole:
                    is_fit = value is not False and (value == NO_COLOR or _is_id(value, 2**31 - 1))
                else:
                    is_fit = _is_id(value)
                if not is_fit:
                    raise _refused(name, line, key, "Expected an id.")
                kept[key] = value
            for key, length in texts.items():
                value = row.get(key, "" if key == "color_name" else None)
                if not isinstance(value, str) or len(value) > length or is_unprintable(value):
                    raise _refused(
                        name, line, key, f"Expected text of at most {length} characters."
                    )
                kept[key] = value
            if kept["item_type"] not in set(ItemType):
                raise _refused(name, line, "item_type", "Expected a type of item, such as PART.")
            yield kept

    def _lists_of_contents(self) -> Iterator[Row]:
        for line, row in self._archive.rows(CONTENTS):
            for key in ("id", "item_id", "version"):
                if not _is_id(row.get(key)):
                    raise _refused(CONTENTS, line, key, "Expected an id.")
            catalogue = row.get("catalogue")
            if not isinstance(catalogue, str) or len(catalogue) > 1:
                raise _refused(CONTENTS, line, "catalogue", "Expected one letter.")
            yield {key: row[key] for key in ("id", "item_id", "version", "catalogue")}

    def _person(self) -> Row:
        found: Row = {}
        for line, row in self._archive.rows(PERSON):
            for name in PERSON_FIELDS:
                field: Any = User._meta.get_field(name)
                value = row.get(name, field.get_default())
                if name == "name" and isinstance(value, str):
                    # Older backups may hold what no name may have any more.
                    value = plain_name(value) or self._owner.name
                try:
                    found[name] = checked(Column(name, field, Meaning.PLAIN), value)
                    self._check_as_typed(PERSON, name, value)
                except BadValue as problem:
                    raise _refused(PERSON, line, name, str(problem)) from None
        return found

    # -- Writing -----------------------------------------------------------------------

    def _find_contents(self) -> None:
        wanted = {
            (self._item_ids[row["item_id"]], row["catalogue"], row["version"]): row["id"]
            for row in self._contents
            if row["item_id"] in self._item_ids
        }
        here = ItemInventory.objects.filter(item_id__in={item for item, _c, _v in wanted})
        for pk, item_id, catalogue, version in here.values_list(
            "pk", "item_id", "catalogue", "version"
        ):
            if (old := wanted.get((item_id, catalogue, version))) is not None:
                self._contents_ids[old] = pk

    def _lose_rows(self) -> None:
        """Find the rows that need an item missing from this catalogue."""
        for table in tables():
            needs = [one for one in table.columns if not one.field.null]
            ids = self._ids[table.name]
            if not ids or not any(self._may_miss(one) for one in needs):
                continue
            for row in self._rows(table):
                missing = next((one for one in needs if self._misses(one, row)), None)
                if missing is not None:
                    del ids[row["id"]]
                    self.lost.append(self._told(table, missing, row))

    def _may_miss(self, column: Column) -> bool:
        return column.meaning in {Meaning.LOT, Meaning.ITEM, Meaning.ROW}

    def _misses(self, column: Column, row: Row) -> bool:
        value = row.get(column.name)
        if column.meaning is Meaning.LOT:
            return value not in self._lot_ids
        if column.meaning is Meaning.ITEM:
            return value not in self._item_ids
        return column.meaning is Meaning.ROW and value not in self._ids[column.target]

    def _told(self, table: Table, column: Column, row: Row) -> dict[str, Any]:
        known = self._lots if column.meaning is Meaning.LOT else self._items
        one = known.get(row[column.name], {})
        return {
            "id": row["id"],
            "name": f"{table.name}: {one.get('item_name') or one.get('name', '')}".strip(": "),
            "reason": f"The catalogue here does not know {one.get('number') or 'what it is part of'}.",
        }

    def _written(self, table: Table, columns: list[Column]) -> Iterator[Line]:
        has_raw = "raw_item_number" in {one.name for one in columns}
        has_key = issubclass(table.model, NamedOnce)
        keys: set[str] = set()
        ids = self._ids[table.name]
        for line, row in enumerate(self._rows(table), start=1):
            if not table.is_setting and row["id"] not in ids:
                continue
            if has_raw:
                self._keep_identity(row)
            if has_key:
                key = name_key(str(row["name"]))
                row |= {"name_key": key, "twin": ids[row["id"]] if key in keys else 0}
                keys.add(key)
            values = [to_database(one.field, self._value(table, one, row)) for one in columns]
            yield line, values

    def _value(self, table: Table, column: Column, row: Row) -> Any:
        if column.meaning is Meaning.OWNER:
            return self._owner.pk
        if column.meaning is Meaning.OURS and column.name not in row:
            return column.field.get_default()  # calculated again
        value = row[column.name]
        if value is None:
            return None
        if column.field.primary_key:
            return self._ids[table.name][value]
        if column.meaning is Meaning.PERSON:
            return self._owner.pk
        if column.meaning is Meaning.LOT:
            return self._lot_ids.get(value)
        if column.meaning is Meaning.ITEM:
            return self._item_ids.get(value)
        if column.meaning is Meaning.CONTENTS:
            return self._contents_ids.get(value)
        if column.meaning is Meaning.ROW:
            return self._moved(column.target, value, column.outlives)
        if column.meaning is Meaning.CAUSE:
            return self._moved(_CAUSES.get(row["cause_kind"], ""), value, True)
        return None if column.meaning is Meaning.ELSEWHERE else value

    def _moved(self, target: str, old: int, outlives: bool) -> int | None:
        found = self._ids.get(target, {}).get(old)
        # A deleted row's reference stays as a number that no row here can have.
        return -abs(old) if found is None and outlives else found

    def _keep_identity(self, row: Row) -> None:
        """Store the item's values in the row itself if the catalogue lacks its lot."""
        lot = self._lots.get(row["lot_id"]) if row["lot_id"] is not None else None
        if lot is None or row["lot_id"] in self._lot_ids or row["raw_item_number"]:
            return
        row["raw_item_type"] = LETTER_OF_TYPE.get(lot["item_type"], "P")
        row["raw_item_number"] = lot["number"]
        row["raw_item_name"] = lot["item_name"]
        row["raw_color_id"] = lot["color_id"]
        row["raw_color_name"] = str(lot.get("color_name", ""))


def _insert_rows(table: Table, names: list[str], rows: list[list[Any]]) -> None:
    # The driver's errors are then the same on both databases.
    with transaction.atomic(), connection.wrap_database_errors:
        insert_rows(table.model, names, rows)


def _refused(name: str, line: int, field: str, why: str) -> BackupRefused:
    """Return the refusal that names the file, the line in it and the field."""
    return BackupRefused(reason=f"{place_of(name, line)}, {field}: {why.rstrip('.')}.")


def _is_own_key(table: Table, column: Column) -> bool:
    return table.is_setting and bool(column.field.primary_key)


def _is_id(value: Any, most: int = MAX_ID) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= most


def _same_lots(wanted: dict[int, LotIdentity], owner: Any) -> dict[int, int]:
    """Return the lots that have the same id here: a backup comes back where it was made."""
    here = ("pk", "item__item_type", "item__number", "color_id")
    same = {}
    for some in _in_pieces(wanted):
        lots = Lot.objects.visible_to(owner).filter(pk__in=some)
        for pk, *identity in lots.values_list(*here):
            if LotIdentity(*identity) == wanted[pk]:
                same[pk] = pk
    return same


def _same_items(wanted: dict[int, LotIdentity]) -> dict[int, int]:
    same = {}
    for some in _in_pieces(wanted):
        for pk, item_type, number in Item.objects.filter(pk__in=some).values_list(
            "pk", "item_type", "number"
        ):
            if LotIdentity(item_type, number) == wanted[pk]:
                same[pk] = pk
    return same


def _in_pieces(ids: Iterable[int]) -> Iterator[list[int]]:
    remaining = iter(ids)
    while some := list(islice(remaining, AT_ONCE)):
        yield some


def _pair(found: Resolved) -> tuple[int, int]:
    return (found.item_id or 0, found.color_id or 0)

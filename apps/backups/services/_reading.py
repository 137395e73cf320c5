"""The rows of an opened backup: checked first, then written under new ids.

A row that cannot be restored is left out and reported, and so are the rows that cannot be without
it. A bad value of a column that may be empty is left out alone.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, Final

from django.db import DataError, IntegrityError, connection, models, transaction

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
# Without these nobody knows which lot a row is.
IDENTITY: Final = frozenset({"raw_item_type", "raw_item_number"})
NO_SUCH_ROW: Final = "names a row that is not there or was left out"
NO_OBJECT: Final = "Expected a JSON object."
LABEL: Final = 100
Row = dict[str, Any]
# Its position in the file, its id there, and its values for the database.
Line = tuple[int, int, list[Any]]


class Reading:
    """One way through a backup: `check` all rows, `find_lots`, then `write` in a transaction.

    `report` is called for each row and value that is left out.
    """

    def __init__(
        self, archive: Archive, owner: User, checks: Checks, *, report: Callable[[Row], None]
    ) -> None:
        self._archive = archive
        self._checks = checks
        self._owner = owner
        self._report = report
        # Table -> old id -> new one; None until it is written, absent where the row is left out.
        self._ids: dict[str, dict[int, int | None]] = {}
        # Table -> the lines left out, and the columns left out of a line.
        self._dropped: defaultdict[str, set[int]] = defaultdict(set)
        self._emptied: defaultdict[str, dict[int, set[str]]] = defaultdict(dict)
        self._lots: dict[int, Row] = {}
        self._items: dict[int, Row] = {}
        self._lot_ids: dict[int, int] = {}
        self._item_ids: dict[int, int] = {}
        self._contents: list[Row] = []
        self._contents_ids: dict[int, int] = {}
        # Table -> rows written.
        self.written: dict[str, int] = {}

    def check(self, *, tell: Callable[[int], None]) -> None:
        """Read and check every row, changing nothing. Raises BackupRefused for a broken file.

        `tell` is called with the rows seen so far, every 2,000.
        """
        done = 0
        for name in (PERSON, *(table.name for table in tables() if table.is_setting)):
            if self._archive.counts.get(name, 0) > 1:
                raise BackupRefused(reason=f"{ROWS}{name}.jsonl: Expected one line.")
        self._lots = {row["id"]: row for row in self._references(LOTS, ("color_id",), "item_name")}
        self._items = {row["id"]: row for row in self._references(ITEMS, (), "name")}
        self._contents = list(self._lists_of_contents())
        for table in tables():
            seen = self._ids.setdefault(table.name, {})
            for line, raw in self._archive.rows(table.name):
                self._check_row(table, line, raw, seen)
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

    def write(self) -> None:
        """Insert every row under a new id, for the owner. Call inside a transaction."""
        for table in tables():
            ids = self._ids[table.name]
            new_ids = allocate_ids(table.model, len(ids))
            self._ids[table.name] = dict(zip(ids, new_ids, strict=True))
        for table in tables():
            columns = [one for one in table.columns if not _is_own_key(table, one)]
            rows = self._written(table, columns)
            count = 0
            while some := list(islice(rows, AT_ONCE)):
                if table.is_setting:
                    table.model._base_manager.filter(**{table.to_owner: self._owner}).delete()
                count += self._insert(table, columns, some)
            self.written[table.name] = count
        count_promised(owner=self._owner)
        if person := self._person():
            User.objects.filter(pk=self._owner.pk).update(**person)

    def _insert(self, table: Table, columns: list[Column], rows: list[Line]) -> int:
        """Insert rows but those that contradict themselves or others; return how many."""
        names = [one.name for one in columns]
        try:
            _insert_rows(table, names, [values for _line, _id, values in rows])
        except (IntegrityError, DataError):
            return sum(self._insert_one(table, names, row) for row in rows)
        return len(rows)

    def _insert_one(self, table: Table, names: list[str], row: Line) -> bool:
        line, old_id, values = row
        try:
            _insert_rows(table, names, [values])
        except (IntegrityError, DataError) as problem:
            cause = str(problem).splitlines()[0]
            why = f"Contradicts itself or another row ({cause})"
            self._drop(table.name, line, "", why)
            self._ids[table.name].pop(old_id, None)  # so that its parts are left out, too
            return False
        return True

    # -- Reading -----------------------------------------------------------------------

    def _check_row(
        self, table: Table, line: int, raw: Row | None, seen: dict[int, int | None]
    ) -> None:
        """Find what of a row cannot be restored: the row, or values that may be missing."""
        if raw is None:
            self._drop(table.name, line, "", NO_OBJECT)
            return
        known = {column.name for column in table.stored}
        for name in sorted(raw.keys() - known):
            self._report_left_out(table.name, line, name, "is not known here", raw, "value")
        for column in table.stored:
            try:
                value = self._value_in_file(table, column, raw)
                if raw.get(column.name) is not None:
                    self._check_as_typed(table.name, column.name, raw[column.name])
                self._check_reference(column, value)
                if column.field.primary_key and not table.is_setting and value in seen:
                    raise BadValue("is there twice")
            except BadValue as problem:
                if not _may_be_empty(table, column):
                    self._drop(table.name, line, column.name, str(problem), raw)
                    return
                self._emptied[table.name].setdefault(line, set()).add(column.name)
                self._report_left_out(table.name, line, column.name, str(problem), raw, "value")
        if not table.is_setting:
            seen[raw["id"]] = None

    def _rows(self, table: Table) -> Iterator[tuple[int, Row]]:
        """Yield `(line, row)` of the rows that passed the check."""
        dropped, emptied = self._dropped[table.name], self._emptied[table.name]
        for line, raw in self._archive.rows(table.name):
            if raw is None or line in dropped:
                continue
            without = emptied.get(line, ())
            yield (
                line,
                {
                    column.name: _empty_value(column)
                    if column.name in without
                    else self._value_in_file(table, column, raw)
                    for column in table.stored
                },
            )

    def _value_in_file(self, table: Table, column: Column, raw: Row) -> Any:
        """Return a column's value, or its default in older backups. Raises BadValue."""
        name = column.name
        value = checked(column, raw[name]) if name in raw else default_of(column)
        return None if name in self._none_is_zero(table) and not value else value

    def _drop(self, name: str, line: int, field: str, why: str, row: Row | None = None) -> None:
        """Leave a row out."""
        self._dropped[name].add(line)
        self._report_left_out(name, line, field, why, row or {}, "row")

    def _report_left_out(
        self, name: str, line: int, field: str, why: str, row: Row, what: str
    ) -> None:
        label = self._label(name, row)
        told = f"{field}: {why}" if field else why
        self._report(
            {
                "id": None,  # ids of the file name nothing here
                "name": place_of(name, line) + (f" ({label})" if label else ""),
                "reason": f"{told.rstrip('.')}. The {what} was left out.",
            }
        )

    def _label(self, name: str, row: Row) -> str:
        """Return the words by which a person recognises the row; '' if it has none."""
        lot = self._lots.get(_key(row.get("lot_id")), {})
        item = self._items.get(_key(row.get("item_id")), {}) if name in _of_items() else {}
        found = (
            *(lot.get(field) for field in ("number", "item_name", "color_name")),
            *(row.get(field) for field in ("raw_item_number", "name", "title", "buyer_name")),
            item.get("name"),
        )
        words = dict.fromkeys(one for one in found if isinstance(one, str) and one)
        return " ".join(words)[:LABEL]

    def _none_is_zero(self, table: Table) -> tuple[str, ...]:
        """Return the columns of an older backup in which 0 means that there is no price."""
        is_old = self._archive.format == PRICED_BY_ZERO
        return ("price",) if is_old and table.name in _WITH_LOTS else ()

    def _check_as_typed(self, table: str, name: str, value: object) -> None:
        """Check a value as the API does. Raises BadValue."""
        check = self._checks.get((table, name))
        if check is not None and (why := check(value)):
            raise BadValue(why)

    def _check_reference(self, column: Column, value: object) -> None:
        """Raise BadValue for a reference to a row that the file does not have."""
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
            raise BadValue(NO_SUCH_ROW)

    def _references(self, name: str, whole: tuple[str, ...], named: str) -> Iterator[Row]:
        """Yield the catalogue entries that the rows name, each value checked."""
        texts = {"item_type": 16, "number": 64, named: 500}
        if whole:
            texts["color_name"] = 100
        for line, row in self._archive.rows(name):
            try:
                yield _reference(row, whole, texts)
            except BadValue as problem:
                self._drop(name, line, "", str(problem))

    def _lists_of_contents(self) -> Iterator[Row]:
        for line, row in self._archive.rows(CONTENTS):
            catalogue = (row or {}).get("catalogue")
            if row is None or not all(_is_id(row.get(key)) for key in ("id", "item_id", "version")):
                self._drop(CONTENTS, line, "", "Expected ids.")
            elif not isinstance(catalogue, str) or len(catalogue) > 1:
                self._drop(CONTENTS, line, "catalogue", "Expected one letter.")
            else:
                yield {key: row[key] for key in ("id", "item_id", "version", "catalogue")}

    def _person(self) -> Row:
        """Return the person's values that can be restored."""
        found: Row = {}
        for line, row in self._archive.rows(PERSON):
            if row is None:
                self._drop(PERSON, line, "", NO_OBJECT)
                continue
            for name in PERSON_FIELDS:
                field: Any = User._meta.get_field(name)
                value = row.get(name, field.get_default())
                if name == "name" and isinstance(value, str):
                    # Older backups may hold what no name may have any more.
                    value = plain_name(value) or self._owner.name
                try:
                    read = checked(Column(name, field, Meaning.PLAIN), value)
                    self._check_as_typed(PERSON, name, value)
                except BadValue as problem:
                    self._report_left_out(PERSON, line, name, str(problem), {}, "value")
                else:
                    found[name] = read
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

    def _missing(self, column: Column, row: Row) -> str:
        """Return why the row that a column names cannot be named here, '' if it can."""
        value = row.get(column.name)
        if value is None or column.outlives:
            return ""
        known: dict[int, Any]
        if column.meaning in {Meaning.LOT, Meaning.ITEM}:
            is_lot = column.meaning is Meaning.LOT
            known, named = (self._lot_ids, self._lots) if is_lot else (self._item_ids, self._items)
            if value in known:
                return ""
            return f"The catalogue here does not know {named[value]['number']}."
        if column.meaning is Meaning.ROW and value not in self._ids[column.target]:
            return NO_SUCH_ROW
        return ""

    def _written(self, table: Table, columns: list[Column]) -> Iterator[Line]:
        has_raw = "raw_item_number" in {one.name for one in columns}
        has_key = issubclass(table.model, NamedOnce)
        keys: set[str] = set()
        ids = self._ids[table.name]
        for line, row in self._rows(table):
            if self._leaves_out(table, line, row):
                continue
            if has_raw:
                self._keep_identity(row)
            if has_key:
                key = name_key(str(row["name"]))
                row |= {"name_key": key, "twin": ids[row["id"]] if key in keys else 0}
                keys.add(key)
            values = [to_database(one.field, self._value(table, one, row)) for one in columns]
            yield line, row.get("id", 0), values

    def _leaves_out(self, table: Table, line: int, row: Row) -> bool:
        """Return whether the row needs something that is not here; report what it goes without."""
        for column in table.stored:
            if not (why := self._missing(column, row)):
                continue
            field = column.name if column.meaning is Meaning.ROW else ""
            if not column.field.null:
                self._drop(table.name, line, field, why, row)
                self._ids[table.name].pop(row.get("id", 0), None)
                return True
            if column.meaning is Meaning.ROW:
                self._report_left_out(table.name, line, field, why, row, "value")
        return False

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
        row["raw_item_type"] = LETTER_OF_TYPE.get(lot["item_type"], "")
        row["raw_item_number"] = lot["number"]
        row["raw_item_name"] = lot["item_name"]
        row["raw_color_id"] = lot["color_id"]
        row["raw_color_name"] = str(lot.get("color_name", ""))


def _insert_rows(table: Table, names: list[str], rows: list[list[Any]]) -> None:
    # The driver's errors are then the same on both databases.
    with transaction.atomic(), connection.wrap_database_errors:
        insert_rows(table.model, names, rows)


def _may_be_empty(table: Table, column: Column) -> bool:
    """Return whether the rest of the row is true without this value."""
    field = column.field
    if column.meaning is Meaning.LOT or column.name in IDENTITY:
        return False
    if field.null or table.is_setting:
        return bool(field.null or field.has_default())
    is_text = isinstance(field, models.CharField | models.TextField | models.JSONField)
    return is_text and bool(field.blank) and not field.choices


def _empty_value(column: Column) -> Any:
    return None if column.field.null else column.field.get_default()


def _reference(row: Row | None, whole: tuple[str, ...], texts: dict[str, int]) -> Row:
    """Return the checked values of a catalogue entry. Raises BadValue."""
    if row is None:
        raise BadValue(NO_OBJECT)
    kept: Row = {}
    for key in ("id", *whole):
        value = row.get(key)
        if key in whole:
            is_fit = value is not False and (value == NO_COLOR or _is_id(value, 2**31 - 1))
        else:
            is_fit = _is_id(value)
        if not is_fit:
            raise BadValue(f"{key}: Expected an id.")
        kept[key] = value
    for key, length in texts.items():
        value = row.get(key, "" if key == "color_name" else None)
        if not isinstance(value, str) or len(value) > length or is_unprintable(value):
            raise BadValue(f"{key}: Expected text of at most {length} characters.")
        kept[key] = value
    if kept["item_type"] not in set(ItemType):
        raise BadValue("item_type: Expected a type of item, such as PART.")
    return kept


def _is_own_key(table: Table, column: Column) -> bool:
    return table.is_setting and bool(column.field.primary_key)


@cache
def _of_items() -> frozenset[str]:
    """Return the tables whose `item_id` is an item of the catalogue, not a row of stock."""
    return frozenset(
        table.name
        for table in tables()
        if any(one.name == "item_id" and one.meaning is Meaning.ITEM for one in table.columns)
    )


def _key(value: Any) -> int:
    return value if _is_id(value) else 0


def _is_id(value: object, most: int = MAX_ID) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= most


def _same_lots(wanted: dict[int, LotIdentity], owner: User) -> dict[int, int]:
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

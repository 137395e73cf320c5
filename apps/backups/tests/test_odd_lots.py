"""Whatever an import accepts can be backed up and restored."""

import csv
from xml.sax.saxutils import escape

import pytest
from django.core.management import CommandError, call_command

from apps.backups.tests.factories import backup_of, everything_of, restored, zip_of
from apps.core.jobs.models import JobState
from apps.inventory.models import InventoryItem
from apps.inventory.services.ledger_check import check_ledger

pytestmark = pytest.mark.django_db
LONG = "x" * 20_000
INT = 2**31 - 1
#: Tag -> odd texts, each of which makes a lot of its own.
ODD = {
    "ItemID": ["x" * 200, "a/b c", "Ünï", "3001\u202e", " 3001 ", "0"],
    "ItemTypeID": ["S", "M", "I", "O", "B", "G", "C", "?", "PP"],
    "ColorID": ["0", str(INT), "-1", str(2**31), "999999", "abc", "1.0"],
    "ItemName": [LONG, "\u202e", "<b>&amp;"],
    "ColorName": [LONG, "\x85"],
    "CategoryID": [str(INT), "-5"],
    "CategoryName": [LONG],
    "Status": ["I", "X", "E", "?", "ZZ"],
    "Qty": ["0", "-7", str(INT), str(2**31), "1,234", "3.0", "1e3", "NaN", "٣"],
    "Price": ["0", "-1", "0.00001", "99999999.9999", "1e9", "1e-30", "NaN", "Infinity", "1,5"],
    "Condition": ["N", "U", "X", ""],
    "SubCondition": ["C", "I", "M", "S", "Z"],
    "Bulk": ["0", "-3", str(INT), "x"],
    "Sale": ["-99", "100", "101", "-100", "5.0"],
    "Cost": ["-0.5", "99999999.9999", "1e-9"],
    "Comments": [LONG, "\t\r\n", "\u2028\u200b\u202e\ufeff", "🧱"],
    "Remarks": [LONG, "A-01, B-02", "\u00a0", "🧱" * 300],
    "Reserved": [LONG],
    "LotID": [str(2**63 - 1), str(2**32), "0", "-1", str(2**70)],
    "TQ1": [str(INT), "-1", "-2147483648"],
    "TP1": ["99999999.9999", "-1"],
    "Retain": ["", "Y", "N", "maybe"],
    "Stockroom": ["", "A", "C", "D"],
    "TotalWeight": ["0.00001", "1e20", "-3", "99999999999999999999", "1e-30"],
    "MarkerText": [LONG],
    "MarkerColor": ["red", "#abc", "#80aabbcc", "mauve?"],
    "DateAdded": [
        "0001-01-01T00:00:00Z",
        "1000-06-01T00:00:00Z",
        "1899-12-31T23:59:59Z",
        "1900-01-01T00:00:00Z",
        "2199-12-31T23:59:59Z",
        "9999-12-31T23:59:59Z",
        "2022-05-20",
        "0001-01-01T00:00:00+14:00",
    ],
    "DateLastSold": ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"],
    "X-Later": [LONG, ""],
}
PLAIN = {"ItemID": "x1", "ItemTypeID": "P", "ColorID": "5", "Qty": "2", "Condition": "N"}
LOTS = [{**PLAIN, tag: text} for tag, texts in ODD.items() for text in texts]
#: Of a table: the column of a tag.
COLUMNS = {
    "ItemID": "Item number",
    "ItemTypeID": "Type",
    "ColorID": "Color ID",
    "Qty": "Quantity",
    "Price": "Price",
    "Condition": "Condition",
    "Comments": "Comments",
    "Remarks": "Remarks",
    "LotID": "Lot ID",
    "DateAdded": "Date added",
}


def bsx(path):
    items = "".join(
        "<Item>"
        + "".join(f"<{tag}>{escape(text)}</{tag}>" for tag, text in lot.items())
        + "</Item>"
        for lot in LOTS
    )
    path.write_text(
        f'<BrickStoreXML><Inventory Currency="EUR">{items}</Inventory></BrickStoreXML>', "utf-8"
    )


def bricklink_xml(path):
    tags = {"ItemID": "ITEMID", "ItemTypeID": "ITEMTYPE", "ColorID": "COLOR", "Qty": "QTY"}
    lots = (
        "".join(
            f"<{name}>{escape(text)}</{name}>"
            for tag, text in lot.items()
            for name in [tags.get(tag, tag.upper())]
        )
        for lot in LOTS
    )
    items = "".join(f"<ITEM>{lot}</ITEM>" for lot in lots)
    path.write_text(f"<INVENTORY>{items}</INVENTORY>", "utf-8")


def table(path):
    with path.open("w", newline="", encoding="utf-8") as out:
        rows = csv.DictWriter(out, COLUMNS.values())
        rows.writeheader()
        for lot in LOTS:
            if lot.keys() <= COLUMNS.keys():
                rows.writerow({COLUMNS[tag]: text for tag, text in lot.items()})


def imported(owner, path, what):
    with pytest.raises(CommandError) as refused:
        call_command("import_bsx", path, user=owner.email_address, what=what, create_locations=True)
    assert refused.value.returncode == 1  # some rows could not be read, the others were


def possible(date):
    """The date, None if no file or page could show it everywhere."""
    return date if date is not None and 1900 <= date.year < 2200 else None


@pytest.mark.parametrize("what", ["inventory", "batch"])
@pytest.mark.parametrize(
    ("write", "name"), [(bsx, "a.bsx"), (bricklink_xml, "a.xml"), (table, "a.csv")]
)
class TestWhatImportsAccept:
    def test_is_restored_but_impossible_dates(self, ann, bo, tmp_path, write, name, what):
        path = tmp_path / name
        write(path)
        imported(ann, path, what)
        before = everything_of(ann)
        rows = "inventory_items" if what == "inventory" else "batch_items"
        assert len(before[rows]) > 30
        for row in before[rows]:
            row["date_added"] = possible(row["date_added"])
            row["date_last_sold"] = possible(row["date_last_sold"])

        job = restored(bo, zip_of(backup_of(ann)))

        assert job.state == JobState.SUCCEEDED, job.message
        left_out = {(one["name"], one["reason"]) for one in job.failed}
        assert not {one for one in left_out if not one[1].startswith(("date_added:", "date_last"))}
        assert everything_of(bo) == before
        assert check_ledger(owner=bo).is_sound
        assert InventoryItem.objects.owned_by(bo).exists() is (what == "inventory")

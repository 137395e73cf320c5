"""Files made to cost: the CPU seconds and memory of each in what a request and a job do with it.

The baseline is a table of 500 lots. Each file runs in a process of its own, so that one that
loops costs its own figure only.

    python -m benchmarks.hostile_files
"""

import io
import os
import resource
import statistics
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks._report import Limit, report

REQUEST_SECONDS = 2.0
JOB_SECONDS = 10.0
MEGABYTES = 300
DEADLINE = 600
REPEATS = 3
SIZE = 65_000
LONG = 30_000
MIB = 1024 * 1024


def filled(unit: str, size: int = SIZE) -> bytes:
    return (unit * (size // len(unit))).encode()


def broken(*remarks: bytes) -> bytes:
    """Lots with remarks, the first of which has a bare &."""
    lots = b"".join(
        b"<ITEM><ITEMID>3001</ITEMID><REMARKS>%b</REMARKS></ITEM>\n" % text for text in remarks
    )
    return b"<INVENTORY>%b</INVENTORY>" % lots.replace(b"<REMARKS>", b"<REMARKS>& ", 1)


def lot_filled_with(unit: str) -> bytes:
    return broken(filled(unit, 320_000))


def between_lots(unit: str) -> bytes:
    inside = filled(unit, 30 * MIB)
    return b"<BrickStoreXML><Inventory>" + inside + b"</Inventory></BrickStoreXML>"


def broken_orders(remarks: bytes) -> bytes:
    """Orders with remarks of bare &, each shorter than a row may be."""
    size = 900_000
    return b"<ORDERS>%b</ORDERS>" % b"".join(
        b"<ORDER><ORDERID>%d</ORDERID><ORDERREMARKS>%b</ORDERREMARKS></ORDER>\n"
        % (number, remarks[start : start + size])
        for number, start in enumerate(range(0, len(remarks), size))
    )


def odd_rows(count: int) -> bytes:
    """A table with four cells in each row that mean nothing, as a broken export has them."""
    head = b"Part,Color,Qty,Price,Condition,Date added\n"
    rows = (
        b"3001,5,1 1/2 x%d,ask %d,maybe %d,never %d\n" % (n % 97, n % 89, n % 83, n % 79)
        for n in range(count)
    )
    return head + b"".join(rows)


def odd_lots(count: int) -> bytes:
    """A BSX file with three values in each lot that mean nothing."""
    lots = (
        b"<Item><ItemID>3001</ItemID><ItemTypeID>P</ItemTypeID><ColorID>5</ColorID><Qty>x%d</Qty>"
        b"<Price>ask %d</Price><Condition>maybe %d</Condition></Item>\n" % (n % 97, n % 89, n % 83)
        for n in range(count)
    )
    head = b'<BrickStoreXML><Inventory Currency="EUR">'
    return head + b"".join(lots) + b"</Inventory></BrickStoreXML>"


def odd_lots_all_over(count: int) -> bytes:
    """A BSX file with twelve values in each lot that mean nothing, no two of which are equal."""
    tags = b"Qty Price Condition ColorID DateAdded TotalWeight Bulk Sale TQ1 TP1 Cost DateLastSold"
    lots = (
        b"<Item><ItemID>3001</ItemID><ItemTypeID>P</ItemTypeID>%b</Item>\n"
        % b"".join(b"<%b>odd %d</%b>" % (tag, n, tag) for tag in tags.split())
        for n in range(count)
    )
    head = b'<BrickStoreXML><Inventory Currency="EUR">'
    return head + b"".join(lots) + b"</Inventory></BrickStoreXML>"


def empty_cells(rows: int, columns: int) -> bytes:
    """A workbook with a sheet of empty cells."""
    return workbook(b"<workbook/>", (b"<row>" + b"<c/>" * columns + b"</row>") * rows)


def usual() -> bytes:
    return b"Part,Color,Qty\n" + b"3001,5,10\n" * 500


def workbook(body: bytes, sheet: bytes = b"") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", body)
        if sheet:
            archive.writestr("xl/worksheets/sheet1.xml", sheet)
    return out.getvalue()


def hostile() -> Iterator[tuple[str, Callable[[], bytes]]]:
    yield "doctype_of_brackets", lambda: filled("<!DOCTYPE[")
    yield "comments_unclosed", lambda: filled("<!--")
    yield "instructions_unclosed", lambda: filled("<?")
    yield "tags_unclosed", lambda: b"<INVENTORY>" + filled("<ITEM>")
    yield (
        "entities_that_expand",
        lambda: (
            b'<!DOCTYPE a [<!ENTITY b "cccccccccc"><!ENTITY d "&b;&b;&b;&b;&b;&b;&b;&b;">]>'
            b"<INVENTORY>" + filled("&d;") + b"</INVENTORY>"
        ),
    )
    for name, unit in (("comments", "<!--"), ("instructions", "<?"), ("tags", "<a ")):
        yield f"{name}_in_a_broken_lot", partial(lot_filled_with, unit)
    yield "ampersands_in_a_broken_lot", lambda: broken(filled("&", 2 * MIB))
    yield "ampersands_in_broken_lots", lambda: broken(*[filled("&a", 600_000)] * 2)
    yield "ampersands_in_broken_orders", lambda: broken_orders(filled("&a", 7_200_000))
    yield "one_ampersand_in_60_mb", lambda: broken(b"", *[b"a" * 200] * 230_000)
    yield "ampersands", lambda: b"<INVENTORY><ITEM>" + filled("&", 4 * MIB)
    yield (
        "one_text_of_50_mb",
        lambda: b"<BrickStoreXML><Inventory><Item><Remarks>" + b"a" * (50 * MIB),
    )
    for name, unit in (("comments", "<!-- a -->"), ("instructions", "<?a b?>"), ("tags", "<X/>")):
        yield f"{name}_between_lots", partial(between_lots, unit)
    yield "nested_without_end", lambda: b"<INVENTORY><ITEM>" + filled("<a>", 15 * MIB)
    yield "orders_without_end", lambda: b"<ORDERS>" + filled("<ORDER>", 4 * MIB)
    for name, sign in (("brackets", "("), ("blanks", " "), ("digits", "1"), ("quotes", '"')):
        cell = sign * LONG
        yield f"head_of_{name}", f"Part,Color,{cell}\n3001,5,1\n".encode
        cells = f"Part,Color,Qty,Price\n3001,{cell},{cell},{cell}\n" * 50
        yield f"cells_of_{name}", cells.encode
    yield (
        "columns_200",
        lambda: (",".join(["Part"] * 200) + "\n" + "1," * 199 + "1\n").encode() * 99,
    )
    yield "rows_50_000", lambda: b"Part,Color,Qty\n" + b"3001,5,1\n" * 50_000
    yield "rows_of_odd_cells_250_000", lambda: odd_rows(250_000)
    yield "lots_of_odd_values_240_000", lambda: odd_lots(240_000)
    yield "lots_of_12_odd_values_120_000", lambda: odd_lots_all_over(120_000)
    yield "commas_8_mb", lambda: filled(",", 8 * MIB)
    yield "workbook_of_30_million_empty_cells", lambda: empty_cells(300_000, 100)
    yield "workbook_that_unpacks_to_300_mb", lambda: workbook(b" " * (300 * MIB))


def main() -> int:
    """Send each file through what a request and a job do; print one JSON line."""
    plain = statistics.median(measured(usual())[0] for _ in range(REPEATS))
    figures: dict[str, float | str] = {"table_of_500_s": plain}
    limits: dict[str, Limit] = {}
    slowest = 0.0
    for name, make in hostile():
        request, job, megabytes, answer = measured(make())
        figures |= {
            f"{name}_request_s": request,
            f"{name}_job_s": job,
            f"{name}_mb": megabytes,
            f"{name}_answer": answer,
        }
        limits |= {
            f"{name}_request_s": Limit(REQUEST_SECONDS),
            f"{name}_job_s": Limit(JOB_SECONDS),
            f"{name}_mb": Limit(MEGABYTES),
        }
        slowest = max(slowest, request)
    ratios = {"slowest_over_table": round(slowest / max(plain, 0.001), 1)}
    return report("hostile_files", figures=figures, ratios=ratios, limits=limits)


def measured(content: bytes) -> tuple[float, float, float, str]:
    """Return the CPU seconds of the request and the job, the megabytes more, and the answer."""
    command = [sys.executable, "-m", "benchmarks.hostile_files", "--one"]
    try:
        done = subprocess.run(
            command, input=content, capture_output=True, check=True, timeout=DEADLINE
        )
    except subprocess.TimeoutExpired:
        return DEADLINE, DEADLINE, 0, "never"
    request, job, megabytes, answer = done.stdout.decode().split()
    return float(request), float(job), float(megabytes), answer


def _cpu_seconds() -> float:
    """Return what this process and those that it waited for have used."""
    return sum(os.times()[:4])


def one() -> None:
    """Open the file as an upload does, then read all of it as a job does."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bricks.settings")
    os.environ["DATABASE_URL"] = "sqlite://:memory:"
    django.setup()
    from django.db import connection

    from apps.accounts.models import User
    from apps.catalog.models import Color, ColorAlias
    from apps.exchange.any_file import read_any
    from apps.exchange.colors import NoColors
    from apps.exchange.refusals import FileRefused
    from apps.inventory.services.files import _repaired, _unpacked, check_file
    from apps.marketplace.providers.order_file import read_orders
    from apps.marketplace.services.connections import _decoded_orders

    with connection.schema_editor() as editor:
        for model in (Color, ColorAlias):  # whose names heads and cells are compared with
            editor.create_model(model)
    owner = User(pk=1)
    content = sys.stdin.buffer.read()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answers = []
    started = _cpu_seconds()
    try:
        check_file(io.BytesIO(content), owner=owner)
    except FileRefused as refused:
        answers.append(str(refused.code))
    try:
        decode = partial(_decoded_orders, owner)
        read_orders(content[: 8 * MIB], currency="EUR", decode=decode)
    except FileRefused as refused:
        answers.append(str(refused.code))
    request = _cpu_seconds() - started
    started = _cpu_seconds()
    try:
        for _lot in read_any(
            io.BytesIO(content),
            colors=NoColors(),
            unpack=partial(_unpacked, owner),
            repair_xml=partial(_repaired, owner),
        ):
            pass
        answers.append("read")
    except FileRefused as refused:
        answers.append(str(refused.code))
    job = _cpu_seconds() - started
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(round(request, 3), round(job, 3), round(max(own, child) / 1000), "/".join(answers) or "-")


if __name__ == "__main__":
    if "--one" in sys.argv:
        one()
    else:
        sys.exit(main())

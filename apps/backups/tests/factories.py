"""A store with something of everything, and what is in a zip."""

import datetime as dt
import io
import json
import zipfile
from decimal import Decimal

from django.apps import apps
from django.core.files.base import ContentFile

from apps.accounts.models import Preferences
from apps.backups.services._tables import Meaning, tables
from apps.backups.services.backups import start_backup
from apps.backups.services.restores import start_restore
from apps.batches.models import KeptPhoto, PartedOutSet
from apps.batches.tests.factories import list_all, make_batch, make_item, stow_all
from apps.books.tests.factories import make_invoice
from apps.catalog.models import PriceSetting
from apps.catalog.tests.factories import make_color, make_lot
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.core.jobs.kept_file import open_written
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem, Movement, NumberChoice, WordChoice
from apps.inventory.services.items import delete_item
from apps.inventory.services.moves import MoveLine, move_items
from apps.inventory.tests.factories import make_stock
from apps.locations.tests.factories import make_container_type, make_location
from apps.orders.selectors.walks import stops_of
from apps.orders.services.picking import pick_stop
from apps.orders.tests.factories import make_order, make_walk
from apps.recognition.models import Capture
from apps.sets.tests.factories import make_user_set
from apps.sources.models import Source

NOON = dt.datetime(2026, 11, 21, 12, tzinfo=dt.UTC)


def make_store(owner):
    """Stock that came, went, moved and was corrected; batches in every state; a set; settings."""
    views = [{"name": "Dear", "query": "ordering=-price&price_min=5"}]
    Preferences.objects.filter(user=owner).update(inventory_views=views)
    drawer = make_container_type(owner, "Drawer", max_item_count=500)
    bins = [
        make_location(owner, f"A-{number}", container_type=drawer, description="Ünïcode & <b>")
        for number in range(3)
    ]
    source = Source.objects.create(owner=owner, name="Flea market", notes="Sundays")
    rare = make_lot(item=make_catalogue_item("3001"), color=make_color(5))
    first = make_stock(
        owner,
        rare,
        quantity=40,
        location=bins[0],
        price=Decimal("0.1234"),
        price_locked=True,
        comments='"as new" & complete',
        extra={"extra": [["Foo", "bar", None]]},
    )
    make_stock(owner, quantity=7, raw_item_number="x99", raw_item_type="P", raw_color_id=5)
    NumberChoice.objects.create(owner=owner, item_type="P", number="x99", item=rare.item)
    WordChoice.objects.create(owner=owner, field="condition", text="B", condition="U")
    gone = make_stock(owner, quantity=0, location=bins[1])
    line = MoveLine(item_id=first.pk, to_location_id=bins[2].pk, quantity=15)
    move_items(owner=owner, lines=[line], by=owner, now=NOON)
    batch = make_batch(owner, "Attic", source=source, cost_total=Decimal("12.5000"))
    for number in range(3):
        make_item(batch, quantity=number + 1, lot=rare)
    stow_all(batch, location=bins[1])
    list_all(batch)
    skipped = make_item(batch, quantity=9, location=bins[0])
    KeptPhoto.objects.create(owner=owner, item=skipped, jpeg="/9j/4AAQ")
    Capture.objects.create(
        owner=owner, item=make_catalogue_item("3020"), color_id=5, seen_number="3020", was_right=True,
        model="m", vector="AAAA", crop="/9j/4AAQ",
    )  # fmt: skip
    own_set = make_user_set(owner, number="10255-1")
    PartedOutSet.objects.create(owner=owner, batch=batch, item=own_set.item, quantity=1)
    PriceSetting.objects.create(
        user=owner, percent=Decimal("-10.00"), basis="lowest", nth=3, fallback="asked",
        region="DE", rounding=Decimal("0.1000"), ending=Decimal("0.0100"),
        maximum=Decimal("9.0000"), max_step=Decimal("20.00"), is_nightly=True,
    )  # fmt: skip
    delete_item(item=gone, by=owner, now=NOON)
    make_orders(owner, first)
    return batch


def make_orders(owner, row):
    """One order that is picked to the last piece, and one in a walk that has not begun."""
    some = make_stock(
        owner, row.lot, quantity=3, condition="N", location=row.location, comments="sold"
    )
    sold = make_order(owner, (some, 3), buyer="Ünï & <b>", remarks="today, please")
    walk = make_walk(owner, sold)
    for stop in stops_of(walk=walk):
        lines = {tray["line_id"]: tray["quantity"] for tray in stop["trays"]}
        pick_stop(walk=walk, item_id=stop["item_id"], picked=lines, by=owner, now=NOON)
    make_walk(owner, make_order(owner, (row, 2)))
    make_invoice(owner, sold)
    return sold


def backup_of(owner):
    """A written backup."""
    backup = start_backup(owner=owner, now=NOON)
    run_jobs()
    backup.refresh_from_db()
    return backup


def zip_of(backup):
    with open_written(backup) as file:
        return file.read()


def restored(owner, content, *, name="backup.zip"):
    """The job that brought `content` back, as it ended."""
    job = start_restore(owner=owner, file=ContentFile(content, name), file_name=name)
    run_jobs()
    job.refresh_from_db()
    return job


def changed(content, changes):
    """The zip with other parts: name -> text, None to leave it out, or a function of the old."""
    old = zipfile.ZipFile(io.BytesIO(content))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            change = changes.get(name, old.read(name))
            if callable(change):
                change = change(old.read(name))
            if change is not None:
                new.writestr(name, change)
        for name in changes.keys() - set(old.namelist()):
            new.writestr(name, changes[name])
    return out.getvalue()


def head_changed(content, **values):
    return changed(content, {"backup.json": lambda old: json.dumps({**json.loads(old), **values})})


def rows_changed(content, table, change, *, only=slice(None)):
    """The zip with each row of `table`, or `only` some, as `change(row)` leaves it."""

    def rewrite(old):
        rows = [json.loads(line) for line in old.splitlines()]
        for row in rows[only]:
            change(row)
        return "".join(json.dumps(row) + "\n" for row in rows)

    return changed(content, {f"rows/{table}.jsonl": rewrite})


def everything_of(owner):
    """All that `owner` has, told without ids: equal for two stores that hold the same."""
    names = {}
    told = {}
    for table in tables():
        places = {}
        for place, row in enumerate(table.rows_of(owner)):
            places[row.pk] = f"{table.name} {place}"
        names[table.name] = places
    for table in tables():
        told[table.name] = [
            {
                column.name: _told(column, getattr(row, column.name), names, owner)
                for column in table.stored
                if not (column.field.primary_key or column.meaning is Meaning.CAUSE)
            }
            for row in table.rows_of(owner)
        ]
    owner.refresh_from_db()
    return told | {"person": (owner.name, owner.zip_code, owner.units)}


def _told(column, value, names, owner):
    if value is None:
        return None
    if column.meaning is Meaning.ROW:
        return names[column.target].get(value, "gone")
    if column.meaning is Meaning.PERSON:
        return "the owner" if value == owner.pk else "somebody"
    return value


def causes_of(owner):
    """The cause of each movement, named by the place of its batch item or order line."""
    places = {}
    for kind, label in (("batch_item", "batches.BatchItem"), ("order", "orders.OrderLine")):
        rows = apps.get_model(label).objects.owned_by(owner).order_by("pk")
        places |= {(kind, pk): n for n, pk in enumerate(rows.values_list("pk", flat=True))}
    return [
        (move.cause_kind, places.get((move.cause_kind, move.cause_id), "gone"))
        for move in Movement.objects.filter(item__owner=owner).order_by("pk")
    ]


def pieces_of(owner):
    return sum(InventoryItem.objects.owned_by(owner).values_list("quantity", flat=True))

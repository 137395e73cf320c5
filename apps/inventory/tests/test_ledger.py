from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from apps.accounts.models import Erasure
from apps.accounts.services.closing import erasing
from apps.inventory.models import InventoryItem, InventorySync, LedgerIsAppendOnly, Movement, Reason
from apps.inventory.services._ledger import Entry, Why, record
from apps.inventory.services.items import delete_item
from apps.inventory.services.ledger_check import check_ledger
from apps.inventory.services.promises import Want, promise
from apps.inventory.tests.bsx_files import bsx, lot, preview
from apps.inventory.tests.factories import NOON, make_stock
from apps.locations.models import Location
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db
D = Decimal


def run(*args):
    out = StringIO()
    call_command("check_ledger", *args, stdout=out)
    return out.getvalue()


class TestMovement:
    def test_is_never_changed(self, ann):
        make_stock(ann)
        movement = Movement.objects.get()
        movement.delta = 99

        for change in (
            movement.save,
            movement.delete,
            Movement.objects.all().delete,
            lambda: Movement.objects.update(delta=99),
            lambda: Movement.objects.bulk_update([movement], ["delta"]),
        ):
            with pytest.raises(LedgerIsAppendOnly), transaction.atomic():
                change()

        assert Movement.objects.get().delta == 5

    def test_outlives_its_row_and_its_location(self, ann):
        bin_ = make_location(ann)
        row = make_stock(ann, quantity=0, location=bin_)
        make_stock(ann, quantity=4, location=bin_)
        delete_item(item=row, by=ann, now=NOON)
        InventoryItem.objects.update(quantity=0)
        Location.objects.update(item_count=0)
        was = bin_.pk
        bin_.delete()

        movement = Movement.objects.get()
        assert (movement.delta, movement.to_location_id) == (4, was)

    def test_goes_with_the_whole_account(self, ann):
        make_stock(ann, location=make_location(ann))

        with erasing(ann):
            ann.delete()

        assert not Movement.objects.exists()


KEPT = "movements are never changed or deleted"


class TestTheDatabase:
    """What no code of ours is asked about: SQL, and querysets past the model's manager."""

    @pytest.fixture
    def movement(self, ann):
        make_stock(ann, location=make_location(ann))
        return Movement.objects.get()

    @pytest.mark.parametrize("field", Movement._meta.concrete_fields, ids=lambda one: one.column)
    def test_refuses_to_change_any_column(self, movement, bo, field):
        value = {"created_at": NOON.replace(year=2001), "by": bo.pk}.get(field.name)
        if value is None:
            is_text = field.get_internal_type() in ("CharField", "TextField")
            value = "other" if is_text else 990_000

        was = Movement.objects.values().get()

        with pytest.raises(IntegrityError, match=KEPT), transaction.atomic():
            Movement._base_manager.update(**{field.attname: value})

        assert Movement.objects.values().get() == was

    def test_refuses_to_delete(self, movement):
        with pytest.raises(IntegrityError, match=KEPT), transaction.atomic():
            connection.cursor().execute("DELETE FROM inventory_movement")
        for rows in (Movement._base_manager.all(), InventoryItem._base_manager.all()):
            with pytest.raises(IntegrityError, match=KEPT), transaction.atomic():
                rows.delete()

        assert Movement.objects.get() == movement

    def test_lets_nobody_elses_ledger_go_with_an_account(self, movement, bo):
        make_stock(bo)

        with pytest.raises(IntegrityError, match=KEPT), transaction.atomic(), erasing(bo):
            Movement._base_manager.all().delete()
        with erasing(bo):
            bo.delete()

        assert Movement.objects.get() == movement
        assert not Erasure.objects.exists()

    def test_forgets_a_person_whose_account_goes(self, ann, bo, movement):
        record({Why(bo, NOON, Reason.EDIT): [Entry(movement.item_id, 2)]})

        bo.delete()

        booked = Movement.objects.get(delta=2)
        assert (booked.by_id, booked.reason) == (None, Reason.EDIT)
        with pytest.raises(IntegrityError, match=KEPT), transaction.atomic():
            Movement._base_manager.filter(pk=booked.pk).update(by=ann)


class TestCheckLedger:
    def test_finds_nothing_in_a_sound_store(self, ann):
        make_stock(ann, quantity=5, location=make_location(ann))

        assert run() == "Quantities, ledger and counters agree.\n"

    def test_tells_a_quantity_that_no_movement_explains(self, ann):
        row = make_stock(ann, quantity=5)
        InventoryItem.objects.filter(pk=row.pk).update(quantity=6)
        out = StringIO()

        with pytest.raises(CommandError) as failed:
            call_command("check_ledger", "--fix-counters", stdout=out)

        assert failed.value.returncode == 1
        assert f"row {row.pk} (user {ann.pk}): quantity 6, movements say 5" in out.getvalue()
        assert InventoryItem.objects.get().quantity == 6

    def test_tells_a_row_that_promises_other_pieces_than_lines_were_promised(self, ann, bo):
        row = make_stock(ann, quantity=5)
        wants = [
            Want(line_id=1, quantity=3, item_id=row.pk),
            Want(line_id=1, quantity=2, item_id=row.pk, is_out=True),
        ]
        promise(owner=ann, wants=wants, now=NOON)
        assert "agree" in run()
        InventoryItem.objects.filter(pk=row.pk).update(promised=5)
        out = StringIO()

        with pytest.raises(CommandError):
            call_command("check_ledger", stdout=out)

        assert f"row {row.pk} (user {ann.pk}): promised 5, its promises say 3" in out.getvalue()
        assert "agree" in run("--user", "bo@example.org")

    def test_puts_counters_right_when_told(self, ann, bo):
        bin_ = make_location(ann, "B-07")
        make_stock(ann, quantity=5, location=bin_, unit_weight_grams=D("0.1"))
        Location.objects.filter(pk=bin_.pk).update(item_count=9, stored_weight=D(1))

        with pytest.raises(CommandError) as failed:
            run()
        assert failed.value.returncode == 1
        assert "agree" in run("--user", "bo@example.org")
        fixed = run("--fix-counters")

        assert "1 counters put right." in fixed
        bin_.refresh_from_db()
        assert (bin_.item_count, bin_.stored_weight) == (5, D("0.5"))
        assert "agree" in run()

    def test_counts_a_location_that_holds_nothing(self, ann):
        bin_ = make_location(ann)
        Location.objects.filter(pk=bin_.pk).update(item_count=3)

        report = check_ledger(fix_counters=True)

        assert [(wrong.item_count, wrong.pieces) for wrong in report.counters] == [(3, 0)]
        assert report.is_sound

    def test_knows_no_other_users(self):
        with pytest.raises(CommandError) as failed:
            run("--user", "nobody@example.org")

        assert failed.value.returncode == 2

    def test_never_drifts_by_tenths_of_grams(self, ann):
        from apps.inventory.services.stow import TakeLine, take_out

        bin_ = make_location(ann)
        row = make_stock(ann, quantity=30, location=bin_, unit_weight_grams=D("0.1001"))
        for _ in range(29):
            line = TakeLine(item_id=row.pk, quantity=1)
            take_out(owner=ann, lines=[line], by=ann, now=NOON)

        bin_.refresh_from_db()
        assert bin_.stored_weight == D("0.1001")
        with connection.cursor() as cursor:
            cursor.execute("SELECT stored_weight FROM locations_location")
            assert str(cursor.fetchone()[0]) == "0.1001"


class TestAdmin:
    @pytest.mark.parametrize("model", ["movement", "inventorysync"])
    def test_shows_and_searches_but_edits_nothing(self, staff, ann, client, model):
        make_stock(ann, location=make_location(ann))
        preview(ann, bsx(lot("nope")))
        pk = {"movement": Movement, "inventorysync": InventorySync}[model].objects.get()
        client.force_login(staff)
        base = f"/admin/inventory/{model}"

        assert client.get(f"{base}/").status_code == 200
        assert client.get(f"{base}/", {"q": "ann"}).status_code == 200
        assert client.get(f"{base}/{pk.pk}/change/").status_code == 200
        assert client.get(f"{base}/add/").status_code == 403
        assert client.post(f"{base}/{pk.pk}/change/", {"quantity": 9}).status_code == 403
        assert client.post(f"{base}/{pk.pk}/delete/", {"post": "yes"}).status_code == 403

    def test_leaves_the_quantity_to_the_ledger(self, staff, ann, client):
        item = make_stock(ann, quantity=5, location=make_location(ann))
        client.force_login(staff)
        url = f"/admin/inventory/inventoryitem/{item.pk}/"

        client.post(f"{url}change/", {"price": "1.2000", "quantity": 9})

        item.refresh_from_db()
        assert item.quantity == 5
        assert client.post(f"{url}delete/", {"post": "yes"}).status_code == 403

    def test_leaves_the_counters_of_a_location_alone(self, staff, ann, client):
        bin_ = make_location(ann, "B-07")
        make_stock(ann, quantity=5, location=bin_)
        client.force_login(staff)
        url = f"/admin/locations/location/{bin_.pk}/change/"
        form = {"owner": ann.pk, "name": "B-08", "code": "B-08", "item_count": 99}

        assert client.post(url, form).status_code == 302
        assert client.get("/admin/locations/location/", {"q": "b-0"}).status_code == 200
        assert client.post(url.replace("change", "delete"), {"post": "yes"}).status_code == 403

        bin_.refresh_from_db()
        assert (bin_.name, bin_.item_count) == ("B-08", 5)

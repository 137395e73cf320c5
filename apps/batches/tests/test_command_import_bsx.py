import io

import pytest
from django.core.management import CommandError, call_command

from apps.batches.models import Batch, BatchItem
from apps.batches.tests.bsx import bsx, item
from apps.batches.tests.factories import make_location, stock_of
from apps.inventory.models import InventoryItem
from apps.inventory.tests.factories import make_stock
from apps.locations.models import Location

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(ann, tmp_path):
    """`run(content, "--as", "batch")` -> (exit code, output)."""

    def command(content, *arguments, user="ann@example.org"):
        path = tmp_path / "Summer lot.bsx"
        path.write_bytes(content)
        out = io.StringIO()
        try:
            call_command(
                "import_bsx", str(path), "--user", user, *arguments, stdout=out, stderr=out
            )
        except CommandError as problem:
            return problem.returncode, out.getvalue() + str(problem)
        return 0, out.getvalue()

    return command


class TestAsBatch:
    def test_makes_a_batch(self, run, ann):
        code, text = run(bsx(item(), item(qty=4)), "--as", "batch", "--batch-name", "Evening")

        batch = Batch.objects.get()
        assert code == 0
        assert (batch.name, batch.owner, batch.is_ready) == ("Evening", ann, True)
        assert f"Batch {batch.pk} “Evening”:\n2 lots, 7 pieces (EUR): 2 made" in text

    def test_some_refused_lots_are_exit_code_1(self, run):
        code, text = run(bsx(item(qty=-1), item()), "--as", "batch")

        assert code == 1
        assert "Lot 1 (Red Brick 2 x 4 (3001)): Qty is -1; expected 0 or more." in text
        assert BatchItem.objects.count() == 1

    def test_makes_locations_when_asked(self, run, ann):
        content = bsx(item(more="<Remarks>A-01</Remarks>"))

        code, text = run(content, "--as", "batch", "--create-locations")

        assert code == 0
        assert "1 locations made: A-01" in text
        assert Location.objects.get(owner=ann).name == "A-01"

    def test_a_dry_run_tells_of_several_locations(self, run):
        content = bsx(item(more="<Remarks>B-07;C-01</Remarks>"))
        arguments = ("--as", "batch", "--create-locations", "--dry-run")

        _, ignored = run(content, *arguments)
        _, first = run(content, *arguments, "--several-locations", "first")

        assert "1 lot names several bins in Remarks: “B-07;C-01”." in ignored
        assert "locations would be made" not in ignored
        assert "1 locations would be made: B-07" in first

    def test_a_dry_run_changes_nothing(self, run):
        content = bsx(item(more="<Remarks>A-01</Remarks>"), item(qty=-1))

        code, text = run(content, "--as", "batch", "--create-locations", "--dry-run")

        assert code == 1
        assert "2 lots, 3 pieces (EUR): 1 would be made, 1 of them are unknown" in text
        assert "1 locations would be made: A-01" in text
        assert not Batch.objects.exists()
        assert not Location.objects.exists()

    def test_a_currency_has_to_be_decided(self, run, ann):
        make_stock(ann)
        content = bsx(item(), currency="USD")

        code, text = run(content, "--as", "batch")
        assert (code, Batch.objects.count()) == (2, 0)
        assert "The file is in USD, your store in EUR." in text

        code, _ = run(content, "--as", "batch", "--currency-action", "convert", "--rate", "0.9")
        assert code == 0
        assert str(BatchItem.objects.get().price) == "0.1125"

    @pytest.mark.parametrize(
        "content", [b"PK\x03\x04", b"", b"<html></html>", bsx(item(), item())[:-60]]
    )
    def test_refused_files_are_exit_code_2(self, run, content):
        code, text = run(content, "--as", "batch")

        assert code == 2
        assert text
        assert not Batch.objects.exists()


class TestAsInventory:
    def test_puts_the_file_over_the_inventory(self, run, ann):
        content = bsx(item(more="<Remarks>A-01</Remarks>"))

        code, text = run(content, "--as", "inventory", "--create-locations")

        assert code == 0
        assert stock_of(ann) == [("A-01", 3)]
        assert "1 lots, 3 pieces (EUR): 1 made, 0 changed, 0 set to 0, 0 as they were" in text

        code, text = run(content, "--as", "inventory", "--create-locations")

        assert code == 0
        assert "0 made, 0 changed, 0 set to 0, 1 as they were" in text

    def test_reads_several_locations_as_told(self, run, ann):
        content = bsx(item(qty=20, more="<Remarks>B-07:12;C-01:8</Remarks>"))

        code, text = run(content, "--as", "inventory", "--create-locations")
        assert (code, stock_of(ann)) == (0, [(None, 20)])
        assert "1 lot names several bins in Remarks: “B-07:12;C-01:8”." in text

        run(content, "--as", "inventory", "--create-locations", "--split-quantities")
        assert sorted(stock_of(ann)) == [("B-07", 12), ("C-01", 8)]

    def test_a_dry_run_changes_nothing_and_leaves_the_way_free(self, run, ann):
        make_location(ann, "A-01")
        content = bsx(item(more="<Remarks>A-01</Remarks>"))

        for _ in range(2):
            code, text = run(content, "--as", "inventory", "--dry-run")

            assert code == 0
            assert "1 would be made" in text
        assert not InventoryItem.objects.exists()

    def test_many_zeroed_lots_have_to_be_confirmed(self, run, ann):
        run(bsx(item(), item("3002")), "--as", "inventory")

        code, text = run(bsx(item()), "--as", "inventory")

        assert code == 2
        assert "confirm_zeroed = 1" in text
        assert sum(row.quantity for row in InventoryItem.objects.all()) == 6

        code, _ = run(bsx(item()), "--as", "inventory", "--confirm-zeroed", "1")

        assert code == 0
        assert sum(row.quantity for row in InventoryItem.objects.all()) == 3

    @pytest.mark.parametrize("way", [("inventory",), ("inventory", "--dry-run"), ("batch",)])
    def test_says_which_value_was_read_otherwise(self, run, way):
        code, text = run(bsx(item(price="0,12345")), "--as", *way)

        assert code == 0
        assert "1 value was read otherwise than written:" in text
        assert "Lot 1: Price is “0,12345”; expected an amount with a point" in text

    def test_unreadable_lots_are_exit_code_1(self, run):
        code, text = run(bsx(item(), item(price="cheap")), "--as", "inventory")

        assert code == 1
        assert "Lot 2 (Red Brick 2 x 4 (3001)): Price is “cheap”" in text
        assert "1 lots could not be read." in text

    def test_tells_what_is_odd_about_the_file(self, run, ann):
        make_stock(ann, None, 1)
        content = bsx(item(), currency="USD")

        code, text = run(content, "--as", "inventory", "--currency-action", "relabel", "--dry-run")

        assert code == 0
        assert "The file is in USD, your store in EUR." in text

    def test_no_bsx_file_is_exit_code_2(self, run):
        assert run(b"PK\x03\x04", "--as", "inventory")[0] == 2


class TestCalledWrongly:
    def test_an_unknown_user(self, run):
        code, text = run(bsx(item()), "--as", "batch", user="nobody@example.org")

        assert (code, text) == (2, "There is no user nobody@example.org.")

    def test_a_file_that_is_not_there(self, ann):
        with pytest.raises(CommandError) as refused:
            call_command("import_bsx", "/nowhere.bsx", "--user", "ann@example.org", "--as", "batch")

        assert refused.value.returncode == 2
        assert "No such file" in str(refused.value)

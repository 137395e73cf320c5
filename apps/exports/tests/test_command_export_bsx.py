import io

import pytest
from django.core.management import CommandError, call_command

from apps.batches.tests.factories import make_batch, make_item, make_location, stow_all
from apps.exchange.bsx_reader import read_bsx
from apps.exports.models import Export

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(ann, tmp_path, monkeypatch):
    """`run("--inventory")` -> (exit code, output), in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments, user="ann@example.org"):
        out = io.StringIO()
        try:
            call_command("export_bsx", "--user", user, *arguments, stdout=out, stderr=out)
        except CommandError as problem:
            return problem.returncode, out.getvalue() + str(problem)
        return 0, out.getvalue()

    return command


def quantities(path):
    return [lot.quantity for lot in read_bsx(io.BytesIO(path.read_bytes()))]


class TestExportBsx:
    def test_writes_a_batch_named_after_it(self, run, ann, tmp_path):
        batch = make_batch(ann)
        make_item(batch, quantity=3)

        code, text = run("--batch", str(batch.pk))

        [path] = tmp_path.glob("*.bsx")
        assert code == 0
        assert path.name.startswith("Summer lot 2")
        assert quantities(path) == [3]
        assert f"1 lots written to {path.name}" in text

    def test_writes_the_inventory_where_it_is_told(self, run, ann, tmp_path):
        batch = make_batch(ann)
        make_item(batch, quantity=4)
        stow_all(batch, make_location(ann))

        code, _ = run("--inventory", "-o", "store.bsx")

        assert code == 0
        assert quantities(tmp_path / "store.bsx") == [4]
        assert not list(tmp_path.glob("*.part"))

    def test_lots_that_were_left_out_are_exit_code_1(self, run, ann, tmp_path):
        batch = make_batch(ann)
        make_item(batch, quantity=3)
        bad = make_item(batch, raw_item_type="U", raw_item_number="")

        code, text = run("--batch", str(batch.pk), "-o", "lot.bsx")

        assert code == 1
        assert f"{bad.pk} (?): It has no item number." in text
        assert quantities(tmp_path / "lot.bsx") == [3]

    def test_tells_what_the_file_holds_in_another_form(self, run, ann):
        batch = make_batch(ann)
        odd = make_item(batch, comments="a\x0bb")

        code, text = run("--batch", str(batch.pk))

        assert code == 0
        assert f"{odd.pk}, Comments: " in text

    def test_writes_to_the_standard_output(self, run, ann, capfdbinary):
        batch = make_batch(ann)
        make_item(batch, quantity=3)

        code, _ = run("--batch", str(batch.pk), "-o", "-")

        assert code == 0
        assert capfdbinary.readouterr().out.endswith(b"</BrickStoreXML>\n")

    def test_another_persons_batch_is_not_there(self, run, bo):
        batch = make_batch(bo)

        code, text = run("--batch", str(batch.pk))

        assert code == 2
        assert text == f"ann@example.org has no batch {batch.pk}."
        assert not Export.objects.exists()

    def test_nothing_to_write_is_exit_code_2(self, run, ann, tmp_path):
        batch = make_batch(ann)
        bad = make_item(batch, raw_item_type="U", raw_item_number="")

        code, text = run("--batch", str(batch.pk))
        stock = run("--inventory")

        assert code == 2
        assert f"{bad.pk} (?): It has no item number." in text
        assert text.endswith("Nothing to write: no lot can be in a file of this kind.")
        assert stock[0] == 2
        assert stock[1].endswith("Nothing to write: no lot is chosen by these options.")
        assert not list(tmp_path.glob("*.bsx*"))

    def test_a_place_that_cannot_be_written_is_exit_code_2(self, run, ann):
        batch = make_batch(ann)
        make_item(batch, quantity=4)
        stow_all(batch, make_location(ann))

        code, text = run("--inventory", "-o", "/nowhere/store.bsx")

        assert code == 2
        assert "/nowhere/store.bsx: No such file or directory" in text

    def test_an_unknown_user_is_exit_code_2(self, run):
        assert run("--inventory", user="nobody@example.org")[0] == 2

"""The commands: what they say, and exit codes that a script can trust."""

import gzip
import io
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.core.management import CommandError, call_command

from apps.catalog.models import Color, CurrentFile, ImportRun, Item, Lot
from apps.catalog.tests import files
from apps.core.clock import now

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"


def call(*args, **options):
    """Return (exit code, what was said)."""
    said = io.StringIO()
    try:
        call_command("import_catalog", *map(str, args), stdout=said, stderr=said, **options)
    except CommandError as refusal:
        return refusal.returncode, f"{said.getvalue()}{refusal}"
    return 0, said.getvalue()


class TestImportCatalog:
    def test_imports_and_tells_what_it_did(self, tmp_path):
        folder = files.write_files(tmp_path / "in", files.BRICKLINK)

        code, said = call(folder)

        assert code == 0
        assert Item.objects.filter(number="3001").exists()
        assert "items" in said
        assert "rows/s" in said
        assert "rows written." in said

    def test_says_so_when_nothing_changed(self, tmp_path):
        folder = files.write_files(tmp_path / "in", files.BRICKLINK)
        call(folder)

        code, said = call(folder)

        assert code == 0
        assert "in/Parts.txt: unchanged" in said
        assert "The catalogue is as it was." in said

    def test_writes_nothing_when_dry(self, tmp_path):
        folder = files.write_files(tmp_path / "in", files.BRICKLINK)

        code, said = call(folder, dry_run=True)

        assert (code, Item.objects.count()) == (0, 0)
        assert "Dry run:" in said

    @pytest.mark.parametrize(
        ("options", "code"), [({}, 0), ({"max_refused": 0}, 1), ({"strict": True}, 1)]
    )
    def test_fails_when_too_many_rows_are_refused(self, tmp_path, options, code):
        broken = {**files.BRICKLINK, "Parts.txt": files.PARTS + "5\tBrick\t\tNo number\t\t\t\n"}
        folder = files.write_files(tmp_path / "in", broken)
        report = tmp_path / "refused.csv"

        got, said = call(folder, report=report, **options)

        assert got == code
        assert Item.objects.filter(number="3001").exists()
        assert "1 × in/Parts.txt: no item number" in said
        assert "1 row refused, 0 parked" in said
        assert "in/Parts.txt,10,refused,no item number" in report.read_text()

    def test_keeps_the_report_in_its_own_folder_unless_told(self, tmp_path, settings):
        broken = {**files.BRICKLINK, "codes.txt": files.CODES + "3001\tPuce\t1234567\n"}
        folder = files.write_files(tmp_path / "in", broken)

        code, said = call(folder)

        assert code == 0
        assert "0 rows refused, 1 parked" in said
        [path] = (settings.VAR_DIR / "import-reports").iterdir()
        assert "colour 'Puce' is not there" in path.read_text()

    def test_fails_for_a_damaged_file_and_imports_the_rest(self, tmp_path):
        folder = files.write_files(tmp_path / "in", {**files.BRICKLINK, "x.csv.gz": "x"})
        (folder / "x.csv.gz").write_bytes(b"\x1f\x8b\x08\x00broken")

        code, said = call(folder)

        assert code == 1
        assert "Damaged: in/x.csv.gz" in said
        assert Item.objects.filter(number="3001").exists()

    @pytest.mark.parametrize("name", ["nothing", "diary.txt"])
    def test_cannot_import_what_is_not_there_or_no_catalogue(self, tmp_path, name):
        (tmp_path / "diary.txt").write_text("Dear diary\n")

        code, said = call(tmp_path / name)

        assert code == 2
        assert name in said
        assert ImportRun.objects.count() == 0

    def test_wants_a_path_or_fetch(self):
        code, said = call()

        assert (code, said) == (2, "Name a folder or file, or use --fetch.")

    def test_waits_for_another(self, tmp_path):
        folder = files.write_files(tmp_path / "in", files.BRICKLINK)
        ImportRun.objects.create(started_at=now(), heartbeat_at=now(), importer_version=1)

        code, said = call(folder)

        assert code == 1
        assert "still running" in said

    def test_teaches(self):
        said = io.StringIO()

        with pytest.raises(SystemExit) as ended:
            call_command("import_catalog", "--help", stdout=said)

        assert ended.value.code == 0


class TestFetching:
    @pytest.fixture
    def shop(self):
        class Shop(BaseHTTPRequestHandler):
            def do_GET(self):
                name = self.path.removeprefix("/downloads/").removesuffix(".gz")
                text = files.REBRICKABLE.get(name)
                body = b"" if text is None else gzip.compress(text.encode())
                self.send_response(404 if text is None else 200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Shop)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
        server.server_close()

    @pytest.fixture(autouse=True)
    def _no_pause(self, monkeypatch):
        monkeypatch.setattr("apps.catalog.providers.rebrickable.time.sleep", lambda seconds: None)

    def test_downloads_the_tables_and_imports_them(self, shop, settings):
        code, said = call(fetch=True, base_url=f"{shop}/downloads")

        assert (code, CurrentFile.objects.count()) == (0, len(files.REBRICKABLE)), said
        assert Item.objects.filter(number="6141", origin="R").exists()
        assert (settings.VAR_DIR / "catalog-downloads" / "parts.csv.gz").exists()

    def test_tells_what_could_not_be_fetched(self, shop):
        code, said = call(fetch=True, base_url=f"{shop}/elsewhere/")

        assert code == 2
        assert "colors.csv.gz: HTTP 404" in said


class TestLoadStarterCatalog:
    def test_makes_everything_once(self):
        first, second = io.StringIO(), io.StringIO()
        call_command("load_starter_catalog", small=True, stdout=first)
        made = (Color.objects.count(), Item.objects.count(), Lot.objects.count())

        call_command("load_starter_catalog", small=True, stdout=second)

        assert first.getvalue().startswith("Starter catalogue: 213 colours, ")
        assert second.getvalue() == ""
        assert (Color.objects.count(), Item.objects.count(), Lot.objects.count()) == made

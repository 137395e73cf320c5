"""What a person confirmed, as a file: exported by the app, read by what trains the recogniser."""

import csv
import io
import zipfile

import numpy as np
import pytest

from apps.catalog.models import Item
from apps.core.testing.queries import count_queries
from apps.recognition.models import Capture
from apps.recognition.providers import eyes as network
from apps.recognition.tests.pictures import drawn, send
from vision.captures import NotCaptures, read_captures

pytestmark = pytest.mark.django_db


class TestTheFileOfCaptures:
    @pytest.fixture
    def kept(self, signed_in, catalogue):
        """`kept(number, color)` confirms what a picture shows, as the page does."""
        (first, *_) = send(signed_in, drawn((250, 200, 300, 150))).json()["data"]

        def keep(number, color=None):
            body = {
                "capture": first["capture"], "item_id": Item.objects.get(number=number).pk,
                "color_id": color, "seen_number": first["item_number"],
            }  # fmt: skip
            answer = signed_in.post("/api/recognition/captures", body)
            assert answer.status_code == 201, answer.json()
            return answer.json()["data"][0]

        return keep

    def file_of(self, signed_in):
        answer = signed_in.get("/api/recognition/captures/file")
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
        return io.BytesIO(b"".join(answer.streaming_content))

    def rows_of(self, signed_in):
        with zipfile.ZipFile(self.file_of(signed_in)) as archive:
            assert archive.testzip() is None
            table = io.StringIO(archive.read("captures.csv").decode())
            return list(csv.DictReader(table)), set(archive.namelist())

    def test_holds_each_picture_with_part_colour_and_what_was_seen(self, signed_in, kept):
        first, second = kept("3020", 5), kept("3001")

        rows, names = self.rows_of(signed_in)

        assert [(row["part"], row["color_id"], row["color"]) for row in rows] == [
            ("3001", "", ""),
            ("3020", "5", "Red"),
        ]
        assert rows[0]["model"] == network.eyes().version
        assert names == {
            "captures.csv",
            f"pictures/{first['id']}.jpg",
            f"pictures/{second['id']}.jpg",
        }

    def test_holds_nothing_of_another_person(self, signed_in, kept, api, bo):
        kept("3020", 5)

        rows, names = self.rows_of(api(bo))

        assert (rows, names) == ([], {"captures.csv"})

    def test_is_read_for_training(self, signed_in, kept, tmp_path):
        kept("3020", 5), kept("3001"), kept("3003")
        path = tmp_path / "captures.zip"
        path.write_bytes(self.file_of(signed_in).getvalue())

        found = read_captures([path], [{"numbers": ["3003"]}, {"numbers": ["3020", "3020x"]}], 64)

        assert (found.mould.tolist(), found.left_out) == ([0, 1], 1)
        assert found.pictures.shape == (2, 64, 64, 3)
        pictures, tokens, moulds = found.batch(8, 48, np.random.default_rng(1))
        assert (pictures.shape, tokens.shape, len(moulds)) == ((8, 3, 48, 48), (8, 3), 8)
        assert -1 <= pictures.min() < pictures.max() <= 1

    def test_is_made_of_many_pieces_with_a_few_queries(self, signed_in, kept, ann):
        kept("3020", 5)
        row = Capture.objects.get()
        Capture.objects.bulk_create(
            [Capture(owner=ann, item=row.item, model="m", crop=row.crop) for _ in range(120)]
        )

        queries, answer = count_queries(lambda: self.rows_of(signed_in))

        assert len(answer[0]) == 121
        assert queries <= 8

    def test_may_be_asked_for_six_times_a_minute(self, signed_in, one_window):
        statuses = [signed_in.get("/api/recognition/captures/file").status_code for _ in range(7)]

        assert statuses == [200] * 6 + [429]

    def test_refuses_a_colour_that_is_not_in_the_catalogue(self, signed_in, catalogue):
        (first, *_) = send(signed_in, drawn((250, 200, 300, 150))).json()["data"]
        body = {"capture": first["capture"], "item_id": first["item_id"], "color_id": 999}

        answer = signed_in.post("/api/recognition/captures", body)

        assert answer.status_code in {400, 422}
        assert "color_id" in answer.json()["meta"]["error"]["fields"]


def zip_of(path, **files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return path


class TestAFileThatIsNoExport:
    HEAD = "file,part\n"
    ROW = HEAD + "pictures/1.jpg,3003\n"

    @pytest.mark.parametrize(
        ("files", "words"),
        [
            ({}, "captures.csv is missing"),
            ({"captures_dot_csv": HEAD + "pictures/1.jpg,\n"}, "line 2: file and part"),
            ({"captures_dot_csv": ROW}, "line 2: pictures/1.jpg is missing"),
            ({"captures_dot_csv": ROW, "pictures__1_dot_jpg": b"no"}, "is no JPEG"),
            ({"captures_dot_csv": ROW, "pictures__1_dot_jpg": b"0" * 100_001}, "at most 100000"),
            ({"captures_dot_csv": HEAD + "pictures/1.jpg,zz9\n"}, "part that is learnt"),
            ({"captures_dot_csv": HEAD + "a,b\n" * 5_001}, "5001 rows"),
        ],
    )
    def test_is_refused_with_its_line_and_what_was_expected(self, tmp_path, files, words):
        path = zip_of(tmp_path / "captures.zip", **files)

        with pytest.raises(NotCaptures, match=words):
            read_captures([path], [{"numbers": ["3003"]}], 64)

    def test_is_refused_where_it_is_no_zip(self, tmp_path):
        path = tmp_path / "captures.zip"
        path.write_bytes(b"not a zip")

        with pytest.raises(NotCaptures, match="a zip of exported captures"):
            read_captures([path], [], 64)

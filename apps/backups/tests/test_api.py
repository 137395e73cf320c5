"""`/api/backups` and the commands."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from apps.backups.models import Backup
from apps.backups.tests.factories import backup_of, everything_of, make_store, pieces_of, zip_of
from apps.core.jobs.models import JobState
from apps.core.testing.jobs import run_jobs

pytestmark = pytest.mark.django_db
URL = "/api/backups"


def uploaded(content):
    return {"file": SimpleUploadedFile("backup.zip", content, "application/zip")}


class TestBackups:
    def test_are_asked_for_followed_and_downloaded(self, api, ann):
        make_store(ann)
        client = api(ann)

        response = client.post(URL)
        (asked,) = response.json()["data"]
        run_jobs()
        (row,) = client.get(f"{URL}/{asked['id']}").json()["data"]
        file = client.get(row["file_url"])

        assert (response.status_code, asked["state"], asked["file_url"]) == (202, "queued", None)
        assert (row["state"], row["counts"]["locations"]) == ("succeeded", 3)
        content = b"".join(file.streaming_content)
        assert len(content) == row["size"]
        assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None
        assert file["Content-Disposition"].startswith('attachment; filename="Brickstow ')
        assert file["Cache-Control"] == "no-store"

    def test_answer_409_for_a_file_that_is_not_written(self, api, ann):
        (asked,) = api(ann).post(URL).json()["data"]

        assert api(ann).get(f"{URL}/{asked['id']}/file").status_code == 409

    def test_are_deleted(self, api, ann):
        backup = backup_of(ann)

        assert api(ann).delete(f"{URL}/{backup.pk}").status_code == 200
        assert not Backup.objects.exists()


class TestRestore:
    def test_brings_a_backup_back(self, api, ann, bo):
        make_store(ann)
        content = zip_of(backup_of(ann))
        client = api(bo)

        response = client.post(f"{URL}/restore", uploaded(content), format="multipart")
        (job,) = response.json()["data"]
        run_jobs()

        assert response.status_code == 202
        (job,) = client.get(f"/api/jobs/{job['id']}").json()["data"]
        assert (job["state"], job["done"]) == (JobState.SUCCEEDED, job["total"])
        assert job["result"]["counts"]["locations"] == 3
        assert pieces_of(bo) == 53

    def test_refuses_a_file_that_is_none(self, api, bo):
        response = api(bo).post(f"{URL}/restore", uploaded(b"hello"), format="multipart")

        assert response.status_code == 400
        assert response.json()["message"].startswith("This is no zip file, or a broken one.")

    def test_refuses_an_account_that_holds_something(self, api, ann):
        make_store(ann)
        content = zip_of(backup_of(ann))

        response = api(ann).post(f"{URL}/restore", uploaded(content), format="multipart")

        assert response.status_code == 409
        assert (
            "holds nothing yet; this one has 1 sources, 1 container types, 3 locations."
            in (response.json()["message"])
        )


class TestCommands:
    def test_make_a_backup_and_bring_it_back(self, ann, bo, tmp_path, capsys):
        make_store(ann)
        path = tmp_path / "ann.zip"

        call_command("back_up", user=ann.email_address, to=str(path))
        call_command("restore_backup", str(path), user=bo.email_address)

        said = capsys.readouterr().out
        assert f"rows written to {path}" in said
        assert f"rows restored for {bo.email_address}" in said
        assert everything_of(bo)["inventory_items"] == everything_of(ann)["inventory_items"]
        assert not Backup.objects.exists()
        assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["ann.zip"]

    def test_refuse_what_is_no_backup(self, bo, tmp_path):
        path = tmp_path / "x.zip"
        path.write_bytes(b"hello")

        with pytest.raises(CommandError, match="This is no zip file") as refused:
            call_command("restore_backup", str(path), user=bo.email_address)

        assert refused.value.returncode == 2

    def test_refuse_a_user_and_a_file_that_are_not_there(self, ann, tmp_path):
        for command in (
            lambda: call_command("back_up", user="x@example.org", to=str(tmp_path / "x.zip")),
            lambda: call_command("restore_backup", "no.zip", user=ann.email_address),
            lambda: call_command("back_up", user=ann.email_address, to=str(tmp_path / "a" / "b")),
        ):
            with pytest.raises(CommandError) as refused:
                command()
            assert refused.value.returncode == 2
        assert not Backup.objects.exists()

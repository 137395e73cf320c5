"""Catalogue files that whoever runs the server sends in the app."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.selectors import runs_server
from apps.catalog.models import Item
from apps.catalog.tests import files
from apps.core.jobs.models import Job, JobState
from apps.core.testing.jobs import run_jobs

pytestmark = pytest.mark.django_db
URL = "/api/catalogImports"
CHECK = f"{URL}/check"


def sent(name, text):
    content = text if isinstance(text, bytes) else text.encode()
    return SimpleUploadedFile(name, content)


def post(api, user, url, *sending):
    return api(user).post(url, {"files": list(sending)}, format="multipart")


def zipped(**texts):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    return content.getvalue()


class TestWhoMay:
    def test_the_first_account_of_an_own_machine_and_staff(self, make_user):
        first, second = make_user("ann"), make_user("ben")
        root = make_user("root", is_staff=True, is_superuser=True)

        assert [runs_server(user) for user in (first, second, root)] == [True, False, True]

    def test_not_the_first_account_of_a_server(self, make_user, settings):
        settings.PRODUCTION = True

        assert not runs_server(make_user("ann"))

    def test_not_the_demo_account_nor_who_comes_after_it(self, make_user):
        demo, first = make_user("demo", is_demo=True), make_user("ann")

        assert [runs_server(user) for user in (demo, first)] == [False, True]

    def test_others_are_told_and_refused(self, api, make_user):
        make_user("ann")
        ben = make_user("ben")

        assert api(ben).get(URL).json()["data"] == [{"may_import": False}]
        for url in (URL, CHECK):
            answer = post(api, ben, url, sent("colors.txt", files.COLORS))
            assert (answer.status_code, answer.json()["error"]["code"]) == (
                403,
                "PERMISSION_DENIED",
            )
        assert Job.objects.count() == 0


class TestCheck:
    def test_names_what_each_file_is_and_why_one_is_not_read(self, api, make_user):
        answer = post(
            api,
            make_user("ann"),
            CHECK,
            sent("colors.txt", files.COLORS),
            sent("poem.txt", "Roses are red\n"),
            sent("broken.zip", b"PK no zip"),
        )

        assert answer.status_code == 200
        found = {row["name"]: (row["table"], bool(row["reason"])) for row in answer.json()["data"]}
        assert found == {
            "colors.txt": ("BrickLink colors", False),
            "poem.txt": ("", True),
            "broken.zip": ("", True),
        }
        assert Item.objects.count() == 0

    def test_looks_into_a_zip_whose_paths_lead_out(self, api, make_user, tmp_path):
        archive = zipped(**{"../../colors.txt": files.COLORS})

        answer = post(api, make_user("ann"), CHECK, sent("bricklink.zip", archive))

        assert [row["table"] for row in answer.json()["data"]] == ["BrickLink colors"]

    def test_refuses_what_is_too_large(self, api, make_user, settings):
        settings.MAX_UPLOAD_BYTES = 10

        answer = post(api, make_user("ann"), CHECK, sent("colors.txt", files.COLORS))

        assert answer.status_code == 413


class TestImport:
    def test_imports_by_a_job_that_tells_what_it_wrote(self, api, make_user):
        answer = post(
            api,
            make_user("ann"),
            URL,
            sent("colors.txt", files.COLORS),
            sent("categories.txt", files.CATEGORIES),
            sent("Parts.txt", files.PARTS),
        )

        assert (answer.status_code, answer.json()["data"][0]["kind"]) == (
            202,
            "catalog.import_files",
        )
        (job,) = run_jobs()
        assert (job.state, job.result["tables"]["items"]["added"]) == (JobState.SUCCEEDED, 5)
        assert Item.objects.filter(number="3001", name="Brick 2 x 4").exists()

    def test_tells_why_rows_were_refused(self, api, make_user):
        bad = files.COLORS + "x\tNo number\tFFFFFF\tSolid\n"
        post(api, make_user("ann"), URL, sent("colors.txt", bad))

        (job,) = run_jobs()

        assert job.state == JobState.SUCCEEDED
        assert [row["name"] for row in job.failed] == ["colors.txt"]

"""Catalogue files sent in the admin: kept, imported by a job that tells how far it is, forgotten."""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from apps.catalog.models import Color, ImportRun, Item
from apps.catalog.services.imports import NothingToImport
from apps.catalog.services.uploads import KIND, start_file_import
from apps.catalog.tests import files
from apps.core.clock import now
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.run import progressed
from apps.core.jobs.runner import run_job
from apps.core.testing.jobs import run_jobs

pytestmark = pytest.mark.django_db
PAGE = "/admin/catalog/importrun/add/"


def sent(name, text):
    return SimpleUploadedFile(name, text.encode())


def kept_files():
    try:
        folders, _ = default_storage.listdir("catalog-imports")
    except FileNotFoundError:
        return []
    return [
        name for one in folders for name in default_storage.listdir(f"catalog-imports/{one}")[1]
    ]


def start(user, **texts):
    named = [ContentFile(text, name=f"{name}.txt") for name, text in texts.items()]
    return start_file_import(files=named, reread=False, by=user)


class TestStartFileImport:
    def test_keeps_the_files_and_starts_a_job(self, staff):
        job = start(staff, colors=files.COLORS, Parts=files.PARTS)

        assert (job.kind, job.state, job.owner) == (KIND, JobState.QUEUED, staff)
        assert [name for _, name in job.payload["files"]] == ["colors.txt", "Parts.txt"]
        assert sorted(kept_files()) == ["0", "1"]
        assert Item.objects.count() == 0

    def test_refuses_to_import_nothing(self, staff):
        with pytest.raises(NothingToImport, match="at least one file"):
            start(staff)

        assert Job.objects.count() == 0


class TestImportFiles:
    def test_imports_what_was_sent_and_forgets_the_files(self, staff):
        start(staff, colors=files.COLORS, categories=files.CATEGORIES, Parts=files.PARTS)

        (job,) = run_jobs()

        assert (job.state, job.failed) == (JobState.SUCCEEDED, [])
        assert Item.objects.filter(number="3001", name="Brick 2 x 4").exists()
        assert job.result["tables"]["items"]["added"] == 5
        assert job.message.endswith("rows written.")
        assert kept_files() == []

    def test_tells_each_table_as_it_comes(self, staff):
        told = []

        def hear(run, **_):
            told.append(run.message)

        progressed.connect(hear)
        try:
            start(staff, colors=files.COLORS, Parts=files.PARTS)
            run_jobs()
        finally:
            progressed.disconnect(hear)

        assert told[0] == "Reading the files"
        assert "Importing items" in told

    def test_tells_of_files_that_it_cannot_read_and_imports_the_rest(self, staff):
        start(staff, colors=files.COLORS, poem="Roses are red\n")

        (job,) = run_jobs()

        assert job.state == JobState.SUCCEEDED
        assert [failed["name"] for failed in job.failed] == ["poem.txt"]
        assert Color.objects.filter(pk=5, name="Red").exists()

    def test_fails_with_its_reason_where_nothing_can_be_read(self, staff):
        start(staff, poem="Roses are red\n")

        (job,) = run_jobs()

        assert job.state == JobState.FAILED
        assert job.message.startswith("Nothing to import.")
        assert kept_files() == []

    def test_waits_while_another_import_runs(self, staff):
        ImportRun.objects.create(started_at=now(), heartbeat_at=now(), importer_version=1)
        job = start(staff, colors=files.COLORS)

        run_job(job.pk)

        job.refresh_from_db()
        assert (job.state, job.attempts) == (JobState.QUEUED, 1)
        assert kept_files() == ["0"]

    def test_goes_on_at_once_after_its_own_worker_was_killed(self, staff):
        began = now()
        ImportRun.objects.create(started_at=began, heartbeat_at=began, importer_version=1)
        job = start(staff, colors=files.COLORS)
        Job.objects.filter(pk=job.pk).update(checkpoint={"began": began.isoformat()})

        run_job(job.pk)

        job.refresh_from_db()
        assert job.state == JobState.SUCCEEDED
        broken = ImportRun.objects.order_by("started_at").first()
        assert (broken.is_running, broken.message) == (False, "broke off: its worker was stopped")

    def test_leaves_the_import_of_somebody_else_alone_after_a_kill(self, staff):
        ImportRun.objects.create(started_at=now(), heartbeat_at=now(), importer_version=1)
        job = start(staff, colors=files.COLORS)
        earlier = (now() - timedelta(minutes=1)).isoformat()
        Job.objects.filter(pk=job.pk).update(checkpoint={"began": earlier})

        run_job(job.pk)

        job.refresh_from_db()
        assert job.state == JobState.QUEUED
        assert ImportRun.objects.get().is_running


class TestImportPage:
    def test_takes_several_files_and_leads_to_their_job(self, client, staff):
        client.force_login(staff)

        answer = client.post(
            PAGE,
            {"catalogue_files": [sent("colors.txt", files.COLORS), sent("Parts.txt", files.PARTS)]},
        )

        job = Job.objects.get()
        assert (answer.status_code, answer.headers["Location"]) == (
            302,
            reverse("admin:core_job_change", args=[job.pk]),
        )
        assert len(job.payload["files"]) == 2

    def test_asks_for_a_file(self, client, staff):
        client.force_login(staff)

        answer = client.post(PAGE, {})

        assert answer.status_code == 200
        assert "Choose at least one file." in answer.content.decode()
        assert Job.objects.count() == 0

    def test_is_for_those_who_may_import(self, client, make_user):
        client.force_login(make_user("vera", is_staff=True))

        assert client.get(PAGE).status_code == 403
        assert (
            client.post(PAGE, {"catalogue_files": [sent("colors.txt", files.COLORS)]}).status_code
            == 403
        )
        assert Job.objects.count() == 0

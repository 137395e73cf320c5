"""Files of jobs that a killed process stored and never named."""

import datetime as dt

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from apps.core.clock import now
from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job, JobState
from apps.core.jobs.stray_files import forget_stray_files

pytestmark = pytest.mark.django_db
FOLDER = "of_this_test"


@pytest.fixture(autouse=True)
def kind(job_kind) -> str:
    return job_kind(lambda run, **_: None, folder=FOLDER)


def stored(name: str = "a/0") -> str:
    return default_storage.save(f"{FOLDER}/{name}", ContentFile(b"pieces"))


def after(**time: int) -> dt.datetime:
    return now() + dt.timedelta(**time)


class TestForgetStrayFiles:
    def test_deletes_what_nothing_named_for_a_day(self):
        name = stored()

        assert forget_stray_files(now=after(hours=25)) == 1
        assert not default_storage.exists(name)

    def test_keeps_what_may_be_named_yet(self):
        name = stored()

        assert forget_stray_files(now=after(hours=23)) == 0
        assert default_storage.exists(name)

    @pytest.mark.parametrize("state", [JobState.QUEUED, JobState.FAILED])
    def test_keeps_the_file_of_a_job_that_may_run(self, ann, kind, state):
        name = stored()
        job = start_job(owner=ann, kind=kind, payload={"files": [[name, "parts.txt"]]})
        Job.objects.filter(pk=job.pk).update(state=state)

        assert forget_stray_files(now=after(days=2)) == 0
        assert default_storage.exists(name)

    def test_keeps_what_a_killed_worker_noted(self, ann, kind):
        name = stored()
        job = start_job(owner=ann, kind=kind, payload={})
        Job.objects.filter(pk=job.pk).update(checkpoint={"stored": name})

        assert forget_stray_files(now=after(days=2)) == 0

    def test_deletes_what_a_job_left_that_has_ended_well(self, ann, kind):
        name = stored()
        job = start_job(owner=ann, kind=kind, payload={"file": name})
        Job.objects.filter(pk=job.pk).update(state=JobState.SUCCEEDED)

        assert forget_stray_files(now=after(days=2)) == 1

    def test_touches_no_other_folder(self):
        name = default_storage.save("of_somebody_else/0", ContentFile(b"pieces"))

        assert forget_stray_files(now=after(days=2)) == 0
        default_storage.delete(name)

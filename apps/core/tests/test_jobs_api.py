import pytest

from apps.core.jobs.dispatch import start_job
from apps.core.jobs.models import Job, JobState

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(ann):
    return start_job(owner=ann, kind="inventory.bsx_sync", payload={"secret": 1}, total=9)


class TestJobViewSet:
    def test_tells_how_far_a_job_is(self, api, ann, job):
        (row,) = api(ann).get(f"/api/jobs/{job.pk}").json()["data"]

        assert row == {
            "id": str(job.pk),
            "kind": "inventory.bsx_sync",
            "by_name": None,
            "program": "",
            "state": "queued",
            "done": 0,
            "total": 9,
            "message": "",
            "failed": [],
            "failed_count": 0,
            "result": {},
            "cancel_requested": False,
            "createdAt": row["createdAt"],
            "updatedAt": row["updatedAt"],
            "finishedAt": None,
        }
        assert row["createdAt"].endswith("Z")

    def test_lists_ones_own(self, api, ann, bo, job):
        start_job(owner=bo, kind="x", payload={})
        start_job(owner=None, kind="x", payload={})

        rows = api(ann).get("/api/jobs").json()["data"]

        assert [row["id"] for row in rows] == [str(job.pk)]

    @pytest.mark.parametrize(
        ("query", "found"),
        [("state=queued", 1), ("state=failed", 0), ("kind=inventory.bsx_sync", 1), ("kind=x", 0)],
    )
    def test_filters(self, api, ann, job, query, found):
        assert len(api(ann).get(f"/api/jobs?{query}").json()["data"]) == found

    def test_refuses_a_state_that_is_none(self, api, ann):
        response = api(ann).get("/api/jobs?state=lost")

        assert response.status_code == 400
        assert list(response.json()["meta"]["error"]["fields"]) == ["state"]

    @pytest.mark.parametrize(
        "pk", ["abc", "0", "-" * 36, "00000000-0000-0000-0000-000000000000", "%00", "a" * 500]
    )
    def test_answers_404_to_what_is_not_there(self, api, ann, pk):
        assert api(ann).get(f"/api/jobs/{pk}").status_code == 404
        assert api(ann).post(f"/api/jobs/{pk}/cancel").status_code == 404

    def test_cancels(self, api, ann, job):
        (row,) = api(ann).post(f"/api/jobs/{job.pk}/cancel").json()["data"]

        assert (row["state"], row["message"]) == ("cancelled", "Cancelled.")

    def test_does_not_cancel_what_has_ended(self, api, ann, job):
        Job.objects.update(state=JobState.SUCCEEDED)

        response = api(ann).post(f"/api/jobs/{job.pk}/cancel")

        assert response.status_code == 409
        assert response.json()["message"] == "This job has already ended (succeeded)."
        assert Job.objects.get().state == JobState.SUCCEEDED

    def test_tries_a_failed_job_again(self, api, ann, job):
        Job.objects.update(state=JobState.FAILED, attempts=5, message="No.")

        (row,) = api(ann).post(f"/api/jobs/{job.pk}/retry").json()["data"]

        assert (row["state"], row["message"]) == ("queued", "")
        assert Job.objects.get().attempts == 0

    def test_does_not_try_again_what_has_not_stopped(self, api, ann, job):
        response = api(ann).post(f"/api/jobs/{job.pk}/retry")

        assert response.status_code == 409
        assert response.json()["message"] == (
            "Only a failed or cancelled job can be tried again; this one is queued."
        )

    @pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
    def test_has_no_other_writes(self, api, ann, job, method):
        path = "/api/jobs" if method == "post" else f"/api/jobs/{job.pk}"

        assert getattr(api(ann), method)(path, {"state": "succeeded"}).status_code == 405
        assert Job.objects.get().state == JobState.QUEUED

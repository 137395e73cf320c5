"""A person's walk through a production site, and how its processes stop."""

import gzip
import json
import re
import uuid
from pathlib import Path

import pytest
import redis

from benchmarks._store import write_file
from tests.production.site import BUCKET, WORKERS, ProductionSite

pytestmark = pytest.mark.production

LOTS = 16_000  # eight chunks: long enough to be stopped in the middle
YEAR = 365 * 24 * 3600


class TestSettings:
    def test_are_clean_to_djangos_deployment_checks(self, site: ProductionSite):
        said = site.manage("check", "--deploy", "--fail-level", "WARNING")

        assert "no issues" in said


class TestWalk:
    def test_from_signing_up_to_the_exported_file_on_s3(self, site: ProductionSite):
        address = f"{uuid.uuid4().hex}@example.org"
        form = {"email_address": address, "password": "correct horse battery", "name": "Ann"}
        assert site.ask("POST", "/api/users/register", form).status in (200, 201)
        login = {key: form[key] for key in ("email_address", "password")}
        (session,) = site.ask("POST", "/api/users/login", login).data
        token = session["accessToken"]

        (place,) = site.ask("POST", "/api/inventoryLocations", {"name": "A-1"}, token=token).data
        (batch,) = site.ask("POST", "/api/batches", {"name": "Attic"}, token=token).data
        brick = {"item_type": "PART", "item_number": "3001", "color_id": 5}
        added = {**brick, "batch_id": batch["id"], "qty": 7, "price": "0.1200"}
        site.ask("POST", "/api/batchItems", added, token=token).data  # noqa: B018
        stow = {"items": "all", "location_id": place["id"]}
        (stowed,) = site.ask("POST", f"/api/batches/{batch['id']}/stow", stow, token=token).data
        if job_id := stowed.get("job_id"):
            assert site.wait_for_job(job_id, token=token)["state"] == "succeeded"
        (row,) = site.ask("GET", "/api/inventoryItems", token=token).data
        assert (row["quantity"], row["location_id"]) == (7, place["id"])

        ask = {"kind": "bsx", "scope": "inventory"}
        (export,) = site.ask("POST", "/api/exports", ask, token=token).data
        job = site.wait_for_job(export["job_id"], token=token)
        assert job["state"] == "succeeded", job
        file = site.ask("GET", f"/api/exports/{export['id']}/file", token=token)

        assert b"<ItemID>3001</ItemID>" in file.body
        assert b"<Qty>7</Qty>" in file.body
        kept = [one["Key"] for one in site.s3().list_objects_v2(Bucket=BUCKET)["Contents"]]
        (mine,) = [key for key in kept if export["job_id"].replace("-", "") in key]
        assert site.s3().get_object(Bucket=BUCKET, Key=mine)["Body"].read() == file.body
        assert not (site.folder / "media").exists()


class TestPages:
    def test_come_with_every_protection_over_tls_only(self, site: ProductionSite):
        page = site.ask("GET", "/signin")
        plain = site.ask("GET", "/healthz", headers={"X-Forwarded-Proto": "http"})

        assert page.status == 200
        assert page.headers["Strict-Transport-Security"].startswith(f"max-age={YEAR}")
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
        assert plain.status == 200  # a balancer asks without TLS

    def test_let_the_bundle_be_kept_for_ever_and_send_it_compressed(self, site: ProductionSite):
        page = site.ask("GET", "/").body.decode()
        script = re.search(r'src="(/static/[^"]+\.js)"', page)
        assert script is not None, "build the front end first: make static/manifest.json"

        plain = site.ask("GET", script[1])
        small = site.ask("GET", script[1], headers={"Accept-Encoding": "gzip"})
        smaller = site.ask("GET", script[1], headers={"Accept-Encoding": "br, gzip"})

        for answer in (plain, small, smaller):
            assert answer.status == 200
            assert "immutable" in answer.headers["Cache-Control"]
        assert small.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(small.body) == plain.body
        assert smaller.headers["Content-Encoding"] == "br"
        assert len(smaller.body) < len(small.body) < len(plain.body)

    def test_do_not_let_the_page_itself_be_kept(self, site: ProductionSite):
        assert site.ask("GET", "/").headers["Cache-Control"] == "no-cache"

    def test_refuse_a_host_that_is_not_theirs(self, site: ProductionSite):
        assert site.ask("GET", "/", headers={"Host": "evil.example.org"}).status == 400


class TestWorkers:
    @pytest.mark.parametrize("group", [False, True], ids=["like docker", "like systemd"])
    def test_hand_a_job_over_when_they_are_asked_to_stop(self, site, tmp_path: Path, group: bool):
        token = site.new_token()
        site.ask("PATCH", "/api/preferences", {"currency": "EUR"}, token=token)
        store = tmp_path / "store.bsx"
        write_file(store, LOTS)
        (sync,) = site.upload("/api/inventoryItems/sync", store, token=token).data
        assert site.wait_for_job(sync["job_id"], token=token)["state"] == "succeeded"
        first, second = WORKERS
        assert site.terminate(second) == 0

        (sync,) = site.ask("POST", f"/api/inventorySyncs/{sync['id']}/apply", {}, token=token).data
        job_id = sync["job_id"]
        site.wait_for(lambda: site.job(job_id, token=token)["done"] >= 2_000, "the first chunk")
        code = site.terminate(first, group=group)
        stopped = site.job(job_id, token=token)
        for name in WORKERS:
            site.start_worker(name)
        job = site.wait_for_job(job_id, token=token)

        assert code == 0, site.log(first)
        assert stopped["state"] == "queued"
        assert 2_000 <= stopped["done"] < LOTS
        assert (job["state"], job["done"]) == ("succeeded", LOTS), job
        ((attempts,),) = site.query("SELECT attempts FROM core_job WHERE id = %s", job_id)
        assert attempts == 1  # being asked to stop is no attempt
        of_this = "FROM inventory_inventoryitem i JOIN inventory_movement m ON m.item_id = i.id "
        ((rows, listings, booked),) = site.query(
            f"SELECT COUNT(*), COUNT(DISTINCT i.marketplace_lot_id), SUM(i.quantity - m.delta) {of_this}"
            "JOIN core_job j ON j.owner_id = i.owner_id WHERE j.id = %s",
            job_id,
        )
        assert (rows, listings, booked) == (LOTS, LOTS, 0)
        assert "agree" in site.manage("check_ledger")


class TestBeat:
    def test_tells_the_workers_to_look_what_is_due(self, site: ProductionSite, tmp_path: Path):
        queue = redis.Redis.from_url(site.redis_url.rsplit("/", 1)[0] + "/8")
        queue.flushdb()
        alone = {"REDIS_URL": site.redis_url.rsplit("/", 1)[0] + "/8", "BEAT_SECONDS": "1"}
        beat = site.beside(tmp_path, **alone)
        beat.start_beat()
        try:
            # Twice: Celery writes its schedule after the first, and fails when stopped in that.
            site.wait_for(lambda: queue.llen("celery") > 1, "beat to say something")
            message = json.loads(queue.lindex("celery", 0))
            code = beat.terminate("beat")
        finally:
            queue.flushdb()
            queue.close()

        assert message["headers"]["task"] == "core.start_due_jobs"
        assert code == 0, beat.log("beat")

    def test_what_is_due_is_started_once_however_many_look(self, site: ProductionSite):
        count = "SELECT kind, COUNT(*), COUNT(DISTINCT key) FROM core_job WHERE owner_id IS NULL GROUP BY kind"
        due = {"core.forget_past", "accounts.forget_expired_grants"}
        site.wait_for(lambda: due <= {row[0] for row in site.query(count)}, "the periodic jobs")

        for kind, rows, keys in site.query(count):
            assert rows == keys, kind


class TestStopping:
    def test_is_clean_for_every_process(self, site: ProductionSite, tmp_path: Path):
        other = site.beside(tmp_path)
        other.start_web()
        other.start_worker()
        other.start_beat()
        other.wait_until_ready()
        other.wait_for(lambda: "celerybeat-schedule" in names_in(tmp_path), "beat")

        codes = {name: other.terminate(name) for name in list(other.processes)}

        assert codes == {"web": 0, "worker-1": 0, "beat": 0}
        for name in codes:
            assert "Traceback" not in other.log(name), other.log(name)


class TestReadiness:
    @pytest.mark.long("starts another web process, with the settings of production")
    def test_says_what_is_away(self, site: ProductionSite, tmp_path: Path):
        other = site.beside(tmp_path, REDIS_URL="redis://127.0.0.1:1/0")
        other.start_web()
        try:
            other.wait_for(lambda: other.answers("/healthz"), "the web process")
            answer = other.ask("GET", "/readyz")
        finally:
            other.terminate("web")

        assert answer.status == 503
        assert json.loads(answer.body)["problems"] == {"broker": "the broker does not answer"}


class TestS3:
    def test_that_refuses_ends_the_job_with_its_answer(self, site: ProductionSite, tmp_path: Path):
        address = f"{uuid.uuid4().hex}@example.org"
        site.manage("issue_tokens", address, "--create", "Ann")
        other = site.beside(tmp_path, STORAGE_BUCKET="somebody-elses")
        code = ASK_AND_RUN.format(address=address)
        said = other.manage("shell", "--no-imports", "-c", code).strip().splitlines()

        assert said[0] == "failed"
        assert said[1] == (
            "The file storage refused this (NoSuchBucket). Please tell the operator of the server."
        )
        assert said[2] == "no file"

    def test_that_is_away_is_tried_again_and_then_serves(self, site, tmp_path: Path):
        token = site.new_token()
        (batch,) = site.ask("POST", "/api/batches", {"name": "Attic"}, token=token).data
        brick = {"item_type": "PART", "item_number": "3001", "color_id": 5}
        added = {**brick, "batch_id": batch["id"], "qty": 7, "price": "0.1200"}
        site.ask("POST", "/api/batchItems", added, token=token).data  # noqa: B018
        with site.without_s3():
            ask = {"kind": "bsx", "scope": "batch", "batch_id": batch["id"]}
            (export,) = site.ask("POST", "/api/exports", ask, token=token).data
            attempts = "SELECT attempts FROM core_job WHERE id = %s AND state = 'queued'"
            site.wait_for(
                lambda: any(row[0] >= 1 for row in site.query(attempts, export["job_id"])),
                "the first attempt to be over",
            )
        job = site.wait_for_job(export["job_id"], token=token)

        assert job["state"] == "succeeded", job
        assert site.ask("GET", f"/api/exports/{export['id']}/file", token=token).status == 200


ASK_AND_RUN = """
from django.db import transaction
from django.db.models.functions import Now
from apps.accounts.models import User
from apps.batches.models import Batch, BatchItem
from apps.core.clock import now
from apps.core.jobs.models import Job
from apps.core.jobs.runner import run_job
from apps.exports.services.exports import ExportOptions, start_export
owner = User.objects.get(email_address={address!r})
batch = Batch.objects.create(owner=owner, name="Attic")
BatchItem.objects.create(owner=owner, batch=batch, raw_item_type="P", raw_item_number="3001", quantity=1)
with transaction.atomic():  # no worker of the site takes it from under us
    export = start_export(owner=owner, batch=batch, options=ExportOptions(), now=now())
    Job.objects.filter(pk=export.job_id).update(dispatched_at=Now())
run_job(export.job_id)
export.refresh_from_db()
export.job.refresh_from_db()
print(export.job.state)
print(export.job.message)
print(export.file or "no file")
"""


def names_in(folder: Path) -> str:
    return " ".join(path.name for path in folder.iterdir())

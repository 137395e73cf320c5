import pytest

from apps.batches.tests.factories import make_batch, make_item
from apps.catalog.tests.factories import make_lot
from apps.core.jobs.models import Job
from apps.core.testing.jobs import run_jobs
from apps.exports.models import Export
from apps.exports.tests.factories import export_of

pytestmark = pytest.mark.django_db
URL = "/api/exports"


def row_of(response):
    return response.json()["data"][0]


class TestExports:
    def test_ask_follow_and_download(self, ann, api):
        batch = make_batch(ann, "Größe 1")
        make_item(batch, quantity=3)
        bad = make_item(batch, raw_item_number="", raw_item_type="U")
        client = api(ann)

        asked = client.post(URL, {"kind": "bsx", "scope": "batch", "batch_id": batch.pk})

        assert asked.status_code == 202
        row = row_of(asked)
        assert (row["state"], row["file_url"], row["batch_id"]) == ("queued", None, batch.pk)
        assert row_of(client.get(f"/api/batches/{batch.pk}"))["isExporting"] is True
        early = client.get(f"{URL}/{row['id']}/file")
        assert early.status_code == 409
        assert early.json()["meta"]["error"]["message"] == (
            "The file is not there: its job is queued."
        )

        run_jobs()

        done = row_of(client.get(f"{URL}/{row['id']}"))
        assert (done["state"], done["row_count"], done["done"], done["total"]) == (
            "succeeded",
            1,
            2,
            2,
        )
        assert done["failed"] == [{"id": bad.pk, "reason": "It has no item number.", "name": "?"}]
        assert row_of(client.get(f"/api/jobs/{row['job_id']}"))["failed"] == done["failed"]
        assert row_of(client.get(f"/api/batches/{batch.pk}"))["isExporting"] is False

        file = client.get(done["file_url"])

        assert file.status_code == 200
        assert file.headers["Content-Disposition"].startswith("attachment; filename*=utf-8''Gr")
        assert file.headers["Cache-Control"] == "no-store"
        assert file.headers["X-Content-Type-Options"] == "nosniff"
        assert b"".join(file.streaming_content).endswith(b"</BrickStoreXML>\n")

    def test_the_inventory(self, ann, api):
        row = row_of(api(ann).post(URL, {"kind": "bsx", "scope": "inventory"}))

        assert (row["scope"], row["batch_id"]) == ("inventory", None)

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({}, "scope"),
            ({"scope": "batch"}, "batch_id"),
            ({"scope": "batch", "batch_id": 999}, "batch_id"),
            ({"scope": "shop"}, "scope"),
            ({"scope": "inventory", "kind": "pdf"}, "kind"),
            ({"scope": "inventory", "options": {"state": "gone"}}, "options.state"),
            ({"scope": "inventory", "options": {"item_ids": [0]}}, "options.item_ids.0"),
            (
                {"scope": "inventory", "options": {"item_ids": list(range(1, 10_002))}},
                "options.item_ids",
            ),
            ({"scope": "inventory", "options": "all"}, "options"),
        ],
    )
    def test_bad_input_names_the_field(self, ann, api, body, field):
        response = api(ann).post(URL, body)

        assert response.status_code == 400
        assert field in response.json()["meta"]["error"]["fields"]
        assert not Job.objects.exists()

    def test_a_batch_does_not_go_with_the_inventory(self, ann, api):
        response = api(ann).post(URL, {"scope": "inventory", "batch_id": make_batch(ann).pk})

        assert response.status_code == 400

    def test_the_same_request_twice_writes_one_file(self, ann, api):
        body = {"scope": "inventory"}

        first = api(ann).post(URL, body, headers={"Idempotency-Key": "k"})
        again = api(ann).post(URL, body, headers={"Idempotency-Key": "k"})

        assert first.json() == again.json()
        assert Export.objects.count() == Job.objects.count() == 1

    def test_delete(self, ann, api):
        export = export_of(ann, make_batch(ann))

        assert api(ann).delete(f"{URL}/{export.pk}").status_code == 200
        assert api(ann).get(f"{URL}/{export.pk}").status_code == 404

    def test_nobody_gets_in_without_signing_in(self, ann, api):
        export = export_of(ann, make_batch(ann))

        assert api().get(f"{URL}/{export.pk}/file").status_code == 401


class TestPreview:
    def test_tells_what_the_file_would_hold_and_keeps_nothing(self, ann, api):
        batch = make_batch(ann)
        for _ in range(7):
            make_item(batch, quantity=3, raw_item_number="x1", raw_item_type="P")
        bad = make_item(batch, raw_item_number="", raw_item_type="U")

        response = api(ann).post(
            f"{URL}/preview",
            {
                "kind": "csv",
                "scope": "batch",
                "batch_id": batch.pk,
                "options": {"columns": ["item_number", "quantity"]},
            },
        )
        bsx = api(ann).post(f"{URL}/preview", {"scope": "batch", "batch_id": batch.pk})

        row = row_of(response)
        assert (row["row_count"], row["failed"], row["file_name"][-4:]) == (8, [], ".csv")
        assert row["sample"] == "item_number,quantity\r\n" + "x1,3\r\n" * 5
        row = row_of(bsx)
        assert (row["row_count"], row["failed_count"], row["sample"].count("<Item>")) == (7, 1, 5)
        assert row["failed"] == [{"id": bad.pk, "reason": "It has no item number.", "name": "?"}]
        assert not Export.objects.exists()
        assert not Job.objects.exists()

    def test_tells_what_would_be_written_in_another_form(self, ann, api):
        batch = make_batch(ann)
        item = make_item(batch, price="0.1234", lot=make_lot())

        response = api(ann).post(
            f"{URL}/preview", {"scope": "batch", "batch_id": batch.pk, "kind": "mass_upload"}
        )

        assert row_of(response)["notices"] == [
            {
                "id": item.pk,
                "field": "PRICE",
                "message": "PRICE 0.1234 was rounded to 0.123.",
            }
        ]

    def test_of_anothers_batch_is_refused(self, ann, bo, api):
        batch = make_batch(ann)

        response = api(bo).post(f"{URL}/preview", {"scope": "batch", "batch_id": batch.pk})

        assert response.status_code == 400
        assert "batch_id" in response.json()["meta"]["error"]["fields"]


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "field"),
        [
            ({"remarks_template": "{bin}"}, "remarks_template"),
            ({"columns": ["price", "secret"]}, "columns"),
            ({"update_fields": ["item_number"]}, "update_fields"),
            ({"wanted_list_id": "seven"}, "wanted_list_id"),
        ],
    )
    def test_that_are_wrong_are_named(self, ann, api, options, field):
        response = api(ann).post(URL, {"kind": "csv", "scope": "inventory", "options": options})

        assert response.status_code == 400
        assert any(field in name for name in response.json()["meta"]["error"]["fields"])
        assert not Export.objects.exists()

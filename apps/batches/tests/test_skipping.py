import base64
import io
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from PIL import Image

from apps.batches.models import BatchItem, KeptPhoto
from apps.batches.services.batches import archive_batch
from apps.batches.tests.factories import NOON, make_batch
from apps.catalog.tests.factories import make_lot

pytestmark = pytest.mark.django_db


def picture(width=1200, height=900):
    out = io.BytesIO()
    Image.new("RGB", (width, height), (200, 30, 30)).save(out, "JPEG")
    return SimpleUploadedFile("part.jpg", out.getvalue(), "image/jpeg")


def skip(client, batch, file=None, **also):
    body = {"file": file or picture(), **also}
    return client.post(f"/api/batches/{batch.pk}/skip", body, format="multipart")


class TestSkipPiece:
    def test_keeps_an_unsorted_lot_with_a_small_photo(self, ann, api):
        batch = make_batch(ann)

        answer = skip(api(ann), batch, condition="N")

        (row,) = answer.json()["data"]
        assert answer.status_code == 201
        assert (row["item_type"], row["item_name"]) == ("UNSORTED_LOT", "Skipped piece")
        assert (row["qty"], row["condition"], row["state"]) == (1, "N", "new")
        head, _, jpeg = row["image_url"].partition(",")
        assert head == "data:image/jpeg;base64"
        assert Image.open(io.BytesIO(base64.b64decode(jpeg))).size == (400, 300)

    def test_counts_with_all_other_uploads_of_pictures(self, ann, api, monkeypatch):
        monkeypatch.setattr("apps.core.throttling.PictureThrottle.limit", 1)
        batch = make_batch(ann)

        first = api(ann).post("/api/recognition/identify", {"file": ""}, format="multipart")
        second = skip(api(ann), batch)

        assert (first.status_code, second.status_code) == (400, 429)
        assert not BatchItem.objects.exists()

    def test_counts_a_costly_picture_as_several_although_it_is_refused(self, ann, api, monkeypatch):
        monkeypatch.setattr("apps.core.throttling.PictureThrottle.limit", 3)
        monkeypatch.setattr("apps.core.throttling.PictureThrottle.seconds_of_one", 0.0001)
        batch = make_batch(ann)
        broken = SimpleUploadedFile("part.jpg", b"<svg onload=alert(1)>", "image/jpeg")

        # A refusal rolls its transaction back, the count is none of it.
        first = api(ann).post(
            f"/api/batches/{batch.pk}/skip",
            {"file": broken},
            format="multipart",
            HTTP_IDEMPOTENCY_KEY=str(uuid4()),
        )
        second = skip(api(ann), batch)

        assert (first.status_code, second.status_code) == (415, 429)

    @pytest.mark.django_db(transaction=True)
    def test_decodes_the_photo_before_it_writes(self, ann, api, monkeypatch):
        held = []

        def decode(content, **options):
            held.append(connection.in_atomic_block)
            return content

        monkeypatch.setattr("apps.recognition.services.identify._small_jpeg", decode)
        headers = {"HTTP_IDEMPOTENCY_KEY": str(uuid4())}
        url, batch = "/api/batches/{}/skip", make_batch(ann)

        for given in (headers, {}):
            answer = api(ann).post(
                url.format(batch.pk), {"file": picture()}, format="multipart", **given
            )
            assert answer.status_code == 201

        assert held == [False, False]

    def test_shows_the_photo_in_lists_until_it_is_said_what_it_is(self, ann, api):
        batch = make_batch(ann)
        (row,) = skip(api(ann), batch).json()["data"]
        lot = make_lot()

        (listed,) = api(ann).get("/api/batchItems", {"batch": batch.pk}).json()["data"]
        answer = api(ann).patch(f"/api/batchItems/{row['id']}", {"lot_id": lot.pk})

        assert listed["image_url"] == row["image_url"]
        (settled,) = answer.json()["data"]
        assert (settled["lot_id"], settled["item_type"]) == (lot.pk, "PART")
        assert not settled["image_url"].startswith("data:")

    def test_comes_back_where_it_was_settled_wrongly(self, ann, api):
        batch = make_batch(ann)
        (row,) = skip(api(ann), batch).json()["data"]
        url = f"/api/batchItems/{row['id']}"
        api(ann).patch(url, {"lot_id": make_lot().pk})

        api(ann).patch(
            url, {"item_type": "UNSORTED_LOT", "item_number": "", "item_name": row["item_name"]}
        )

        (again,) = api(ann).get(url).json()["data"]
        assert (again["lot_id"], again["image_url"]) == (None, row["image_url"])

    def test_forgets_the_photo_with_the_item(self, ann, api):
        (row,) = skip(api(ann), make_batch(ann)).json()["data"]

        api(ann).delete(f"/api/batchItems/{row['id']}")

        assert not KeptPhoto.objects.exists()

    def test_refuses_what_is_no_picture(self, ann, api):
        file = SimpleUploadedFile("part.jpg", b"<svg onload=alert(1)>", "image/jpeg")

        answer = skip(api(ann), make_batch(ann), file)

        assert answer.status_code == 415
        assert not BatchItem.objects.exists()

    def test_refuses_an_archived_batch(self, ann, api):
        batch = make_batch(ann)
        archive_batch(batch=batch, now=NOON)

        answer = skip(api(ann), batch)

        assert answer.status_code == 409
        assert not BatchItem.objects.exists()
        assert not KeptPhoto.objects.exists()

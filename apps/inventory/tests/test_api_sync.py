from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.testing.jobs import run_jobs
from apps.core.testing.queries import assert_query_budget
from apps.inventory.models import InventorySync
from apps.inventory.tests.bsx_files import bsx, lot
from apps.inventory.tests.factories import NOON, adjust_quantity, make_stock, quantities

pytestmark = pytest.mark.django_db
LEDGER = Path(__file__).parent / "query_counts.json"
URL = "/api/inventorySyncs"


@pytest.fixture
def brick():
    item = make_item("3001")
    make_lot(item, make_color(7))
    return make_lot(item, make_color(5))


def upload(client, content, name="store.bsx", **options):
    return client.post(
        "/api/inventoryItems/sync",
        {"file": SimpleUploadedFile(name, content), **options},
        format="multipart",
    )


def data(response):
    return response.json()["data"]


def error_of(response):
    return response.json()["meta"]["error"]


def previewed(client, content, **options):
    sync = data(upload(client, content, **options))[0]
    run_jobs()
    return data(client.get(f"{URL}/{sync['id']}"))[0]


class TestUpload:
    def test_answers_at_once_with_the_sync_and_its_job(self, ann, api, brick):
        response = upload(api(ann), bsx(lot()))

        sync = data(response)[0]
        assert response.status_code == 202
        assert (sync["state"], sync["counts"], sync["file_name"]) == ("previewing", {}, "store.bsx")
        assert data(api(ann).get(f"/api/jobs/{sync['job_id']}"))[0]["state"] == "queued"

    def test_into_the_stock_tells_no_choices_of_a_batch(self, ann, api, brick):
        sync = data(upload(api(ann), bsx(lot())))[0]

        assert "batch" not in sync["options"]

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            (b"PK\x03\x04" + b"\0" * 99, "zip"),
            (b"<!DOCTYPE html><html></html>", "web page"),
            (b"", "empty"),
        ],
        ids=["zip", "html", "empty"],
    )
    def test_refuses_what_is_no_bsx_file(self, ann, api, content, says):
        response = upload(api(ann), content)

        assert response.status_code == 400
        assert says in error_of(response)["fields"]["file"][0]
        assert not InventorySync.objects.exists()

    def test_wants_a_file(self, ann, api):
        response = api(ann).post("/api/inventoryItems/sync", {}, format="multipart")

        assert response.status_code == 400
        assert "file" in error_of(response)["fields"]

    def test_refuses_one_that_is_too_large(self, ann, api, settings):
        settings.MAX_UPLOAD_BYTES = 100

        response = upload(api(ann), bsx(lot()))

        assert (response.status_code, error_of(response)["code"]) == (413, "PAYLOAD_TOO_LARGE")

    @pytest.mark.parametrize(
        ("options", "field"),
        [
            ({"currency_action": "guess"}, "currency_action"),
            ({"currency_action": "convert", "rate": "0"}, "rate"),
            ({"create_locations": "perhaps"}, "create_locations"),
            ({"several_locations": "both"}, "several_locations"),
            ({"split_quantities": "perhaps"}, "split_quantities"),
        ],
    )
    def test_refuses_bad_options(self, ann, api, options, field):
        response = upload(api(ann), bsx(lot()), **options)

        assert response.status_code == 400
        assert list(error_of(response)["fields"]) == [field]

    def test_refuses_a_second_one_with_the_running_job(self, ann, api, brick):
        client = api(ann)
        first = data(upload(client, bsx(lot())))[0]

        response = upload(client, bsx(lot()))

        assert (response.status_code, error_of(response)["code"]) == (409, "CONFLICT")
        assert data(response)[0]["id"] == first["job_id"]
        assert data(response)[0]["sync_id"] == first["id"]

    def test_needs_a_person(self, api):
        assert upload(api(), bsx(lot())).status_code == 401


class TestPreview:
    def test_shows_counts_and_rows_by_kind(self, ann, api, brick):
        make_stock(ann, brick, 5, marketplace_lot_id=1)
        client = api(ann)

        sync = previewed(client, bsx(lot(qty=6, LotID=1, Remarks="B-07"), lot("nope"), lot(qty=-1)))

        assert (sync["state"], sync["currency"]) == ("previewed", "EUR")
        assert (sync["counts"]["changed"], sync["counts"]["created"]) == (1, 0)
        rows = {
            kind: data(client.get(f"{URL}/{sync['id']}/rows", {"kind": kind}))
            for kind in ("created", "changed", "zeroed", "unknown", "unreadable")
        }
        assert {kind: len(found) for kind, found in rows.items()} == {
            "created": 0,
            "changed": 1,
            "zeroed": 0,
            "unknown": 1,
            "unreadable": 1,
        }
        assert rows["changed"][0]["changes"]["quantity"] == {"before": 5, "after": 6}
        assert rows["changed"][0]["color_name"] == "Red"
        assert rows["unknown"][0]["reason"] == "unknown_item"
        assert rows["unknown"][0]["becomes"] == "created"
        names = client.get(f"{URL}/{sync['id']}/newLocations").json()
        assert names["data"] == [{"name": "B-07"}]
        assert names["meta"]["pagination"]["total_items"] == 1

    def test_pages_of_rows_say_how_many_there_are(self, ann, api, brick):
        client = api(ann)
        sync = previewed(client, bsx(*[lot(qty=n) for n in range(1, 8)]))

        answer = client.get(
            f"{URL}/{sync['id']}/rows", {"kind": "created", "page": 2, "page_size": 3}
        ).json()

        assert [row["quantity"] for row in answer["data"]] == [4, 5, 6]
        assert answer["meta"]["pagination"] == {
            "page": 2,
            "page_size": 3,
            "total_items": 7,
            "total_pages": 3,
        }

    def test_wants_a_known_kind(self, ann, api, brick):
        sync = previewed(api(ann), bsx(lot()))

        assert api(ann).get(f"{URL}/{sync['id']}/rows", {"kind": "all"}).status_code == 400

    def test_can_be_made_again(self, ann, api, brick):
        client = api(ann)
        sync = previewed(client, bsx(lot(Remarks="B-07")))

        response = client.post(f"{URL}/{sync['id']}/preview", {"create_locations": False})
        run_jobs()

        assert (response.status_code, data(response)[0]["state"]) == (202, "previewing")
        again = data(client.get(f"{URL}/{sync['id']}"))[0]
        assert (again["state"], again["counts"]["new_locations"]) == ("previewed", 0)
        assert again["options"]["create_locations"] is False

    def test_asks_about_several_locations_and_takes_the_answer(self, ann, api, brick):
        client = api(ann)
        sync = previewed(client, bsx(lot(qty=20, Remarks="B-07:12;C-01:8")))
        [told] = [one for one in sync["warnings"] if one["code"] == "several_locations"]
        assert (told["lots"], told["divisible"], sync["counts"]["new_locations"]) == (1, 1, 0)
        answer = {"several_locations": "ignore", "split_quantities": True}

        client.post(f"{URL}/{sync['id']}/preview", answer)
        run_jobs()

        again = data(client.get(f"{URL}/{sync['id']}"))[0]
        assert answer.items() <= again["options"].items()
        created = data(client.get(f"{URL}/{sync['id']}/rows", {"kind": "created"}))
        assert [(row["location_name"], row["quantity"]) for row in created] == [
            ("B-07", 12),
            ("C-01", 8),
        ]

    def test_costs_the_same_whatever_the_file(self, ann, api, brick):
        client = api(ann)
        sync = previewed(client, bsx(*[lot(qty=n) for n in range(1, 40)]))

        assert_query_budget(
            LEDGER,
            "sync rows",
            lambda: client.get(f"{URL}/{sync['id']}/rows", {"kind": "created", "page_size": 500}),
        )


class TestAFileThatWasNotReadWhole:
    """Lots that nobody could read are not gone from the store."""

    STORE_XML = (
        "<ITEM><LOTID>{}</LOTID><ITEMTYPE>P</ITEMTYPE><ITEMID>3001</ITEMID><COLOR>{}</COLOR>"
        "<QTY>1</QTY><PRICE>0.100</PRICE><CONDITION>U</CONDITION></ITEM>"
    )

    def zeroes_nothing(self, client, content, **options):
        sync = previewed(client, content, **options)
        told = [one["message"] for one in sync["warnings"] if one["code"] == "not_whole"]
        assert (sync["state"], sync["counts"]["zeroed"]) == ("previewed", 0)
        assert sync["reading"]["covers"] == "part"
        assert told == [
            "Not all of the file could be read, so lots of your stock that it does not name stay "
            "as they are; none is set to 0."
        ]
        client.post(f"{URL}/{sync['id']}/apply", {}, format="json")
        run_jobs()

    def stocked(self, owner, brick):
        make_stock(owner, lot=brick, quantity=3)
        return make_stock(owner, lot=make_lot(make_item("3023"), make_color(11)), quantity=9)

    @pytest.mark.parametrize("covers", ["", "whole"])
    def test_a_cut_bsx_that_was_repaired_zeroes_nothing(self, ann, api, brick, covers):
        beyond = self.stocked(ann, brick)
        whole = bsx(lot(qty=4), lot("3023", 11, qty=9))

        self.zeroes_nothing(
            api(ann), whole[: whole.rindex(b"<Item>") + 20], repair=True, covers=covers
        )

        beyond.refresh_from_db()
        assert beyond.quantity == 9

    def test_a_cut_list_of_the_store_that_was_repaired_zeroes_nothing(self, ann, api, brick):
        beyond = self.stocked(ann, brick)
        content = f"<INVENTORY>{self.STORE_XML.format(7, 5)}{self.STORE_XML.format(8, 7)}"

        self.zeroes_nothing(api(ann), content[:-30].encode(), repair=True)

        beyond.refresh_from_db()
        assert beyond.quantity == 9

    def test_a_refused_lot_that_names_no_item_zeroes_nothing(self, ann, api, brick):
        beyond = self.stocked(ann, brick)

        self.zeroes_nothing(api(ann), bsx(lot(qty=4), lot("", "", qty=9)))

        beyond.refresh_from_db()
        assert beyond.quantity == 9


class TestApplyAndUndo:
    def test_goes_all_the_way(self, ann, api, brick):
        client = api(ann)
        make_stock(ann, brick, 5, marketplace_lot_id=1)
        sync = previewed(client, bsx(lot(qty=6, LotID=1), lot(color=7)))
        url = f"{URL}/{sync['id']}"

        applying = client.post(f"{url}/apply", {})
        run_jobs()
        applied = data(client.get(url))[0]
        assert (applying.status_code, data(applying)[0]["state"]) == (202, "applying")
        assert (applied["state"], applied["applied_lots"]) == ("applied", 2)
        assert quantities(ann) == [(None, 1), (None, 6)]

        undoing = client.post(f"{url}/undo", {})
        run_jobs()
        undone = data(client.get(url))[0]
        assert undoing.status_code == 202
        assert (undone["state"], undone["applied_lots"]) == ("undone", 0)
        assert quantities(ann) == [(None, 5)]

    def test_asks_for_the_number_of_zeroed_lots(self, ann, api, brick):
        client = api(ann)
        make_stock(ann, brick, 5, condition="N")
        sync = previewed(client, bsx(lot(qty=6)))

        refused = client.post(f"{URL}/{sync['id']}/apply", {})
        taken = client.post(f"{URL}/{sync['id']}/apply", {"confirm_zeroed": 1})

        assert (refused.status_code, error_of(refused)["code"]) == (409, "CONFLICT")
        assert data(refused) == [{"zeroed": 1, "in_stock": 1}]
        assert taken.status_code == 202

    def test_lists_rows_changed_since_before_it_undoes(self, ann, api, brick):
        client = api(ann)
        sync = previewed(client, bsx(lot(qty=6)))
        url = f"{URL}/{sync['id']}"
        client.post(f"{url}/apply", {})
        run_jobs()
        row = ann_row = data(client.get("/api/inventoryItems"))[0]
        adjust_quantity(owner=ann, item_id=row["id"], delta=1, by=ann, now=NOON)

        refused = client.post(f"{url}/undo", {})
        listed = data(client.get(f"{url}/rows", {"kind": "changed_since"}))
        taken = client.post(f"{url}/undo", {"rows": {str(row["id"]): "theirs"}})
        run_jobs()

        assert refused.status_code == 409
        assert [one["id"] for one in data(refused)] == [ann_row["id"]]
        assert [(one["id"], one["quantity"]) for one in listed] == [(ann_row["id"], 7)]
        assert taken.status_code == 202
        assert quantities(ann) == []

    @pytest.mark.parametrize(
        "body", [{"rows_changed_since": "ours"}, {"rows": {"x": "mine"}}, {"rows": {"1": "x"}}]
    )
    def test_refuses_choices_it_does_not_know(self, ann, api, brick, body):
        sync = previewed(api(ann), bsx(lot()))

        assert api(ann).post(f"{URL}/{sync['id']}/undo", body).status_code == 400

    def test_tells_that_a_cancelled_job_stopped_it(self, ann, api, brick):
        client = api(ann)
        sync = data(upload(client, bsx(lot())))[0]

        client.post(f"/api/jobs/{sync['job_id']}/cancel")

        assert data(client.get(f"{URL}/{sync['id']}"))[0]["state"] == "cancelled"

    def test_cannot_be_made_at_its_own_address(self, ann, api):
        assert api(ann).post(URL, {}).status_code == 405

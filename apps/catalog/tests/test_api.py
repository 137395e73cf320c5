"""The catalogue over the API: shapes, search, filters, and what each read costs."""

from decimal import Decimal
from pathlib import Path

import pytest
from django.db import connection

from apps.catalog.models import ItemAlias, PriceStat
from apps.catalog.services.texts import refresh_texts
from apps.catalog.tests.factories import make_category, make_color, make_item, make_lot
from apps.core.clock import now
from apps.core.testing.queries import assert_query_budget, count_queries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searchable")]

LEDGER = Path(__file__).with_name("query_counts.json")
FIGURES = {
    f"{condition}_{region}_{figure}"
    for condition in ("used", "new")
    for region in ("us", "global")
    for figure in ("avg_sold_price", "avg_inventory_price", "low_price", "sell_through")
}


def price(owner, lot, condition="U", region="global", currency="EUR", **figures):
    return PriceStat.objects.create(
        owner=owner,
        lot=lot,
        condition=condition,
        region=region,
        currency=currency,
        synced_at=now(),
        **figures,
    )


class TestAccess:
    @pytest.mark.parametrize("path", ["catalogItems", "catalogLots", "colors", "categories"])
    def test_needs_a_person_and_allows_reading_only(self, api, ann, path):
        assert api().get(f"/api/{path}").status_code == 401
        assert api(ann).get(f"/api/{path}").status_code == 200
        assert api(ann).post(f"/api/{path}", {}).status_code == 405


class TestCatalogItems:
    def test_lists_items_by_number(self, api, ann):
        make_item("3002", "Brick 2 x 3", weight_grams=Decimal("1.9"))
        make_item("3001", "Brick 2 x 4", category_path="Brick")

        answer = api(ann).get("/api/catalogItems").json()

        assert [row["item_number"] for row in answer["data"]] == ["3001", "3002"]
        first = answer["data"][0]
        assert (first["item_name"], first["item_type"], first["category"]) == (
            "Brick 2 x 4",
            "PART",
            "Brick",
        )
        assert first["image_url"] is None
        assert (first["score"], first["matched"], first["color_id"]) == (None, None, None)
        assert answer["data"][1]["weight"] == "1.900"
        assert answer["meta"]["pagination"]["total_items"] == 2

    def test_puts_what_is_searched_for_first(self, api, ann):
        make_lot(make_item("3001", "Brick 2 x 4"), make_color(5))
        make_item("3001old", "Brick 2 x 4 without Supports")

        for text in ("3001", "2x4", "Brick 2 x 4"):
            rows = api(ann).get("/api/catalogItems", {"search": text}).json()["data"]
            assert [row["item_number"] for row in rows] == ["3001", "3001old"]

        row = api(ann).get("/api/catalogItems", {"search": "brick 2x4 red"}).json()["data"][0]
        assert (row["matched"], row["score"], row["color_id"]) == ("words", 0.6, 5)
        assert set(row) == set(api(ann).get("/api/catalogItems").json()["data"][0])

    def test_keeps_to_a_type(self, api, ann):
        make_item("5716", "Web")
        make_item("5716", "My World", "GEAR")

        for query in ({"search": "5716"}, {}):
            rows = api(ann).get("/api/catalogItems", {**query, "item_type": "GEAR"}).json()["data"]
            assert [row["item_name"] for row in rows] == ["My World"]

    def test_says_what_may_have_been_meant(self, api, ann):
        make_item("3001", "Brick 2 x 4")

        answer = api(ann).get("/api/catalogItems", {"search": "birck"}).json()

        assert (answer["data"], answer["meta"]["did_you_mean"]) == ([], ["brick"])

    @pytest.mark.parametrize("text", ["%", "*", '"', "';--", "x" * 3_000])
    def test_answers_any_text(self, api, ann, text):
        assert api(ann).get("/api/catalogItems", {"search": text}).status_code == 200

    def test_is_narrowed_by_what_a_picture_told(self, api, ann):
        red = make_color(5)
        make_lot(make_item("3001", "Brick 2 x 4", category_path="Brick"), red)
        make_lot(make_item("3003", "Brick 2 x 2", category_path="Brick"), make_color(7))
        make_lot(make_item("3020", "Plate 2 x 4", category_path="Plate"), red)

        def found(**narrowed):
            query = {"search": "2 x 4", **narrowed}
            rows = api(ann).get("/api/catalogItems", query).json()["data"]
            return [(row["item_number"], row["color_id"]) for row in rows]

        assert found(color_id=5, category="Plate") == [("3020", 5)]
        assert found(color_id=5) == [("3001", 5), ("3020", 5)]
        assert found(color_id=7) == []
        assert found(color_id=2**31 - 1) == []
        assert found(category="Brick") == [("3001", None)]

    @pytest.mark.parametrize("query", [{"item_type": "HAT"}, {"search": "x", "item_type": "HAT"}])
    def test_refuses_an_unknown_type(self, api, ann, query):
        answer = api(ann).get("/api/catalogItems", query)

        assert answer.status_code == 400
        assert "item_type" in answer.json()["meta"]["error"]["fields"]

    def test_gives_one_item_with_its_lots_and_other_sites(self, api, ann):
        item = make_item("4073", "Plate, Round 1 x 1", weight_grams=Decimal("0.14"))
        ItemAlias.objects.create(item=item, catalogue="R", value="6141", value_key="6141")
        lot = make_lot(item, make_color(5))

        row = api(ann).get(f"/api/catalogItems/{item.pk}").json()["data"][0]

        assert (row["number"], row["name"], row["type"]) == ("4073", "Plate, Round 1 x 1", "PART")
        assert (row["is_minifigure_item"], row["weight"]) == (False, "0.140")
        assert row["external_sites"] == [
            {
                "name": "BrickLink",
                "url": "https://www.bricklink.com/v2/catalog/catalogitem.page?P=4073",
            },
            {"name": "Rebrickable", "url": "https://rebrickable.com/parts/6141/"},
        ]
        assert [found["lot_id"] for found in row["lots"]] == [lot.pk]
        assert set(row["lots"][0]) >= FIGURES

    def test_does_not_know_a_missing_item(self, api, ann):
        answer = api(ann).get("/api/catalogItems/999999999999")

        assert answer.status_code == 404
        assert answer.json()["success"] is False


class TestCatalogLots:
    def test_gives_every_field_of_a_lot(self, api, ann):
        lot = make_lot(make_item("3001", "Brick 2 x 4"), make_color(5))

        row = api(ann).get("/api/catalogLots", {"item": lot.item_id}).json()["data"][0]

        assert FIGURES | {
            "id", "lot_id", "color_id", "item_number", "item_type", "color_name", "color_html",
            "image_url", "reference_price", "bricklinkSyncedAt", "createdAt", "updatedAt",
            "composite_ssearch", "is_known",
        } <= set(row)  # fmt: skip
        assert (row["color_name"], row["color_html"], row["is_known"]) == ("Red", "#B30006", True)
        assert row["image_url"] is None
        assert row["composite_ssearch"] == "3001 brick 2 x 4 2x4 red"
        assert row["createdAt"].endswith("Z")
        assert {row[figure] for figure in FIGURES} == {None}
        assert (row["reference_price"], row["bricklinkSyncedAt"]) == (None, None)

    def test_shows_figures_in_the_callers_currency(self, api, ann):
        lot = make_lot()
        price(ann, lot, avg_sold_price=Decimal("0.0712"), low_price=Decimal("0.01"))
        price(ann, lot, "N", "us", avg_inventory_price=Decimal("0.2"), sell_through=Decimal("1.5"))
        price(ann, lot, currency="USD", avg_sold_price=Decimal("9"))

        row = api(ann).get("/api/catalogLots", {"item": lot.item_id}).json()["data"][0]

        assert row["used_global_avg_sold_price"] == "0.0712"
        assert row["used_global_low_price"] == "0.0100"
        assert row["new_us_avg_inventory_price"] == "0.2000"
        assert row["new_us_sell_through"] == "1.5000"
        assert row["reference_price"] == "0.0712"
        assert row["bricklinkSyncedAt"].endswith("Z")

    def test_asks_where_nothing_was_sold(self, api, ann):
        lot = make_lot()
        price(ann, lot, "N", avg_inventory_price=Decimal("0.3"))

        def ask(condition):
            query = {"item": lot.item_id, "condition": condition}
            return api(ann).get("/api/catalogLots", query).json()["data"][0]["reference_price"]

        assert (ask("N"), ask("U")) == ("0.3000", None)

    def test_takes_several_items(self, api, ann):
        lots = [make_lot() for _ in range(3)]
        wanted = f"{lots[0].item_id},{lots[2].item_id}"

        rows = api(ann).get("/api/catalogLots", {"item": wanted}).json()["data"]

        assert {row["lot_id"] for row in rows} == {lots[0].pk, lots[2].pk}

    @pytest.mark.parametrize("query", [{"item": "red"}, {"condition": "X"}])
    def test_refuses_what_it_does_not_understand(self, api, ann, query):
        make_lot()

        assert api(ann).get("/api/catalogLots", query).status_code == 400


class TestColorsAndCategories:
    def test_list_and_search_colours(self, api, ann):
        make_color(5)
        make_color(0)

        rows = api(ann).get("/api/colors").json()["data"]
        found = api(ann).get("/api/colors", {"search": "re"}).json()["data"]

        assert [(row["id"], row["color_html"]) for row in rows] == [(0, None), (5, "#B30006")]
        assert [row["name"] for row in found] == ["Red"]

    def test_list_and_search_categories(self, api, ann):
        make_category(5, "Brick")
        make_category(26, "Plate")

        rows = api(ann).get("/api/categories", {"search": "pla"}).json()["data"]

        assert [(row["id"], row["path"]) for row in rows] == [(26, "Plate")]


class TestQueryBudget:
    @pytest.fixture(autouse=True)
    def _rows(self, ann):
        item = make_item("3001", "Brick 2 x 4")
        make_category(5, "Brick")
        for color_id in (1, 5, 7, 11):
            price(ann, make_lot(item, make_color(color_id)), avg_sold_price=Decimal("1"))
        self.item = item

    @pytest.mark.parametrize("path", ["catalogItems", "catalogLots", "colors", "categories"])
    def test_is_the_same_for_one_row_and_for_many(self, api, ann, path):
        client = api(ann)
        for _ in range(8):
            make_item()

        few, _ = count_queries(lambda: client.get(f"/api/{path}", {"page_size": 1}))
        many, _ = count_queries(lambda: client.get(f"/api/{path}", {"page_size": 500}))

        assert few == many
        assert_query_budget(LEDGER, path, lambda: client.get(f"/api/{path}", {"page_size": 500}))

    def test_of_one_item_and_of_a_search(self, api, ann):
        client = api(ann)
        refresh_texts(item_ids=[self.item.pk])

        assert_query_budget(
            LEDGER, "catalogItems/{id}", lambda: client.get(f"/api/catalogItems/{self.item.pk}")
        )
        assert_query_budget(
            LEDGER,
            f"catalogItems?search on {connection.vendor}",
            lambda: client.get("/api/catalogItems", {"search": "3001"}),
        )


class TestFaces:
    """Each row names its picture in its colour, and costs no further query."""

    def test_items_and_lots_name_their_render(self, api, ann):
        item = make_item("3001", "Brick 2 x 4", face="0123456789ab")
        lot = make_lot(item, make_color(5))

        found = api(ann).get("/api/catalogItems").json()["data"][0]
        row = api(ann).get("/api/catalogLots", {"item": lot.item_id}).json()["data"][0]

        assert found["image_url"] == "/pictures/1/0123456789ab/none/128.webp"
        assert row["image_url"] == "/pictures/1/0123456789ab/B30006-5/128.webp"

    def test_a_print_that_is_not_shown_is_marked(self, api, ann):
        make_item("3001pb01", "Brick with Fish", face="0123456789ab-plain")
        found = api(ann).get("/api/catalogItems").json()["data"][0]
        assert found["image_url"].endswith("/none/128.webp#plain")

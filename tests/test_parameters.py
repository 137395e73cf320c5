"""No list, call or bulk call ignores what it is asked: a machine walks every route."""

import re
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db.models import JSONField

from apps.batches.api.filters import BatchFilter
from apps.batches.api.filters import ItemFilter as BatchItemFilter
from apps.batches.tests.factories import make_batch, make_item
from apps.catalog.tests.factories import make_color, make_lot
from apps.catalog.tests.factories import make_item as make_catalog_item
from apps.core.api.filters import BooleanFilter
from apps.inventory.api.filters import ItemFilter
from apps.inventory.tests.factories import make_stock
from apps.locations.api.filters import LocationFilter
from apps.locations.tests.factories import make_location
from tests.routes import api_routes, api_schema
from tests.test_ownership import OWNED

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

# Served by the schema's own library.
NOT_OURS = {"docs", "schema"}
# Lists of what the specification calls entities -> stored fields of their rows without an index.
ENTITIES = {
    "auctionListings": set(),
    "batches": set(),
    "batchItems": {"condition_text"},  # of conditions that were not understood
    "catalogItems": {"is_retired"},
    "catalogLots": {"is_known", "createdAt", "updatedAt", "composite_ssearch"},
    "categories": set(),
    "colors": {"color_html"},  # shown as #C91A09, stored as C91A09
    "inventoryContainerTypes": set(),
    "inventoryItems": {"condition_text"},
    "inventoryLocations": set(),
    "sources": set(),
    "userSetParts": set(),
    "userSets": set(),
}
JOB = "00000000-0000-4000-8000-000000000000"
# Every call on many rows that takes the filters of a list.
BULK = {
    "/api/batchItems/bulk": ({"set": {"price": "1"}}, BatchItemFilter),
    "/api/inventoryItems/bulk": ({"set": {"price": "1"}}, ItemFilter),
    "/api/inventoryItems/move": ({"to": None}, ItemFilter),
    "/api/inventoryItems/reprice": ({"by": "fixed", "price": "1"}, ItemFilter),
    "/api/inventoryItems/consolidate": ({}, ItemFilter),
    "/api/inventoryLocations/setMany": ({"set": {"description": "low"}}, LocationFilter),
    "/api/inventoryLocations/suggestLimit": ({}, LocationFilter),
    "/api/marketplace/listings/stock": ({}, ItemFilter),
    "/api/marketplace/listings/unlist": ({}, ItemFilter),
    "/api/marketplace/priceRun": ({}, ItemFilter),
}
BY_PLACE = [path for path, (_, filters) in BULK.items() if "location" in filters.base_filters]


@pytest.fixture
def client(api, ann) -> Any:
    made = api(ann)
    made.raise_request_exception = False
    return made


@pytest.fixture(scope="module")
def parameters() -> list[tuple[str, str, dict[str, Any]]]:
    """(method, path, parameter) of every query parameter that the schema declares."""
    paths = api_schema()["paths"]
    return [
        (method, path, parameter)
        for path, operations in paths.items()
        for method, operation in operations.items()
        for parameter in operation.get("parameters", [])
        if parameter["in"] == "query"
    ]


def fields_of(response: Any) -> dict[str, Any]:
    meta = response.json()["meta"] if response.content else {}
    return meta.get("error", {}).get("fields", {})


class TestUnknownParameters:
    def test_are_refused_by_every_route(self, client, ann):
        for make in OWNED.values():
            make(ann)
        let_through = []
        asked = 0

        for route in api_routes():
            if route.name in NOT_OURS:
                continue
            for method in set(route.methods) - {"head"}:  # which answers without a body
                asked += 1
                pk = JOB if route.path.startswith("/api/jobs") or "{family}" in route.path else "1"
                address = re.sub(r"\{\w+\}", pk, route.path)
                response = getattr(client, method)(f"{address}?nonsense=1", {}, format="json")
                if response.status_code != 400 or "nonsense" not in fields_of(response):
                    let_through.append((method, route.path, response.status_code))

        assert let_through == []
        assert asked > 100

    def test_are_told_apart_from_those_of_the_schema(self, client, parameters):
        refused = []

        for method, path, parameter in parameters:
            address = re.sub(r"\{\w+\}", "1", path)
            response = getattr(client, method)(f"{address}?{parameter['name']}=&nonsense=1")
            unknown = [
                field
                for field, texts in fields_of(response).items()
                if texts == ["is not a parameter here"]
            ]
            if unknown != ["nonsense"]:
                refused.append((method, path, parameter["name"], fields_of(response)))

        assert refused == []
        assert len(parameters) > 150

    def test_are_refused_before_anything_is_done(self, client, ann):
        batch = make_batch(ann)

        response = client.delete(f"/api/batches/{batch.pk}?force=1")

        assert response.status_code == 400
        assert client.get(f"/api/batches/{batch.pk}").status_code == 200

    @pytest.mark.parametrize(
        "address",
        [
            "/api/catalogItems?search=30%0001",
            "/api/catalogItems?number=%00",
            "/api/inventoryItems?search=%00",
            "/api/sources?name=a%00b",
            "/api/auctionWorth?ids=%00",
        ],
    )
    def test_may_not_hold_the_null_character(self, client, address):
        answer = client.get(address)

        told = [one for texts in fields_of(answer).values() for one in texts]
        assert (answer.status_code, told) == (400, ["Null characters are not allowed."])

    def test_may_not_be_given_twice(self, client):
        response = client.get("/api/batches?search=a&search=b")

        assert response.status_code == 400
        assert fields_of(response) == {"search": ["is given more than once"]}

    def test_are_tried_in_every_call_that_takes_the_filters_of_a_list(self):
        schema = api_schema()
        parts = schema["components"]["schemas"]

        def takes_filter(given: Any) -> bool:
            told = parts.get(given.get("$ref", "").rpartition("/")[2], given)
            ways = [*told.get("oneOf", ()), *told.get("anyOf", ()), *told.get("allOf", ())]
            return "filter" in told.get("properties", {}) or any(map(takes_filter, ways))

        found = {
            path
            for path, operations in schema["paths"].items()
            if (body := operations.get("post", {}).get("requestBody"))
            and takes_filter(body["content"].get("application/json", {}).get("schema", {}))
        }
        assert found == set(BULK)

    @pytest.mark.parametrize("path", BULK)
    def test_are_refused_in_the_filter_of_a_call_on_many_rows(self, client, path):
        body, _ = BULK[path]

        response = client.post(path, {**body, "filter": {"nonsense": "1"}}, format="json")

        assert response.status_code == 400
        assert fields_of(response) == {"filter": {"nonsense": ["is no filter of this list"]}}

    @pytest.mark.parametrize("path", BULK)
    @pytest.mark.parametrize("given", [3001, True])
    def test_are_text_where_a_list_searches_for_text(self, client, path, given):
        body, _ = BULK[path]

        response = client.post(path, {**body, "filter": {"search": given}}, format="json")

        assert response.status_code == 400
        assert fields_of(response) == {"filter": {"search": ["must be text"]}}

    def test_are_text_where_a_list_reads_an_instant(self, client):
        body = {"set": {"price": "1"}, "filter": {"changed_since": 20240101}}

        response = client.post("/api/inventoryItems/bulk", body, format="json")

        assert fields_of(response) == {"filter": {"changed_since": ["must be text"]}}

    @pytest.mark.parametrize("path", BY_PLACE)
    def test_may_be_numbers_where_a_list_knows_ids(self, client, path):
        body, _ = BULK[path]

        response = client.post(path, {**body, "filter": {"location": 4711}}, format="json")

        assert fields_of(response) == {"filter": ["nothing matches"]}


class TestYesOrNo:
    def test_filters_refuse_what_is_neither(self, client, parameters):
        asked = [one for one in parameters if one[2]["schema"].get("type") == "boolean"]
        # What a call asks for first, such as by what lots are grouped.
        needed = {
            path: f"&{one['name']}={one['schema']['enum'][0]}"
            for _, path, one in parameters
            if one.get("required") and "enum" in one["schema"]
        }
        let_through = []

        for method, path, parameter in asked:
            for text in ("maybe", "2", "yes"):
                address = f"{path}?{parameter['name']}={text}{needed.get(path, '')}"
                # The body of the one call that is no question: what labels are printed on.
                body = {} if method == "get" else {"layout": "a4_plain"}
                response = getattr(client, method)(address, body)
                if parameter["name"] not in fields_of(response):
                    let_through.append((path, parameter["name"], text))

        assert let_through == []
        assert len(asked) > 25

    @pytest.mark.parametrize("path", BULK)
    def test_filters_refuse_it_for_many_rows_too(self, client, ann, path):
        body, filters = BULK[path]
        lot = make_lot()
        stock, item = make_stock(ann, lot=lot), make_item(make_batch(ann), lot=lot)
        names = [n for n, one in filters.base_filters.items() if isinstance(one, BooleanFilter)]

        for name in names:
            for value in ("maybe", "", None, 2):
                response = client.post(path, {**body, "filter": {name: value}}, format="json")
                assert response.status_code == 400
                assert list(fields_of(response)["filter"]) == [name]

        assert names
        for row in (stock, item):
            before = row.price
            row.refresh_from_db()
            assert row.price == before

    def test_filters_read_true_and_false_in_any_case(self, client, ann):
        make_location(ann, "A-1", is_full=True)
        make_location(ann, "A-2")

        def names(query):
            rows = client.get(f"/api/inventoryLocations?{query}").json()["data"]
            return [row["name"] for row in rows]

        assert names("is_full=true") == names("is_full=True") == ["A-1"]
        assert names("is_full=false") == ["A-2"]
        assert client.get("/api/inventoryLocations?is_full=").status_code == 400


class TestTheFieldsOfARow:
    @pytest.mark.parametrize("name", ENTITIES)
    def test_are_filters_of_its_list(self, name):
        view = next(route.view for route in api_routes() if route.path == f"/api/{name}")
        rows, model = view.row_serializer, view.queryset.model
        columns = {
            column: field
            for field in model._meta.concrete_fields
            if not isinstance(field, JSONField)
            for column in (field.name, field.attname)
        }
        stored = {
            wire
            for wire, field in rows._declared_fields.items()
            if wire not in rows.computed and (field.source or wire) in columns
        }

        # Add the field to `own_fields` of the filters, or above with the reason.
        assert stored - set(view.filterset_class.base_filters) == ENTITIES[name]
        assert stored

    def test_find_the_rows_that_have_the_value(self, client, ann):
        batch = make_batch(ann)
        like = {"comments": "as new", "sale": -5, "price": Decimal("0.05"), "quantity": 7}
        item = make_item(batch, lot=make_lot(), **like)
        make_item(batch, lot=make_lot(make_catalog_item("3020")))
        stock = make_stock(ann, lot=make_lot(make_catalog_item("3021")), **like)
        make_stock(ann, lot=make_lot(make_catalog_item("3022")))

        def found(path, query):
            return [row["id"] for row in client.get(f"/api/{path}?{query}").json()["data"]]

        for query in ("comments=as new", "sale=-5", "price=0.05", "price=0.0500"):
            assert found("batchItems", query) == [item.pk]
            assert found("inventoryItems", query) == [stock.pk]
        assert found("batchItems", "qty=7") == [item.pk]
        row = client.get(f"/api/batchItems/{item.pk}").json()["data"][0]
        assert found("batchItems", urlencode({"createdAt": row["createdAt"]})) == [item.pk]

    @pytest.mark.parametrize("value", ["cheap", "-1", "0.05e3", "1" * 9])
    def test_refuse_a_price_that_is_neither_amount_nor_word(self, client, value):
        response = client.get("/api/batchItems", {"price": value})

        assert response.status_code == 400
        assert list(fields_of(response)) == ["price"]

    def test_narrow_the_lots_of_the_catalogue(self, client):
        brick, plate = make_catalog_item("3001"), make_catalog_item("3020")
        red, blue = make_color(5, "Red"), make_color(7, "Blue")
        lots = [make_lot(brick, red), make_lot(brick, blue), make_lot(plate, red)]

        def found(query):
            rows = client.get(f"/api/catalogLots?{query}").json()["data"]
            return {row["id"] for row in rows}

        assert found("item_number=3001") == {lots[0].pk, lots[1].pk}
        assert found("item_number=3001&color_name=red") == {lots[0].pk}
        assert found(f"lot_id={lots[2].pk}") == {lots[2].pk}
        assert found("item_number=nothing") == set()

    @pytest.mark.parametrize(
        "filters", [BatchFilter, BatchItemFilter, ItemFilter, LocationFilter], ids=str
    )
    def test_include_the_id(self, filters):
        assert "id" in filters.base_filters

    def test_narrow_stock_and_batch_items_by_number_place_and_state(self, client, ann):
        lot, other = make_lot(make_catalog_item("3001")), make_lot(make_catalog_item("3020"))
        place = make_location(ann, "A-1")
        there, away = make_stock(ann, lot=lot, location=place), make_stock(ann, lot=other)
        batch = make_batch(ann)
        item = make_item(batch, lot=lot, location=place)
        make_item(batch, lot=other)

        def found(path, query):
            return [row["id"] for row in client.get(f"/api/{path}?{query}").json()["data"]]

        for query in (
            "item_number=3001",
            f"lot_id={lot.pk}",
            f"location_id={place.pk}",
            f"id={there.pk}",
        ):
            assert found("inventoryItems", query) == [there.pk]
        for query in (
            "item_number=3001",
            f"lot_id={lot.pk}&batch_id={batch.pk}",
            f"user_inventory_item_location_id={place.pk}&is_stowed=false&is_listed=false",
        ):
            assert found("batchItems", query) == [item.pk]
        assert found("inventoryItems", f"id={there.pk},{away.pk}&ordering=createdAt") == [
            there.pk,
            away.pk,
        ]

    @pytest.mark.parametrize(
        ("path", "name"),
        [
            ("inventoryItems", "location"),
            ("inventoryItems", "lot"),
            ("inventoryItems", "id"),
            ("batchItems", "location"),
            ("batchItems", "qty_min"),
            ("batches", "source"),
            ("inventoryLocations", "container_type"),
            ("catalogLots", "color_id"),
        ],
    )
    @pytest.mark.parametrize("value", ["abc", "1.5", "-1", "9" * 30])
    def test_refuse_what_is_no_id(self, client, path, name, value):
        response = client.get(f"/api/{path}", {name: value})

        assert response.status_code == 400
        assert list(fields_of(response)) == [name]

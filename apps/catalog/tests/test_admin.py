"""Operators look and search, and put single items right."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from apps.catalog.models import Component, ImportRun, Item, ItemAlias, ItemInventory, Lot
from apps.catalog.services.lots import ensure_lots
from apps.catalog.tests.factories import make_color, make_item, make_lot
from apps.core.clock import now

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searchable")]


@pytest.fixture
def operator(client, staff):
    client.force_login(staff)
    return client


class TestCatalogAdmin:
    def test_lists_every_table_and_adds_files_and_items_alone(self, operator):
        lot = make_lot()
        inventory = ItemInventory.objects.create(item=make_item(item_type="SET"), catalogue="B")
        Component.objects.create(inventory=inventory, lot=lot, quantity=2)

        for model in apps.get_app_config("catalog").get_models():
            if model not in admin.site._registry:
                continue
            name = f"admin:catalog_{model._meta.model_name}"
            assert operator.get(reverse(f"{name}_changelist")).status_code == 200
            wanted = 200 if model in {ImportRun, Item} else 403  # files are imported by a job
            assert operator.get(reverse(f"{name}_add")).status_code == wanted

    def test_shows_an_item_with_its_colours_and_other_numbers(self, operator):
        lot = make_lot(make_item("4073", "Plate, Round 1 x 1"))
        ItemAlias.objects.create(item=lot.item, catalogue="R", value="6141", value_key="6141")

        page = operator.get(reverse("admin:catalog_item_change", args=[lot.item_id]))

        assert page.status_code == 200
        assert b"6141" in page.content
        assert b"Red" in page.content

    def test_searches_as_the_product_does(self, operator):
        make_item("3002", "Brick 2 x 3")
        make_item("3001", "Brick 2 x 4")
        make_item("3001old", "Brick 2 x 4, old and long")

        page = operator.get(reverse("admin:catalog_item_changelist"), {"q": "2x4 brick"})

        found = [item.number for item in page.context["cl"].result_list]
        assert found == ["3001", "3001old"]

    def test_refuses_to_change_a_colour(self, operator):
        color = make_color(5, name="Red")

        answer = operator.post(
            reverse("admin:catalog_color_change", args=[color.pk]), {"name": "Else"}
        )

        color.refresh_from_db()
        assert (answer.status_code, color.name) == (403, "Red")

    def test_takes_pairs_over_that_people_made(self, operator, ann, bo):
        pair = make_item("3001").pk, make_color(7).pk
        lot_id = ensure_lots(pairs=[pair], now=now(), by=ann)[pair]
        address = reverse("admin:catalog_lot_changelist")
        assert ann.email_address.encode() in operator.get(address).content

        page = operator.post(
            address, {"action": "take_over", "_selected_action": [lot_id]}, follow=True
        )

        assert b"Lots taken over: 1." in page.content
        assert Lot.objects.visible_to(bo).filter(pk=lot_id, is_known=True).exists()

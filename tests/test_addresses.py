"""How an address finds the app that answers it."""

import pytest
from django.urls import path

from apps.core.health import healthz
from bricks.urls import AddressesOfApp, first_word


@pytest.mark.parametrize("route", ["^orders$", "^orders/(?P<pk>[0-9]+)/file$", "orders", "orders/"])
def test_a_route_begins_with_its_first_word(route):
    assert first_word(route) == "orders"


@pytest.mark.parametrize("route", ["", "<slug:name>", "^(?P<pk>[0-9]+)$", "^orders?$"])
def test_a_route_that_begins_with_no_word_is_refused(route):
    with pytest.raises(ValueError, match="must begin with a word"):
        first_word(route)


def test_a_path_that_begins_otherwise_is_looked_for_in_no_address_of_the_app():
    addresses = AddressesOfApp([path("orders/<int:pk>", healthz)])

    assert addresses.match("orders/5") == ("orders/5", (), {})
    assert addresses.match("ordersets/5") is None

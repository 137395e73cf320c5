"""The lists of the admin, which begin empty here."""

from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.rows import any_row
from tests.test_admin import MODELS, SINGLE, _pages_without_their_bar, url, viewer

__all__ = ["_pages_without_their_bar", "viewer"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_pages_without_their_bar")]
MANY = [model for model in MODELS if model._meta.label not in SINGLE]


def queries_of(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


@pytest.mark.parametrize("model", MANY, ids=lambda model: model._meta.label)
def test_is_listed_and_searched_with_as_many_queries_for_one_row_as_for_five(
    viewer: Client, model: Any
) -> None:
    any_row(model)
    listed = url(model, "changelist")
    # The first page also reads what is kept from then on.
    searched = {"q": "x1"} if admin.site._registry[model].search_fields else {}
    assert viewer.get(listed, searched).status_code == 200
    one = queries_of(viewer, listed)
    for _ in range(4):
        any_row(model)

    assert queries_of(viewer, listed) == one

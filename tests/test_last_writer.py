"""What a PATCH does about a change that its caller has not seen: the same everywhere."""

from typing import Any

import pytest

from apps.accounts.services.users import preferences_of
from apps.core.clock import now
from apps.inventory.services.channels import channel_of_files
from apps.marketplace.models import MarketplaceConnection
from tests.routes import api_schema
from tests.test_ownership import OWNED

pytestmark = pytest.mark.django_db

LONG_AGO = "2001-01-01T00:00:00Z"
# Where a change of nothing is none: what to send instead.
BODIES = {
    "/api/marketplaceConnection": {"guide_share": 50},
    "/api/userSetParts/{id}": {"quantity_on_hand": 1},
}
ROWS = {
    "auctionListings": "auction-listing",
    "auctionSearches": "auction-search",
    "batchItems": "batch-item",
    "batches": "batch",
    "inventoryContainerTypes": "container-type",
    "inventoryItems": "inventory-item",
    "inventoryLocations": "location",
    "members": "member",
    "orders": "order",
    "sources": "source",
    "userSetParts": "set-part",
    "userSets": "user-set",
}


@pytest.fixture(scope="module")
def patches() -> dict[str, str]:
    """Path -> what the schema says of its PATCH."""
    paths = api_schema()["paths"]
    return {path: one["patch"]["description"] for path, one in paths.items() if "patch" in one}


def send(client: Any, user: Any, path: str, body: dict[str, Any]) -> Any:
    if "{id}" in path:
        row = OWNED[ROWS[path.split("/")[2]]](user)
        path = path.replace("{id}", str(row.pk))
    else:
        preferences_of(user=user)
        MarketplaceConnection.objects.get_or_create(
            owner=user,
            defaults={"channel": channel_of_files(user), "is_demo": True, "connected_at": now()},
        )
    return client.patch(path, body, format="json")


class TestEveryPatch:
    def test_says_in_the_schema_who_wins(self, patches):
        assert [path for path, said in patches.items() if "last writer wins" not in said] == []
        assert len(patches) > 12

    def test_lets_the_last_writer_win_without_updated_at(self, api, ann, patches):
        answers = {
            path: send(api(ann), ann, path, BODIES.get(path, {})).status_code for path in patches
        }

        assert {path: status for path, status in answers.items() if status != 200} == {}

    def test_refuses_what_has_changed_since_the_updated_at_that_it_takes(self, api, ann, patches):
        answers = {
            path: send(api(ann), ann, path, {"updatedAt": LONG_AGO}).status_code
            for path, said in patches.items()
            if "updatedAt" in said
        }

        assert {path: status for path, status in answers.items() if status != 409} == {}
        assert len(answers) > 9

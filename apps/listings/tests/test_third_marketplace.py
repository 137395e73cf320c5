"""A third marketplace as an exercise: two entries and an address are all that the app needs of it.

Of the app these are `providers/known.py`, `providers/clients.py` and `bricks/settings.py`; one with
orders has its words in `exchange/order_statuses.py`, and the contract tests their entry.
"""

import pytest

from apps.core.clock import now
from apps.core.testing.jobs import run_jobs
from apps.inventory.models import InventoryItem
from apps.inventory.services.bsx_sync import start_apply
from apps.inventory.tests.factories import adjust_quantity
from apps.listings.services.store_pull import start_pull
from apps.listings.tests.listing import part
from apps.listings.tests.two_channels import sync
from apps.marketplace.providers.known import whose
from apps.marketplace.services.connections import connect_store, try_connection
from apps.marketplace.tests.conftest import fair, fair_client, fair_server  # noqa: F401
from apps.marketplace.tests.factories import draft
from apps.marketplace.tests.fair_client import FAIR, FairSecrets

pytestmark = pytest.mark.django_db


@pytest.fixture
def seller(fair, ann):  # noqa: F811
    secrets = FairSecrets(key=fair.key_of("ann"))
    connect_store(owner=ann, secrets=secrets, now=now())
    return ann


def test_is_connected_pulled_and_kept_in_step(seller, fair, fair_client):  # noqa: F811
    part(3001)
    fair_client().create_lot(draft())
    assert try_connection(owner=seller, now=now()).state == "ok"

    pulled = start_pull(owner=seller, by=seller, now=now())
    run_jobs()
    pulled.refresh_from_db()
    start_apply(sync=pulled, confirm_zeroed=None, by=seller)
    run_jobs()
    row = InventoryItem.objects.get()
    assert whose(row.marketplace_lot_id).id == FAIR
    adjust_quantity(owner=seller, item_id=row.pk, delta=-2, by=seller, now=now())
    ended = sync(seller)

    assert (ended.state, ended.reason, ended.counts["sent"]) == ("applied", "", 1)
    assert [lot.quantity for lot in fair_client().lots()] == [10]

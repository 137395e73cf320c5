import io

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import User
from apps.batches.tests.factories import NOON
from apps.catalog.services.starter import load_starter_catalog
from apps.inventory.selectors.ledger import counter_differences, quantity_differences
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.walks import stops_of
from apps.orders.services.picking import start_walk


@pytest.mark.django_db
@pytest.mark.long("loads the starter catalogue and the demo store, as a first start does")
def test_the_demo_has_three_orders_whose_pieces_are_all_there(capsys):
    load_starter_catalog(now=NOON)

    call_command("load_demo")
    call_command("load_demo")

    owner = User.objects.get(is_demo=True)
    assert list(Order.objects.values_list("state", flat=True)) == ["paid"] * 3
    lines = OrderLine.objects.count()
    walk = start_walk(owner=owner, order_ids=None, now=NOON)
    assert len([tray for stop in stops_of(walk=walk) for tray in stop["trays"]]) == lines == 12
    assert list(quantity_differences(owner=owner)) == []
    assert list(counter_differences(owner=owner)) == []


@pytest.mark.django_db
def test_is_not_wanted_outside_demo_mode(settings):
    settings.DEMO_MODE = False
    out = io.StringIO()

    call_command("load_demo", stdout=out)

    assert out.getvalue() == "Demo mode is off: no demo account.\n"
    assert not User.objects.exists()


@pytest.mark.django_db
def test_says_how_to_get_a_catalogue(settings):
    settings.DEMO_MODE = True

    with pytest.raises(CommandError) as refused:
        call_command("load_demo")

    assert refused.value.returncode == 2
    assert "load_starter_catalog" in str(refused.value)

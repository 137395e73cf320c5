"""What a catalogue answered is kept: the next client of the store does not ask for it again."""

import datetime as dt

import pytest

from apps.core.clock import now
from apps.marketplace.models import CatalogueAnswer
from apps.marketplace.providers.base import Refused
from apps.marketplace.services.connections import connect_demo_store, connection_of, open_store
from apps.marketplace.tests.factories import draft

pytestmark = pytest.mark.django_db
NUMBERS, ITEMS = "GET catalog/id_lookup", "GET catalog/bulk_lookup"


@pytest.fixture
def seller(owl, ann):
    connect_demo_store(owner=ann, now=now(), marketplace="brickowl")
    return ann


def opened(user):
    return open_store(connection_of(owner=user, marketplace="brickowl"), spend=lambda kind: None)


def put_up_and_read(user, mark):
    """Put a lot up by one client, and read the store by another; return its numbers."""
    with opened(user) as store:
        store.create_lot(draft(remarks=f"A-1 {mark}"))
    with opened(user) as store:
        return [lot.number for lot in store.lots()]


def test_an_item_is_asked_for_once_by_its_number_and_once_by_its_id(owl, seller):
    put_up_and_read(seller, "#babcdefa")

    assert put_up_and_read(seller, "#babcdefb") == ["3001", "3001"]
    assert (owl.calls[NUMBERS], owl.calls[ITEMS]) == (1, 1)


def test_an_item_is_asked_for_again_after_a_month(owl, seller):
    put_up_and_read(seller, "#babcdefa")
    CatalogueAnswer.objects.update(updated_at=now() - dt.timedelta(days=31))

    put_up_and_read(seller, "#babcdefb")

    assert (owl.calls[NUMBERS], owl.calls[ITEMS]) == (2, 2)


def test_what_is_not_there_is_asked_for_again(owl, seller):
    owl.catalogue.several["Part", "3001"] = []
    with opened(seller) as store, pytest.raises(Refused, match="no item with the number 3001"):
        store.create_lot(draft())
    owl.catalogue.several.clear()

    assert put_up_and_read(seller, "#babcdefa") == ["3001"]


def test_a_simulator_knows_after_a_restart_what_it_answered_before(owl, ann, tmp_path):
    owl.begin(journal=tmp_path / "journal")
    connect_demo_store(owner=ann, now=now(), marketplace="brickowl")
    with opened(ann) as store:
        assert store.why_not(draft()) == ""

    owl.begin(journal=tmp_path / "journal")

    assert put_up_and_read(ann, "#babcdefa") == ["3001"]
    assert owl.calls[NUMBERS] == 0


def test_another_person_asks_anew(owl, seller, bo):
    put_up_and_read(seller, "#babcdefa")
    connect_demo_store(owner=bo, now=now(), marketplace="brickowl")

    put_up_and_read(bo, "#babcdefb")

    assert owl.calls[NUMBERS] == 2


def test_an_item_without_our_number_is_asked_for_again(owl, seller, monkeypatch):
    whole = owl.catalogue.described
    monkeypatch.setattr(owl.catalogue, "described", lambda boid: whole(boid) | {"ids": []})
    assert put_up_and_read(seller, "#babcdefa") != ["3001"]
    monkeypatch.undo()

    with opened(seller) as store:
        assert [lot.number for lot in store.lots()] == ["3001"]

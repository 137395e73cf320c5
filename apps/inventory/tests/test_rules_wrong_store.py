import pytest

from apps.inventory.rules.wrong_store import count_to_confirm, looks_like_another_store


def counts(zeroed=0, in_stock=100, listed=100, there=100, with_id=100):
    return {
        "zeroed": zeroed,
        "in_stock": in_stock,
        "listed_lots": listed,
        "listed_lots_there": there,
        "lots_with_id": with_id,
    }


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, 0),
        ({"zeroed": 10}, 0),
        ({"zeroed": 11}, 11),
        ({"there": 50}, 0),
        ({"there": 49}, 51),
        ({"there": 0, "with_id": 0}, 0),
        ({"there": 0, "zeroed": 90}, 90),
        ({"listed": 0, "there": 0, "in_stock": 0}, 0),
        ({"zeroed": 1, "in_stock": 5}, 1),
    ],
)
def test_wants_a_count_beyond_a_tenth_and_for_another_store(given, wanted):
    assert count_to_confirm(counts(**given)) == wanted


def test_suspects_another_store_below_half():
    assert looks_like_another_store(counts(there=49))
    assert not looks_like_another_store(counts(there=50))


def test_takes_previews_of_an_older_version():
    assert count_to_confirm({"zeroed": 2, "in_stock": 9}) == 2
    assert not looks_like_another_store({"zeroed": 2, "in_stock": 9})

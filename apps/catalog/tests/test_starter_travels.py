"""The starter catalogue that travels along, the large part included: loaded once for these tests."""

import csv
import gzip
from xml.etree import ElementTree as ET

import pytest

from apps.catalog.models import ElementCode, Item
from apps.catalog.selectors.resolving import LotIdentity, resolve_lots
from apps.catalog.services.starter import FOLDER, load_starter_catalog
from apps.core.clock import now

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.any_database,
    pytest.mark.long("loads the whole starter catalogue"),
]


@pytest.fixture(scope="module", autouse=True)
def loaded(rows_of_module):
    return load_starter_catalog(now=now(), whole=True)


class TestTheStarterCatalogue:
    def test_knows_the_part_lots_of_a_store(self, shared_data):
        store = ET.parse(shared_data("bsx/store-2022-eur-2524-lots.bsx"))
        lots = [
            LotIdentity("PART", lot.findtext("ItemID", ""), int(lot.findtext("ColorID", "0")))
            for lot in store.iter("Item")
            if lot.findtext("ItemTypeID") == "P"
        ]

        answers = resolve_lots(lots)
        known = sum(answers[lot].item_id is not None for lot in lots)
        assert known / len(lots) >= 0.95

    def test_knows_elements_of_the_last_ten_years(self, shared_data):
        with gzip.open(shared_data("catalog/rebrickable/elements.csv.gz"), "rt") as file:
            new = {row["element_id"] for row in csv.DictReader(file)}
        # LEGO numbers elements in their order: this one was new in 2015.
        new = {code for code in new if int(code) >= 6_090_000}

        known = new & set(ElementCode.objects.values_list("code", flat=True))
        assert len(known) / len(new) >= 0.95

    def test_keeps_names_weights_and_numbers_of_the_commonest(self):
        brick = Item.objects.get(item_type="PART", number="3069")

        assert brick.weight_grams
        assert brick.name_from == "O"
        assert not Item.objects.filter(item_type="PART", number="3069b").exists()

    def test_knows_parts_by_the_number_that_they_had(self):
        one = LotIdentity("P", "60471", 1)

        assert resolve_lots([one])[one].item_id

    def test_names_no_category_that_is_missing(self):
        parts = Item.objects.filter(item_type="PART")

        assert parts.exclude(category=None).count() / parts.count() > 0.95

    def test_takes_little_room(self):
        assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 12_000_000

"""Each value of a backup is held to what the API takes; what came by files comes back whole."""

from decimal import Decimal

import pytest

from apps.backups.services._tables import PERSON, Meaning, tables
from apps.backups.tasks.row_checks import FROM_FILES, OTHERS, WRITES, row_checks
from apps.backups.tests.factories import backup_of, everything_of, restored, zip_of
from apps.core.jobs.models import JobState
from apps.inventory.tests.factories import make_stock


class TestChecks:
    def test_cover_every_plain_column(self):
        plain = {
            (table.name, column.name)
            for table in tables()
            for column in table.stored
            if column.meaning is Meaning.PLAIN and not column.field.primary_key
        }

        assert plain <= row_checks().keys()

    def test_name_tables_and_columns_that_exist(self):
        columns = {table.name: {one.name for one in table.stored} for table in tables()}

        assert WRITES.keys() <= {*columns, PERSON}
        assert {name for _table, name in OTHERS} <= set().union(*columns.values())
        assert columns["inventory_items"] >= FROM_FILES

    @pytest.mark.parametrize(
        ("place", "value", "said"),
        [
            (("auction_listings", "listing_url"), "javascript:alert(1)", "Expected an address"),
            (("auction_listings", "image_url"), "data:text/html,x", "Expected an address"),
            (("auction_listings", "image_url"), "/static/../etc/passwd?x", "Expected an address"),
            (("auction_listings", "image_url"), "/static/icons/a.png", ""),
            (("auction_listings", "image_url"), "https://example.org/a.png", ""),
            (("auction_listings", "end_time"), "9999-12-31T00:00:00Z", "Expected a date"),
            (("sets", "acquired_on"), "0001-01-01", "Expected a date from 1900-01-01"),
            (("wrong_matches", "score"), 1.5, "Ensure this value is less than"),
            (("buyer_options", "tax_percent"), "101", "Ensure that there are no more"),
            (("stocktake_counts", "counted"), 1.5, "A whole number is required."),
        ],
    )
    def test_answer_why_a_value_is_refused(self, place, value, said):
        assert row_checks()[place](value).startswith(said)
        assert bool(row_checks()[place](value)) is bool(said)


@pytest.mark.django_db
class TestWhatFilesBring:
    def test_comes_back_although_nobody_could_type_it(self, ann, bo):
        make_stock(
            ann,
            comments="x" * 20_000,
            remarks="y" * 20_000,
            reserved="z" * 300,
            cost=Decimal("-0.5000"),
            tq1=-3,
            extra={"total_weight_grams": "12.34567", "weighed_quantity": -2, "later": [1, None]},
        )
        before = everything_of(ann)

        job = restored(bo, zip_of(backup_of(ann)))

        assert job.state == JobState.SUCCEEDED, job.message
        assert everything_of(bo)["inventory_items"] == before["inventory_items"]

import pytest

from apps.batches.tests.factories import make_batch, make_item
from apps.locations.tests.factories import make_location

pytestmark = pytest.mark.django_db


class TestAMergedLocation:
    def test_leaves_the_plans_of_batches_to_the_one_that_stays(self, ann, api):
        old, new = make_location(ann, "A-1"), make_location(ann, "A-2")
        planned = make_item(make_batch(ann), location=old)
        elsewhere = make_item(planned.batch, location=new)

        response = api(ann).post(f"/api/inventoryLocations/{old.pk}/merge", {"into": new.pk})

        assert response.status_code == 200
        for item in (planned, elsewhere):
            item.refresh_from_db()
            assert item.location_id == new.pk

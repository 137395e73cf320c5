import pytest
from django.urls import reverse

from apps.batches.models import Batch
from apps.batches.tests.factories import make_batch, make_item, make_location, stow_all
from apps.core.testing.queries import count_queries

pytestmark = pytest.mark.django_db
MODELS = ["batch", "batchitem", "batchoperation"]


@pytest.fixture
def desk(client, staff):
    """The admin, signed in as the operator."""
    client.force_login(staff)
    return client


def url(model, page="changelist", *arguments):
    return reverse(f"admin:batches_{model}_{page}", args=arguments)


@pytest.fixture
def batch(ann):
    made = make_batch(ann)
    make_item(made, quantity=3)
    make_item(made, quantity=4, raw_item_number="x999", raw_item_type="P")
    stow_all(made, make_location(ann))
    return made


class TestAdmin:
    @pytest.mark.parametrize("model", MODELS)
    @pytest.mark.parametrize("text", ["", "Summer", "ann@example.org", "12", "x999", "'"])
    def test_lists_and_searches(self, desk, batch, model, text):
        assert desk.get(url(model), {"q": text}).status_code == 200

    @pytest.mark.parametrize("model", [model for model in MODELS if model != "batch"])
    def test_shows_and_never_changes(self, desk, batch, model):
        row = batch.items.first() if model == "batchitem" else None
        pk = row.pk if row else desk.get(url(model)).context["cl"].result_list[0].pk

        assert desk.get(url(model, "change", pk)).status_code == 200
        assert desk.post(url(model, "change", pk), {"name": "x"}).status_code == 403
        assert desk.get(url(model, "add")).status_code == 403
        assert desk.post(url(model, "delete", pk), {"post": "yes"}).status_code == 403
        assert Batch.objects.count() == 1

    def test_never_deletes_a_batch(self, desk, batch):
        assert desk.post(url("batch", "delete", batch.pk), {"post": "yes"}).status_code == 403
        assert Batch.objects.count() == 1

    def test_counts_over_the_items(self, desk, batch):
        page = desk.get(url("batch")).content.decode()

        assert "Stowed" in page
        assert ">7<" in page

    def test_a_longer_list_costs_no_more(self, desk, ann, batch):
        few, _ = count_queries(lambda: desk.get(url("batch")))
        for index in range(10):
            make_item(make_batch(ann, f"Batch {index}"))
        many, _ = count_queries(lambda: desk.get(url("batch")))

        assert few == many

    def test_archives_and_restores(self, desk, batch):
        for action, is_archived in (("archive", True), ("restore", False)):
            desk.post(url("batch"), {"action": action, "_selected_action": [batch.pk]})

            batch.refresh_from_db()
            assert batch.is_archived is is_archived

    def test_is_closed_to_others(self, client, ann, batch):
        client.force_login(ann)

        assert client.get(url("batch")).status_code == 302

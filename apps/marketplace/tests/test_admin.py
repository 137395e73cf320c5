"""Operators have prices asked for again, through the service and their own store."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from apps.accounts.services.roles import OPERATOR, VIEWER
from apps.catalog.tests.factories import make_lot
from apps.core.jobs.models import Job
from apps.marketplace.models import LotRefresh
from apps.marketplace.services.refreshes import KIND

pytestmark = pytest.mark.django_db
LISTED = "/admin/marketplace/lotrefresh/"


@pytest.fixture
def refreshed(ann):
    return LotRefresh.objects.create(owner=ann, lot=make_lot(), currency="EUR")


def ask(make_user, group, refreshed):
    user = make_user("olga", is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)
    chosen = {"action": "refresh", "_selected_action": [refreshed.pk]}
    return user, client.post(LISTED, chosen, follow=True).content.decode()


class TestRefresh:
    def test_starts_the_job_of_an_operator(self, make_user, refreshed, store):
        operator, page = ask(make_user, OPERATOR, refreshed)

        job = Job.objects.get(kind=KIND)
        assert (job.owner, job.payload["lot_ids"]) == (operator, [refreshed.lot_id])
        assert f"1 lots are asked for; the job is {job.pk}." in page

    def test_is_not_offered_to_viewers(self, make_user, refreshed):
        ask(make_user, VIEWER, refreshed)

        assert not Job.objects.exists()

    def test_tells_why_it_cannot(self, make_user, refreshed, settings):
        settings.MARKETPLACE_IS_DEMO = False

        _, page = ask(make_user, OPERATOR, refreshed)

        assert not Job.objects.exists()
        assert "errorlist" in page or 'class="error"' in page

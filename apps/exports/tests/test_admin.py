import pytest
from django.urls import reverse

from apps.batches.tests.factories import make_batch
from apps.exports.models import Export
from apps.exports.tests.factories import export_of

pytestmark = pytest.mark.django_db


class TestAdmin:
    @pytest.mark.parametrize("text", ["", "Summer", "ann@example.org", "'"])
    def test_lists_searches_and_never_changes(self, client, staff, ann, text):
        client.force_login(staff)
        export = export_of(ann, make_batch(ann))
        change = reverse("admin:exports_export_change", args=[export.pk])

        page = client.get(reverse("admin:exports_export_changelist"), {"q": text})

        assert page.status_code == 200
        assert "Summer lot" in page.content.decode()
        assert client.get(change).status_code == 200
        assert client.post(change, {"file_name": "x"}).status_code == 403
        assert Export.objects.get().file_name == export.file_name

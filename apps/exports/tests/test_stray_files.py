"""The daily look for files that nothing names."""

import datetime as dt

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from apps.catalog.tests.factories import make_category, make_color, make_lot
from apps.catalog.tests.factories import make_item as make_catalogue_item
from apps.core.clock import now
from apps.core.jobs.registry import folders
from apps.core.jobs.stray_files import forget_stray_files
from apps.exports.models import FOLDER
from apps.exports.tests.factories import export_of
from apps.inventory.tests.factories import make_stock

pytestmark = pytest.mark.django_db


def test_keeps_the_file_of_an_export(ann):
    item = make_catalogue_item("3001", "Brick 2 x 4", category=make_category())
    make_stock(ann, make_lot(item, make_color(5)), quantity=3)
    export = export_of(ann)
    left = default_storage.save(f"{FOLDER}/left.bsx", ContentFile(b"pieces"))

    forget_stray_files(now=now() + dt.timedelta(days=2))

    assert export.file.name
    assert default_storage.exists(export.file.name)
    assert not default_storage.exists(left)


def test_looks_where_uploads_are_kept():
    assert set(folders().values()) == {
        "backups",
        "batch_imports",
        "bsx_syncs",
        "catalog-imports",
        "exports",
    }

"""`GET /api/inventoryItems?page_size=500` on 100,000 rows, against a plain ModelViewSet.

The baseline serves the same fields of the same rows through DRF's ModelViewSet,
ModelSerializer and JSONRenderer, with `select_related`, so that it lacks nothing but care.
Both answer in process, over the test client, with pages spread over the whole list.

    python -m benchmarks.inventory_list        BENCH_ROWS=10000 for a quick look
"""

import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks._databases import on_each_database, run_phase
from benchmarks._report import Limit, report

ROWS = int(os.environ.get("BENCH_ROWS", "100000"))
PAGE = 500
ROUNDS = 12


def main() -> int:
    """Run on SQLite, and on PostgreSQL where it is installed; print one JSON line."""
    figures: dict[str, float | str] = {"rows": ROWS, "page_size": PAGE}
    ratios: dict[str, float] = {}
    limits = {}
    for name, found in on_each_database("inventory_list", "measure"):
        figures |= {f"{name}_{key}": value for key, value in found.items()}
        ratios[f"{name}_times_plain"] = round(found["plain_ms"] / found["ours_ms"], 2)
        ratios[f"{name}_queries_500_over_1"] = found["queries_500"] / found["queries_1"]
        limits[f"{name}_times_plain"] = Limit(3, at_least=True)
        limits[f"{name}_queries_500_over_1"] = Limit(1)
    return report("inventory_list", figures=figures, ratios=ratios, limits=limits)


def measure(_: Path) -> dict[str, Any]:
    """Fill the database of the environment; return the figures."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext
    from rest_framework.test import APIClient

    owner = fill(ROWS)
    client = APIClient()
    client.force_authenticate(owner)
    last = ROWS // PAGE
    pages = [1 + place * max(1, last // ROUNDS) % last for place in range(ROUNDS)]

    def ours(page: int, size: int = PAGE) -> bytes:
        answer = client.get(f"/api/inventoryItems?page_size={size}&page={page}")
        assert answer.status_code == 200, answer.content[:300]
        return answer.content

    plain = plain_view(owner)
    figures = {
        "ours_ms": median_ms(ours, pages),
        "plain_ms": median_ms(plain, pages),
        "bytes": len(ours(1)),
    }
    for size in (1, PAGE):
        with CaptureQueriesContext(connection) as queries:
            ours(1, size)
        figures[f"queries_{size}"] = len(queries)
    return figures


def median_ms(get: Any, pages: list[int]) -> float:
    get(pages[0])
    times = []
    for page in pages:
        started = time.perf_counter()
        get(page)
        times.append((time.perf_counter() - started) * 1000)
    return round(statistics.median(times), 2)


def fill(rows: int) -> Any:
    """Write the catalogue and `rows` rows of stock of one user; return the user."""
    from apps.accounts.models import Preferences, User
    from apps.catalog.models import Lot
    from apps.inventory.models import InventoryItem
    from apps.locations.models import Location
    from benchmarks._store import fill_catalogue

    fill_catalogue(rows)
    owner = User.objects.create_user("bench@example.org", None, name="Bench")
    Preferences.objects.create(user=owner)
    bins = Location.objects.bulk_create(
        [
            Location(owner=owner, name=f"B{place}", code=f"B{place}", sort_key=f"b{place:05d}")
            for place in range(1_000)
        ]
    )
    lots = list(Lot.objects.values_list("pk", flat=True))
    InventoryItem.objects.bulk_create(
        (
            InventoryItem(
                owner=owner,
                lot_id=lots[place % len(lots)],
                location=bins[place % len(bins)],
                quantity=place % 90 + 1,
                price="0.1200",
                remarks=f"B{place % len(bins)}",
                condition="NU"[place % 2],
            )
            for place in range(rows)
        ),
        batch_size=500,
    )
    return owner


def plain_view(owner: Any) -> Any:
    """Return a getter of the same page from DRF's own classes."""
    from rest_framework import pagination, renderers, serializers, viewsets
    from rest_framework.test import APIRequestFactory, force_authenticate

    from apps.inventory.api.serializers import InventoryItemRow
    from apps.inventory.models import InventoryItem

    sources = {
        "item_number": "lot.item.number",
        "item_type": "lot.item.item_type",
        "part_name": "lot.item.name",
        "description": "comments",
        "image_url": "lot.item.image_url",
        "color_id": "lot.color_id",
        "color_name": "lot.color.name",
        "color_html": "lot.color.rgb",
        "location_name": "location.name",
        "createdAt": "created_at",
        "updatedAt": "updated_at",
    }
    own = {field.attname for field in InventoryItem._meta.fields}
    names = [name for name in InventoryItemRow._declared_fields if name in own or name in sources]
    declared = {
        name: serializers.ReadOnlyField(source=source) for name, source in sources.items()
    } | {name: serializers.ReadOnlyField() for name in ("lot_id", "location_id")}
    meta = type("Meta", (), {"model": InventoryItem, "fields": names})
    row = type("PlainRow", (serializers.ModelSerializer,), {**declared, "Meta": meta})

    class Pages(pagination.PageNumberPagination):
        page_size = PAGE

    class PlainViewSet(viewsets.ModelViewSet[Any]):
        serializer_class = row
        pagination_class = Pages
        renderer_classes = [renderers.JSONRenderer]
        filter_backends = ()

        def get_queryset(self) -> Any:
            return (
                InventoryItem.objects.filter(owner=self.request.user, quantity__gt=0)
                .select_related("lot__item", "lot__color", "location")
                .order_by("-updated_at", "-pk")
            )

    view = PlainViewSet.as_view({"get": "list"})
    factory = APIRequestFactory()

    def get(page: int) -> bytes:
        request = factory.get("/", {"page": page})
        force_authenticate(request, owner)
        answer = view(request)
        answer.render()
        assert answer.status_code == 200
        return answer.content

    return get


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_phase({"measure": measure})
        sys.exit(0)
    sys.exit(main())

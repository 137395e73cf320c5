"""`/api/batches/fromListing`: the batch of an auction that was won."""

from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.selectors import store_of
from apps.batches.api.serializers import BatchRow
from apps.batches.models.batch import NAME_LENGTH
from apps.batches.services.won import batch_of_listing
from apps.core.api.fields import Amount, OwnedRow, Text, WholeNumber
from apps.core.api.views import OwnedViewSet
from apps.core.money import MONEY
from apps.sources.models import Source


class WonWrite(serializers.Serializer[Any]):
    """Missing fields come from the listing: its title, the site, the landed cost if known."""

    listing_id = WholeNumber(min_value=1, max_value=2**63 - 1)
    name = Text(max_length=NAME_LENGTH, required=False)
    source_id = OwnedRow(
        source="source", queryset=Source.objects.all(), allow_null=True, required=False
    )
    cost_total = Amount(**MONEY, min_value=Decimal(0), allow_null=True, required=False)


class WonAuctions(OwnedViewSet):
    @extend_schema(request=WonWrite, responses={200: BatchRow, 201: BatchRow})
    @action(detail=False, methods=["post"], url_path="fromListing")
    def from_listing(self, request: Request) -> Response:
        """Make the batch of a won listing, with source, cost and picture; 200 where it is there."""
        data = self.validated(WonWrite, request.data)
        batch, is_made = batch_of_listing(
            owner=store_of(request), listing_id=data.pop("listing_id"), fields=data
        )
        answered = status.HTTP_201_CREATED if is_made else status.HTTP_200_OK
        return Response(self.row(batch.pk), status=answered)

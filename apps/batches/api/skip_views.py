"""`/api/batches/{id}/skip`: a piece is put off, and its photo kept."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.batches.api.item_serializers import BatchItemRow, SkipWrite
from apps.batches.models import BatchItem
from apps.batches.services.skipping import skip_piece
from apps.core.api.views import OwnedViewSet
from apps.core.clock import now
from apps.core.throttling import PictureThrottle


class SkippedPieces(OwnedViewSet):
    """The pieces of a batch that are not identified yet."""

    @extend_schema(request={"multipart/form-data": SkipWrite}, responses={201: BatchItemRow})
    @action(
        detail=True,
        methods=["post"],
        parser_classes=[MultiPartParser],
        throttle_classes=[PictureThrottle],
    )
    def skip(self, request: Request, pk: Any) -> Response:
        """Put a piece off: an unsorted lot with its photo (JPEG, PNG or WebP, at most 20 MB)."""
        batch = self.get_owned(pk)
        data = self.validated(SkipWrite, request.data)
        item_id = skip_piece(
            batch=batch, picture=data["file"].read(), condition=data["condition"], now=now()
        )
        row = BatchItemRow.select(BatchItem.objects.filter(pk=item_id)).get()
        return Response(BatchItemRow(row).data, status=status.HTTP_201_CREATED)

"""`/api/batches/{id}/skip`: a piece is put off, and its photo kept."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.batches.api.item_serializers import BatchItemRow, SkipWrite
from apps.batches.models import BatchItem
from apps.batches.services.skipping import kept_photo, skip_piece
from apps.core.api.views import OwnedViewSet
from apps.core.clock import now
from apps.core.throttling import PictureThrottle


class SkippedPieces(OwnedViewSet):
    """The pieces of a batch that are not identified yet."""

    def read_photo(self, request: Request, pk: str) -> None:
        """Decode the photo: nobody's write waits for that."""
        self.batch = self.get_owned(pk)
        self.skipped = self.validated(SkipWrite, request.data)
        self.photo = kept_photo(self.skipped["file"].read(), owner=self.batch.owner_id)

    @extend_schema(request={"multipart/form-data": SkipWrite}, responses={201: BatchItemRow})
    @action(
        detail=True,
        methods=["post"],
        parser_classes=[MultiPartParser],
        throttle_classes=[PictureThrottle],
        prepares="read_photo",
    )
    def skip(self, request: Request, pk: str) -> Response:
        """Put a piece off: an unsorted lot with its photo (JPEG, PNG or WebP, at most 20 MB)."""
        item_id = skip_piece(
            batch=self.batch, jpeg=self.photo, condition=self.skipped["condition"], now=now()
        )
        row = BatchItemRow.select(BatchItem.objects.filter(pk=item_id)).get()
        return Response(BatchItemRow(row).data, status=status.HTTP_201_CREATED)

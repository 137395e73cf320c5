"""Pages: `page` from 1, `page_size` 25 by default and at most 500."""

from typing import Any

from django.core.paginator import InvalidPage
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core.api.rendering import success

MAX_PAGE_SIZE = 500
MAX_DIGITS = 9


class PagePagination(PageNumberPagination):
    """Page number pagination that reports its numbers in `meta.pagination`."""

    page_size = 25
    page_size_query_param = "page_size"
    max_page_size = MAX_PAGE_SIZE

    def get_page_size(self, request: Request) -> int:
        text = request.query_params.get(self.page_size_query_param)
        if text is None:
            return self.page_size
        if not _is_number(text) or not 1 <= int(text) <= MAX_PAGE_SIZE:
            raise ValidationError(
                {"page_size": [f"must be a whole number from 1 to {MAX_PAGE_SIZE}"]}
            )
        return int(text)

    def number_asked(self, request: Request) -> int:
        """Return the number of the page that is asked for. Raises ValidationError."""
        text = request.query_params.get(self.page_query_param, "1")
        if not _is_number(text) or int(text) < 1:
            raise ValidationError({"page": ["must be a whole number of at least 1"]})
        return int(text)

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> list[Any] | None:
        """Return the rows of the page; a page past the end is empty, not an error."""
        self.request = request
        size = self.get_page_size(request)
        self.number = self.number_asked(request)
        paginator = self.django_paginator_class(queryset, size)
        self.paginator = paginator
        try:
            self.page = paginator.page(self.number)
        except InvalidPage:
            return []
        return list(self.page)

    def get_paginated_response(self, data: Any) -> Response:
        return Response(
            success(
                list(data),
                pagination={
                    "page": self.number,
                    "page_size": self.paginator.per_page,
                    "total_items": self.paginator.count,
                    "total_pages": self.paginator.num_pages,
                },
            )
        )

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        return [
            _parameter(self.page_query_param, "from 1", 10**MAX_DIGITS - 1),
            _parameter(self.page_size_query_param, "rows a page", MAX_PAGE_SIZE),
        ]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the bare array: the envelope is added to every operation alike."""
        return schema


def _parameter(name: str, description: str, largest: int) -> dict[str, Any]:
    return {
        "name": name,
        "in": "query",
        "required": False,
        "description": description,
        "schema": {"type": "integer", "minimum": 1, "maximum": largest},
    }


def _is_number(text: str) -> bool:
    """Digits only, and few: int() refuses thousands of them with an error of its own."""
    return text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS

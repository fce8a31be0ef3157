"""Pages by cursor: stable while rows are added."""

from rest_framework.pagination import CursorPagination


class NewestFirst(CursorPagination):
    """Ids are UUIDv7, so that one unique column gives both the order and the tie-break."""

    ordering: str | tuple[str, ...] = "-id"
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200

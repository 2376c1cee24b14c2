"""Paging of lists."""

from rest_framework.pagination import CursorPagination


class KeysetPagination(CursorPagination):
    """Pages by the last row seen."""

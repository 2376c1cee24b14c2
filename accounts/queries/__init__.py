"""Reads of accounts that are more than a queryset."""

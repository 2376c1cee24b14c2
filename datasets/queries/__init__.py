"""Reads of datasets that are more than a query set."""

"""Datasets, their cases and versions; import and export."""

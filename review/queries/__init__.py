"""Reads of the review queue."""

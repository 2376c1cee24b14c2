"""Reads of scores and grading settings."""

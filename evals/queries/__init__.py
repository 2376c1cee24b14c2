"""Reads of test runs, their items and comparisons."""

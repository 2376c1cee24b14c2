"""Tests of hiding credentials, the made-up tokens and the ordinary texts they are measured on, and the report."""

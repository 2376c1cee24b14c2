"""Tests of connections, models and calling them."""

"""Tests of test runs."""

"""Tests of the plain logic of test runs."""

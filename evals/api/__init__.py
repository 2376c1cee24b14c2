"""The endpoints of test runs."""

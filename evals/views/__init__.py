"""The console's pages of test runs."""

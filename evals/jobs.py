"""Background jobs of test runs: ids in, reload, one operation, safe to repeat."""

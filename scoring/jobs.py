"""Background jobs of scoring: ids in, reload, one operation, safe to repeat."""

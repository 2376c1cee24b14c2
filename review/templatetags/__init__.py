"""Template filters of review."""

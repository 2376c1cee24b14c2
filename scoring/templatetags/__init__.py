"""Template filters of scoring."""

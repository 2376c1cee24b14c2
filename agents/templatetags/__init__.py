"""Template filters of the agents app."""

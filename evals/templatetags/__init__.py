"""Template tags of test runs."""

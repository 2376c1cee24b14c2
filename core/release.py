"""The release of Casebook that is running; the same as in pyproject.toml, which a test compares."""

RELEASE = "0.1.0"

"""The tests, laid out as the apps are."""

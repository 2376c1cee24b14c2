"""The project: environment, settings, addresses and servers' entry points."""

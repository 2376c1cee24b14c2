"""The command `casebook`, for pipelines: it knows Casebook by its API alone and imports nothing else of it (EV-D60)."""

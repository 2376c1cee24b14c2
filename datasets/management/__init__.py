"""The commands of the datasets app."""

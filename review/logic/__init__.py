"""The rules of the review queue, as plain Python."""

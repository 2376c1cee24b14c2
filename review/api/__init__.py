"""The API of the review queue."""

"""The console of the review queue."""

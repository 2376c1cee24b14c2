"""The console's pages of grading and scores."""

"""The endpoints of grading and scores."""

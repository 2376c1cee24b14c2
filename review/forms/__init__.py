"""What the pages of the review of answers take."""

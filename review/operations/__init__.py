"""What is done in the review queue, one act a function."""

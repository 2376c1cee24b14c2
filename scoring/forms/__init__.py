"""What the console's forms of grading hold, read and checked."""

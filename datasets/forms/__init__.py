"""What the console's forms and filters of datasets hold, read and checked."""

"""What the console's forms and filters of test runs hold, read and checked."""

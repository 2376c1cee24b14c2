"""Commands that may know every app."""

"""Reading conversations, messages and runs."""

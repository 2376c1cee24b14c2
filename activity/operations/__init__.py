"""Every change of conversations, messages, runs and ratings."""

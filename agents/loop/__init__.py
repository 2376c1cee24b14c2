"""The agent loop: from the messages of a conversation to an answer, step by step (PL-21 to PL-25)."""

"""What people said to agents and what the agents did: conversations, messages, runs and ratings."""

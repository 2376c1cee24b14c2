"""The endpoints of runs, conversations and ratings."""

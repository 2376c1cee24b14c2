"""Test runs: an agent answers every case of a dataset version, each answer is scored, and two runs are compared."""

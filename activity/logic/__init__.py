"""Plain Python about messages and traces."""

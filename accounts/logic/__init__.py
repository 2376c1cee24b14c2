"""Plain Python of accounts, without Django."""

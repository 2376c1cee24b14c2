"""The forms of accounts: they read what was typed; the rules are the operations'."""

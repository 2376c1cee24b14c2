"""The console pages of accounts: translate in, one operation or query, translate out."""

"""Plain functions about usage, prices and waiting."""

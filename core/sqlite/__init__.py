"""Django's SQLite backend with one thing mended; named as ENGINE in config/settings.py."""

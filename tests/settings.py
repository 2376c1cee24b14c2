"""The settings under test: the product's own, on SQLite or on the PostgreSQL that TEST_DATABASE_URL names."""

import os
import tempfile
from pathlib import Path

os.environ["CASEBOOK_ENV_FILE"] = os.devnull  # a developer's own .env changes no test
os.environ["SECRET_KEY"] = "only-for-tests-" + "0123456789" * 5
os.environ["ENCRYPTION_KEYS"] = "QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI="
os.environ["DEBUG"] = "false"
os.environ["BASE_URL"] = "http://localhost:8000"
os.environ["ALLOWED_HOSTS"] = "testserver,127.0.0.1"
os.environ["LOG_LEVEL"] = "ERROR"
os.environ["API_RATE"] = "100000/minute"
os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL") or "sqlite:////tmp/casebook-unused.sqlite3"

from config.settings import *  # noqa: F403
from config.settings import DATABASES

if DATABASES["default"]["ENGINE"] == "core.sqlite":
    # A file and not memory, so that several connections see one database, as in production.
    folder = Path(tempfile.mkdtemp(prefix="casebook-tests-"))
    DATABASES["default"]["NAME"] = folder / "casebook.sqlite3"
    DATABASES["default"]["TEST"] = {"NAME": folder / "test.sqlite3"}
DATABASES["default"]["CONN_MAX_AGE"] = 0
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"

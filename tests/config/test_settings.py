"""What the settings make of the environment, each read in a process of its own (PL-50, PL-51)."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from config.environment import ROOT

PRODUCTION = {
    "PATH": os.environ["PATH"],
    "CASEBOOK_ENV_FILE": os.devnull,
    "SECRET_KEY": "only-for-tests-" + "0123456789" * 5,
    "ENCRYPTION_KEYS": "QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI=",
    "BASE_URL": "https://casebook.example.org",
    "DATABASE_URL": "postgres://casebook:s%40cret@db.example/casebook",
}


def manage(*arguments: str, **changed: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *arguments]
    environment = {**PRODUCTION, **changed}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def settings_of(*names: str, **changed: str) -> dict[str, Any]:
    """These settings as a process with this environment has them."""
    code = f"import json; from config import settings as s; print(json.dumps({{n: getattr(s, n) for n in {names}}}))"
    environment = {**PRODUCTION, **changed}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.spec("PL-51")
def test_the_deployment_check_is_clean_with_production_settings() -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout + done.stderr


@pytest.mark.spec("PL-51")
def test_a_start_with_wrong_variables_stops_and_names_them_without_a_traceback() -> None:
    done = manage("check", SECRET_KEY="short", WORKERS="none", EMAIL_URL="nowhere")
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert all(f"- {name}" in done.stderr for name in ("SECRET_KEY", "WORKERS", "EMAIL_URL"))


@pytest.mark.spec("PL-50")
def test_without_redis_the_database_is_queue_and_cache() -> None:
    found = settings_of("Q_CLUSTER", "CACHES")
    assert (found["Q_CLUSTER"]["orm"], found["Q_CLUSTER"]["broker_class"]) == ("default", "core.jobs.DatabaseQueue")
    assert found["CACHES"]["default"]["BACKEND"].endswith("DatabaseCache")


@pytest.mark.spec("PL-50")
def test_with_redis_it_is_queue_and_cache() -> None:
    found = settings_of("Q_CLUSTER", "CACHES", REDIS_URL="redis://queue.example:6379/1")
    assert found["Q_CLUSTER"]["redis"] == "redis://queue.example:6379/1"
    assert found["Q_CLUSTER"]["broker_class"] == "core.jobs.RedisQueue"
    assert "orm" not in found["Q_CLUSTER"]
    assert found["CACHES"]["default"]["LOCATION"] == "redis://queue.example:6379/1"


@pytest.mark.spec("PL-50")
def test_sqlite_waits_for_a_writer_in_wal_mode() -> None:
    options = settings_of("DATABASES", DATABASE_URL="sqlite:////tmp/casebook-never-made.sqlite3")["DATABASES"][
        "default"
    ]["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in options["init_command"]


@pytest.mark.spec("PL-50")
def test_postgresql_takes_name_and_password_from_the_address() -> None:
    found = settings_of("DATABASES")["DATABASES"]["default"]
    assert (found["ENGINE"], found["PASSWORD"]) == ("django.db.backends.postgresql", "s@cret")


@pytest.mark.spec("PL-9")
def test_https_makes_cookies_secure_and_plain_http_on_a_laptop_does_not() -> None:
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT")
    assert set(settings_of(*names).values()) == {True}
    assert set(settings_of(*names, BASE_URL="http://localhost:8000").values()) == {False}


@pytest.mark.spec("PL-9")
def test_the_scheme_is_read_from_a_header_only_behind_a_trusted_proxy() -> None:
    code = "from config import settings as s; print(hasattr(s, 'SECURE_PROXY_SSL_HEADER'))"
    found = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**PRODUCTION, "TRUSTED_PROXIES": n},
            capture_output=True,
            check=True,
        ).stdout.strip()
        for n in ("0", "1")
    ]
    assert found == [b"False", b"True"]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("smtp://u:p%40ss@mail.example", ("mail.example", 587, True, False, "p@ss")),
        ("smtps://u:pw@mail.example", ("mail.example", 465, False, True, "pw")),
        ("smtp://localhost:25", ("localhost", 25, False, False, "")),
    ],
)
def test_mail_goes_where_the_address_says(address: str, expected: tuple[Any, ...]) -> None:
    names = ("EMAIL_HOST", "EMAIL_PORT", "EMAIL_USE_TLS", "EMAIL_USE_SSL", "EMAIL_HOST_PASSWORD")
    assert tuple(settings_of(*names, EMAIL_URL=address).values()) == expected


def test_without_a_mail_server_mails_become_files_and_no_log_lines() -> None:
    assert settings_of("EMAIL_BACKEND")["EMAIL_BACKEND"].endswith("filebased.EmailBackend")

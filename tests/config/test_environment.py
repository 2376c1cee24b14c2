"""The environment table: what is read, what is refused, and that every wrong variable is named at once (PL-51)."""

from urllib.parse import urlsplit

import pytest

from config import settings_page
from config.environment import VARIABLES, WrongEnvironment, local_file, read

GOOD = {
    "SECRET_KEY": "only-for-tests-" + "0123456789" * 5,
    "ENCRYPTION_KEYS": "QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI=",
}


def refusal(**changed: str) -> str:
    with pytest.raises(WrongEnvironment) as caught:
        read({**GOOD, **changed})
    return str(caught.value)


@pytest.mark.spec("PL-51")
def test_two_secrets_are_enough_and_all_else_has_a_default() -> None:
    environment = read(GOOD)
    assert environment.BASE_URL == "http://localhost:8000"
    assert environment.DEBUG is False
    assert [v.name for v in VARIABLES if v.default is None] == ["SECRET_KEY", "ENCRYPTION_KEYS"]


@pytest.mark.spec("DS-71", "DS-D18")
def test_the_revision_limit_is_five_million_unless_a_whole_number_of_at_least_one_says_otherwise() -> None:
    assert read(GOOD).DATASET_MAX_VERSION_ROWS_PER_ORG == 5_000_000
    assert read({**GOOD, "DATASET_MAX_VERSION_ROWS_PER_ORG": "1"}).DATASET_MAX_VERSION_ROWS_PER_ORG == 1
    for wrong in ("0", "-5", "1.5", "many", "5,000,000"):
        assert "- DATASET_MAX_VERSION_ROWS_PER_ORG" in refusal(DATASET_MAX_VERSION_ROWS_PER_ORG=wrong)
    assert "`DATASET_MAX_VERSION_ROWS_PER_ORG`" in settings_page.page()


@pytest.mark.spec("PL-51")
def test_every_missing_and_wrong_variable_is_named_at_once() -> None:
    with pytest.raises(WrongEnvironment) as caught:
        read({"SECRET_KEY": "short", "WORKERS": "many", "BASE_URL": "casebook.example", "DEBUG": "perhaps"})
    for name in ("SECRET_KEY", "ENCRYPTION_KEYS is missing", "WORKERS", "BASE_URL", "DEBUG"):
        assert f"- {name}" in str(caught.value)


@pytest.mark.spec("PL-51")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", "a" * 60),
        ("ENCRYPTION_KEYS", "not-a-key"),
        ("BASE_URL", "https://casebook.example/path"),
        ("BASE_URL", "https://casebook.example:port"),
        ("BASE_URL", "ftp://casebook.example"),
        ("DATABASE_URL", "mysql://host/name"),
        ("DATABASE_URL", "postgres://host:port/name"),
        ("REDIS_URL", "localhost:6379"),
        ("EMAIL_URL", "mail.example"),
        ("WORKERS", "0"),
        ("WORKERS", "²"),
        ("WEB_THREADS", "-1"),
        ("TRUSTED_PROXIES", "1.5"),
        ("LOG_LEVEL", "verbose"),
        ("LOG_FORMAT", "xml"),
        ("API_RATE", "600"),
        ("API_RATE", "0/minute"),
        ("OIDC_SERVER_URL", "login.example"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_by_name(name: str, value: str) -> None:
    assert f"- {name} " in refusal(**{name: value})


@pytest.mark.spec("PL-51")
def test_empty_is_as_good_as_absent() -> None:
    environment = read({**GOOD, "TWO_FACTOR": "", "DATABASE_URL": "", "WORKERS": ""})
    assert (environment.TWO_FACTOR, environment.WORKERS) == (True, 2)
    assert "- SECRET_KEY is missing" in refusal(SECRET_KEY="")


@pytest.mark.spec("PL-9", "PL-51")
def test_sign_in_by_openid_connect_needs_its_client() -> None:
    assert "OIDC_CLIENT_ID and OIDC_CLIENT_SECRET" in refusal(OIDC_SERVER_URL="https://login.example")


@pytest.mark.spec("PL-51")
def test_a_refusal_repeats_no_secret() -> None:
    assert "hunter2" not in refusal(SECRET_KEY="hunter2", ENCRYPTION_KEYS="hunter2", EMAIL_URL="x://u:hunter2@h")


@pytest.mark.spec("PL-50")
def test_a_fresh_env_file_is_complete_and_different_each_time() -> None:
    lines = [line for line in local_file().splitlines() if not line.startswith("#")]
    made = dict(line.split("=", 1) for line in lines)
    assert read(made).DEBUG is True
    assert made["SECRET_KEY"] not in local_file()


@pytest.mark.spec("PL-51")
def test_the_page_of_settings_is_what_the_tables_say() -> None:
    stale = "docs/settings.md is stale: run `python manage.py settings_docs`"
    assert settings_page.PAGE.read_text(encoding="utf-8") == settings_page.page(), stale


def test_the_page_of_settings_names_no_folder_of_this_machine() -> None:
    assert "sqlite:///./var/casebook.sqlite3" in settings_page.page()
    assert urlsplit(read(GOOD).DATABASE_URL).path.endswith("/var/casebook.sqlite3")

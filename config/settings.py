"""Django's settings, each read from the environment table or fixed here with its reason."""

import os
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _
from dotenv import dotenv_values

from config.environment import ROOT, WrongEnvironment, read
from core.logging import logging_settings

try:
    _file = dotenv_values(os.environ.get("CASEBOOK_ENV_FILE", ROOT / ".env"))
    ENVIRONMENT = read({**{name: value or "" for name, value in _file.items()}, **os.environ})
except WrongEnvironment as problem:
    sys.exit(str(problem))

BASE_DIR: Path = ROOT
DEBUG: bool = ENVIRONMENT.DEBUG
SECRET_KEY: str = ENVIRONMENT.SECRET_KEY
ENCRYPTION_KEYS: tuple[str, ...] = ENVIRONMENT.ENCRYPTION_KEYS
BASE_URL: str = ENVIRONMENT.BASE_URL
IS_HTTPS = BASE_URL.startswith("https://")
ALLOWED_HOSTS = [str(urlsplit(BASE_URL).hostname), *ENVIRONMENT.ALLOWED_HOSTS]
if DEBUG:
    ALLOWED_HOSTS += ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = [BASE_URL]

INSTALLED_APPS = [
    "config",
    "core",
    "accounts",
    "datasets",
    "scoring",
    "evals",
    "review",
    "agents",
    "activity",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "guardian",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_q",
    "django_htmx",
    "template_partials",
    "django_tomselect",
    "lucide",
    "csp",
    "core.apps.OperatorsAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "core.middleware.RequestIdMiddleware",
    "core.middleware.ClientAddressMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "core.middleware.HealthMiddleware",
    "core.middleware.ReadableRequestMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.LanguageMiddleware",
    "accounts.middleware.SetUpMiddleware",
    "accounts.middleware.ActorMiddleware",
    "core.middleware.DomainErrorMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.console",
            ],
            "builtins": ["core.templatetags.values"],
        },
    }
]

# Databases. SQLite waits for a writer instead of failing: WAL lets readers go on, IMMEDIATE takes the write lock when
# the transaction begins, so that two transactions never both read and then fail to write.
DATABASES: dict[str, Any] = {"default": dj_database_url.parse(ENVIRONMENT.DATABASE_URL, conn_max_age=600)}
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000;",
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["ENGINE"] = "core.sqlite"
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS
    Path(DATABASES["default"]["NAME"]).parent.mkdir(parents=True, exist_ok=True)
else:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("connect_timeout", 10)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Rate limits, throttles and the workers' signs of life must be seen by every process, so the cache is shared too.
CACHES: dict[str, Any] = {
    "default": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": ENVIRONMENT.REDIS_URL}
        if ENVIRONMENT.REDIS_URL
        else {
            "BACKEND": "django.core.cache.backends.db.DatabaseCache",
            "LOCATION": "cache",
            # Counting up keeps an entry for this long and not for its own time: longer than any window of API_RATE.
            "TIMEOUT": 25 * 3600,
            "OPTIONS": {"MAX_ENTRIES": 100_000},  # beyond it entries are thrown away, rate limits among them
        }
    )
}

# Jobs. A job is stopped after `timeout` seconds and handed out again after `retry`, which is larger than a job's own
# time and the waiting before it in the worker that took it (`queue_limit` and one in hand). Attempts are bounded and
# each job is safe to repeat. The arguments of a job are ids only.
Q_CLUSTER: dict[str, Any] = {
    "name": "casebook",
    "workers": ENVIRONMENT.WORKERS,
    "timeout": 600,
    "retry": 1900,
    "queue_limit": 1,
    "max_attempts": 3,
    "ack_failures": False,
    "catch_up": False,
    "save_limit": 250,
    "guard_cycle": 1,
    "poll": 0.5,
    "label": "Jobs",
}
Q_CLUSTER |= (
    {"redis": ENVIRONMENT.REDIS_URL, "broker_class": "core.jobs.RedisQueue"}
    if ENVIRONMENT.REDIS_URL
    else {"orm": "default", "broker_class": "core.jobs.DatabaseQueue"}
)

# Accounts
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ANONYMOUS_USER_NAME = None
GUARDIAN_MONKEY_PATCH_USER = False
# Grants are read by accounts/access.py alone; guardian's backend would also honour model-level permissions.
SILENCED_SYSTEM_CHECKS = ["guardian.W001"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_ADAPTER = "accounts.adapters.AccountAdapter"
SOCIALACCOUNT_ADAPTER = "accounts.adapters.SocialAccountAdapter"
MFA_ADAPTER = "accounts.adapters.MfaAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "login_failed": "10/m/ip,5/5m/key"}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"] if ENVIRONMENT.TWO_FACTOR else []
MFA_TOTP_ISSUER = "Casebook"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = True
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_PROVIDERS: dict[str, Any] = {}
if ENVIRONMENT.OIDC_SERVER_URL:
    SOCIALACCOUNT_PROVIDERS["openid_connect"] = {
        "APPS": [
            {
                "provider_id": "sso",
                "name": ENVIRONMENT.OIDC_NAME,
                "client_id": ENVIRONMENT.OIDC_CLIENT_ID,
                "secret": ENVIRONMENT.OIDC_CLIENT_SECRET,
                "settings": {"server_url": ENVIRONMENT.OIDC_SERVER_URL},
            }
        ]
    }

# Browser security
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = IS_HTTPS
CSRF_FAILURE_VIEW = "core.views.errors.csrf_failure"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = IS_HTTPS
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS
SECURE_HSTS_PRELOAD = IS_HTTPS
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
TRUSTED_PROXIES: int = ENVIRONMENT.TRUSTED_PROXIES
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        # Signing in through OpenID Connect is a form that is redirected to the issuer.
        "form-action": [SELF, *([ENVIRONMENT.OIDC_SERVER_URL] if ENVIRONMENT.OIDC_SERVER_URL else [])],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
    }
}

# Requests. A file of 10 MB is an import's most (DS-76), and the form around it needs room for its other fields.
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_HANDLERS = [
    "core.uploads.BoundedUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# API
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.authentication.ApiKeyAuthentication",
        "accounts.api.authentication.MemberSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.api.authentication.HasActor"],
    "DEFAULT_PARSER_CLASSES": ["core.api.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_THROTTLE_CLASSES": ["accounts.api.throttling.ActorRateThrottle"],
    "DEFAULT_THROTTLE_RATES": {"actor": ENVIRONMENT.API_RATE},
    "DEFAULT_METADATA_CLASS": None,
    "URL_FORMAT_OVERRIDE": None,  # `format` in a query is ours: the format of an export
    "DEFAULT_SCHEMA_CLASS": "core.api.schema.CasebookSchema",
    "EXCEPTION_HANDLER": "core.api.errors.handle_exception",
    "NUM_PROXIES": TRUSTED_PROXIES,
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Casebook API",
    "DESCRIPTION": "Datasets, cases and versions of Casebook. Everything the console does can be done here.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,  # what a PATCH needs is said by its own serializer
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "DISABLE_ERRORS_AND_WARNINGS": False,
    "ENUM_NAME_OVERRIDES": {
        "AgentKind": "agents.models.AgentKind",
        "AttemptKind": "evals.models.AttemptKind",
        "AttemptStatus": "evals.models.AttemptState",
        "CostKind": "evals.api.start_shapes.COST_KINDS",
        "EvalStatus": "evals.models.EvalState",
        "FindingKind": "scoring.api.score_shapes.FINDING_KINDS",
        "MemberRole": "accounts.api.serializers.ROLES",
        "RunKind": "activity.models.RunKind",
        "RunStatus": "activity.models.RunStatus",
        "ScoreOutcome": "scoring.models.ScoreOutcome",
        "ScoreState": "scoring.models.ScoreState",
        "ToolOutcome": "scoring.logic.stored_answers.OUTCOMES",
    },
    "PATH_CONVERTER_OVERRIDES": {
        "id": {"type": "string", "format": "uuid"},
        "number": {"type": "integer", "minimum": 1, "maximum": 999_999_999},
    },
}

# Languages (PL-53)
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("es", _("Spanish")), ("pl", _("Polish"))]
LOCALE_PATHS = [ROOT / "locale"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Static files
STATIC_URL = "static/"
STATIC_ROOT = ROOT / "staticfiles"
STATICFILES_DIRS = [ROOT / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "core.static_files.HashedModulesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG

# Mail
DEFAULT_FROM_EMAIL: str = ENVIRONMENT.DEFAULT_FROM_EMAIL
EMAIL_IS_SET_UP = bool(ENVIRONMENT.EMAIL_URL)
if EMAIL_IS_SET_UP:
    _mail = urlsplit(ENVIRONMENT.EMAIL_URL)
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST = _mail.hostname or "localhost"
    EMAIL_USE_SSL = _mail.scheme == "smtps"
    EMAIL_PORT = _mail.port or (465 if EMAIL_USE_SSL else 587)
    EMAIL_USE_TLS = not EMAIL_USE_SSL and EMAIL_PORT == 587
    EMAIL_HOST_USER = unquote(_mail.username or "")
    EMAIL_HOST_PASSWORD = unquote(_mail.password or "")
    EMAIL_TIMEOUT = 20
else:
    # Not the log: mails hold links with tokens.
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = ROOT / "var" / "mail"

# Logs
LOGGING = logging_settings(level=ENVIRONMENT.LOG_LEVEL, style=ENVIRONMENT.LOG_FORMAT)

# What apps read
OUTGOING_ALLOWED_HOSTS: tuple[str, ...] = ENVIRONMENT.OUTGOING_ALLOWED_HOSTS
DATASET_MAX_VERSION_ROWS_PER_ORG: int = ENVIRONMENT.DATASET_MAX_VERSION_ROWS_PER_ORG
EVAL_MAX_ATTEMPTS: int = ENVIRONMENT.EVAL_MAX_ATTEMPTS
EVAL_CONCURRENCY_PER_RUN: int = ENVIRONMENT.EVAL_CONCURRENCY_PER_RUN
EVAL_CONCURRENCY_PER_ORG: int = ENVIRONMENT.EVAL_CONCURRENCY_PER_ORG
EVAL_MAX_ACTIVE_PER_ORG: int = ENVIRONMENT.EVAL_MAX_ACTIVE_PER_ORG
EVAL_ATTEMPT_TIMEOUT_SECONDS: int = ENVIRONMENT.EVAL_ATTEMPT_TIMEOUT_SECONDS
EVAL_LEASE_SECONDS: int = ENVIRONMENT.EVAL_LEASE_SECONDS
EVAL_CONFIRM_ATTEMPTS: int = ENVIRONMENT.EVAL_CONFIRM_ATTEMPTS
EVAL_CONFIRM_MAX_CASES: int = ENVIRONMENT.EVAL_CONFIRM_MAX_CASES

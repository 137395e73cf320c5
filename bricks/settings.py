"""Settings of Brickstow, read from the environment.

Nothing has to be set: the embedded defaults are SQLite, an in-process job worker
and files under `var/`. `PRODUCTION=1` switches to PostgreSQL, Redis and S3, and
refuses to start while something it needs is missing.
"""

import base64
import contextlib
import logging
import os
import secrets
import stat
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django_stubs_ext
import environ
import structlog
from corsheaders.defaults import default_headers
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from apps.core.help import add_headers
from apps.core.redaction import redact

django_stubs_ext.monkeypatch()

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = BASE_DIR / env.str("VAR_DIR", default="var")  # an absolute path stays itself

# -- Product ---------------------------------------------------------------------------

PRODUCT_NAME = "Brickstow"
PRODUCTION = env.bool("PRODUCTION", default=False)
DEMO_MODE = env.bool("DEMO_MODE", default=not PRODUCTION)
API_HOST = env.str("API_HOST", default="")  # empty: the page's own origin
DEBUG = False


def required_in_production(name: str, example: str) -> str:
    """Return the variable, or '' when embedded; production stops with one clear line."""
    value: str = env.str(name, default="")
    if PRODUCTION and not value:
        raise ImproperlyConfigured(f"PRODUCTION=1 needs {name}, for example {name}={example}")
    return value


def checked_keys(text: str) -> list[str]:
    """Return Fernet keys, written with commas between; stop with one clear line at any other."""
    keys = [key.strip() for key in text.split(",") if key.strip()]
    for key in keys:
        try:
            is_key = len(base64.b64decode(key, altchars=b"-_", validate=True)) == 32
        except ValueError:
            is_key = False
        if not is_key:
            raise ImproperlyConfigured(
                "CREDENTIALS_KEY must be 32 bytes in URL-safe base64, as printed by: python -c "
                "'from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())'"
            )
    return keys


def local_secret_key() -> str:
    """Return the key kept in `var/secret_key`, made on the first start."""
    path = VAR_DIR / "secret_key"
    if not path.exists():
        # Written aside and linked into place: of processes that start together, one
        # makes the key and none reads half of it.
        fresh = VAR_DIR / f"secret_key.{os.getpid()}"
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(50))
        try:
            path.hardlink_to(fresh)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return path.read_text().strip()


def keep_private(path: Path, mode: int) -> None:
    """Take the rights of other users of the machine away, where the file is ours."""
    with contextlib.suppress(OSError):
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            path.chmod(mode)


if not PRODUCTION:
    VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    keep_private(VAR_DIR / "media", 0o700)
SECRET_KEY = required_in_production("SECRET_KEY", "a-long-random-text") or local_secret_key()
ALLOWED_HOSTS = [
    host for host in required_in_production("ALLOWED_HOSTS", "shop.example.org").split(",") if host
] or ["localhost", "127.0.0.1", "[::1]", "testserver"]
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
# What links in mails begin with.
PUBLIC_URL = env.str(
    "PUBLIC_URL",
    default=f"https://{ALLOWED_HOSTS[0]}"
    if PRODUCTION
    else f"http://localhost:{env.str('PORT', default='8000')}",
).rstrip("/")
# Reverse proxies in front of us whose X-Forwarded-For we believe; 0 believes none.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)

# -- Apps ------------------------------------------------------------------------------

INSTALLED_APPS = [
    "apps.core.admin_site.OperatorsConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "corsheaders",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "rest_framework_simplejwt",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "apps.core",
    "apps.accounts",
    "apps.webhooks",
    "apps.catalog",
    "apps.pictures",
    "apps.sources",
    "apps.locations",
    "apps.lots",
    "apps.inventory",
    "apps.sets",
    "apps.recognition",
    "apps.marketplace",
    "apps.auctions",
    "apps.batches",
    "apps.listings",
    "apps.orders",
    "apps.books",
    "apps.exports",
    "apps.backups",
    "apps.home",
]

MIDDLEWARE = [
    "apps.core.api.middleware.ClosedConnectionMiddleware",
    "apps.core.api.middleware.HeadMiddleware",
    # Before the others, so that their refusals under /api are in the envelope too.
    "apps.core.api.middleware.ApiEnvelopeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "apps.core.api.middleware.PermissionsPolicyMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "apps.core.api.middleware.BodyLimitMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "bricks.urls"
WSGI_APPLICATION = "bricks.wsgi.application"
APPEND_SLASH = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False
LANGUAGE_CODE = "en"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# -- Database --------------------------------------------------------------------------

SQLITE_ENGINE = "apps.core.sqlite3"
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA cache_size=-65536;"
        "PRAGMA mmap_size=134217728;PRAGMA temp_store=MEMORY;PRAGMA secure_delete=ON;"
        "PRAGMA journal_size_limit=67108864;PRAGMA wal_autocheckpoint=6000;"
    ),
}
POSTGRES_OPTIONS = {
    "connect_timeout": 5,
    "options": (
        "-c statement_timeout=15s -c lock_timeout=5s -c idle_in_transaction_session_timeout=60s"
        # Compiling the sums of /api/sources took 7 s, running them 80 ms.
        " -c jit=off"
    ),
}


def database_settings() -> dict[str, Any]:
    """Return PostgreSQL from DATABASE_URL, else the SQLite file under `var/`."""
    url = required_in_production("DATABASE_URL", "postgres://user:password@host:5432/brickstow")
    # Not by a URL: a path may hold what means something else there.
    local: dict[str, Any] = {
        "ENGINE": SQLITE_ENGINE,
        "NAME": str(VAR_DIR / "brickstow.sqlite3"),
    }
    config: dict[str, Any] = environ.Env.db_url_config(url) if url else local
    if config["ENGINE"].endswith("sqlite3"):
        # SQLite gives its log and index the rights of the database.
        if (path := Path(config["NAME"])) != Path(":memory:"):
            with contextlib.suppress(OSError):
                os.close(os.open(path, os.O_CREAT | os.O_RDONLY, 0o600))
            keep_private(path, 0o600)
        return {
            **config,
            "ENGINE": SQLITE_ENGINE,
            "OPTIONS": SQLITE_OPTIONS,
            "CONN_MAX_AGE": None,
        }
    return {
        **config,
        "OPTIONS": {**config.get("OPTIONS", {}), **POSTGRES_OPTIONS},
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }


DATABASES = {"default": database_settings()}

# -- Jobs ------------------------------------------------------------------------------

# No Redis: one worker process on Celery's in-memory transport, fed from the job rows.
REDIS_URL = required_in_production("REDIS_URL", "redis://localhost:6379/0")
JOB_LEASE_SECONDS = env.int("JOB_LEASE_SECONDS", default=30)
JOB_POLL_SECONDS = env.float("JOB_POLL_SECONDS", default=5.0 if REDIS_URL else 0.25)

CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Printed for the operator; the log would hide the links in it.
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.1}
# Periodic jobs are stored as job rows (`job_handler(…, every=…)`); beat only makes the workers look
# for due ones. The workers also look on their own, so that a missing or second beat does no harm.
BEAT_SECONDS = env.int("BEAT_SECONDS", default=60)
CELERY_BEAT_SCHEDULE = {
    "start what is due": {
        "task": "core.start_due_jobs",
        "schedule": BEAT_SECONDS,
        "options": {"expires": BEAT_SECONDS},
    }
}
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        "visibility_timeout": 3600,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_timeout": 2,
        "socket_connect_timeout": 2,
    }
    if REDIS_URL
    else {"polling_interval": 0.1}  # one second by default: each job would wait for it
)

CACHES = {
    "default": {
        "BACKEND": "apps.core.cache.OutageTolerantCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

# -- Files -----------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"] if (BASE_DIR / "static").is_dir() else []
# webpack puts the content hash into the name, so these never change.
WHITENOISE_IMMUTABLE_FILE_TEST = r"\.[0-9a-f]{8,}\."
# The documentation, under /help, once `make docs` has built it.
WHITENOISE_ROOT = BASE_DIR / "docs" / "site"
WHITENOISE_INDEX_FILE = True
WHITENOISE_ADD_HEADERS_FUNCTION = add_headers
MEDIA_ROOT = VAR_DIR / "media"
MEDIA_URL = "/media/"
MAX_UPLOAD_BYTES = env.int("MAX_UPLOAD_BYTES", default=64 * 1024 * 1024)
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024


def s3_config() -> Any:
    """Return how S3 is asked: by default a silent one would hold a request for minutes."""
    from botocore.config import Config

    return Config(
        signature_version="s3v4",
        connect_timeout=3,
        read_timeout=20,
        retries={"mode": "standard", "total_max_attempts": 3},
        # Servers other than Amazon's do not know its newer checksums.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )


STORAGE_BUCKET = required_in_production("STORAGE_BUCKET", "brickstow-files")
STORAGES: dict[str, dict[str, Any]] = {
    "default": (
        {
            "BACKEND": "storages.backends.s3.S3Storage",
            "OPTIONS": {
                "bucket_name": STORAGE_BUCKET,
                # None: Amazon's own, and its other ways of finding keys (a role, a file).
                "endpoint_url": env.str("STORAGE_URL", default="") or None,
                "region_name": env.str("AWS_REGION", default="") or None,
                "access_key": env.str("AWS_ACCESS_KEY_ID", default="") or None,
                "secret_key": env.str("AWS_SECRET_ACCESS_KEY", default="") or None,
                "client_config": s3_config(),
                "default_acl": "private",
                "querystring_auth": True,
                "file_overwrite": False,
            },
        }
        if STORAGE_BUCKET
        else {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            # People's files: for this user of the machine alone.
            "OPTIONS": {"file_permissions_mode": 0o600, "directory_permissions_mode": 0o700},
        }
    ),
    # The bundle comes compressed from its build; production compresses the admin's files too.
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# -- API -------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["apps.accounts.api.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["apps.core.api.rendering.EnvelopeRenderer"],
    # A form cannot carry null, numbers or lists as such: only what takes a file reads one.
    "DEFAULT_PARSER_CLASSES": ["apps.core.api.parsing.DepthLimitedJSONParser"],
    "DEFAULT_PAGINATION_CLASS": "apps.core.api.pagination.PagePagination",
    "DEFAULT_FILTER_BACKENDS": [
        "django_filters.rest_framework.DjangoFilterBackend",
        "apps.core.api.ordering.StableOrderingFilter",
    ],
    "DEFAULT_SCHEMA_CLASS": "apps.core.api.schema.EnvelopeSchema",
    "EXCEPTION_HANDLER": "apps.core.api.failures.envelope_exception_handler",
    "NUM_PROXIES": TRUSTED_PROXIES,
    # The schema describes the API; OPTIONS is left to CORS.
    "DEFAULT_METADATA_CLASS": None,
    "PAGE_SIZE": 25,
    "DATETIME_FORMAT": "%Y-%m-%dT%H:%M:%S.%fZ",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "TEST_REQUEST_RENDERER_CLASSES": [
        "rest_framework.renderers.JSONRenderer",
        "rest_framework.renderers.MultiPartRenderer",
    ],
}

SPECTACULAR_SETTINGS = {
    "TITLE": f"{PRODUCT_NAME} API",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    # `manage.py guard` checks the schema; an operator cannot change it.
    "ENABLE_DJANGO_DEPLOY_CHECK": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    # Several resources have a `state`: each set of values gets its own name.
    "ENUM_NAME_OVERRIDES": {
        "LabelLayout": "apps.locations.rules.label_layouts.CHOICES",
        "StockroomEnum": "apps.lots.models.Stockroom",
        "ConditionEnum": "apps.lots.models.Condition",
        "LotConditionEnum": "apps.lots.models.LotCondition",
        "RoleEnum": "apps.accounts.models.Role",
        "MembersRole": "apps.accounts.models.MEMBERS_ROLES",
        "JobState": "apps.core.jobs.models.JobState",
        "OrderState": "apps.orders.models.OrderState",
        "OrderOrigin": "apps.orders.models.OrderOrigin",
        "OrderStepState": "apps.orders.models.StepState",
        "ShortReason": "apps.orders.models.ShortReason",
        "ReasonEnum": "apps.inventory.models.Reason",
        "UserSetState": "apps.sets.models.SetState",
        "ItemTypeEnum": "apps.catalog.models.choices.ITEM_TYPES",
        "PriceBasis": "apps.catalog.models.price_rule.BASES",
        "ColumnField": "apps.inventory.api.sync_serializers.COLUMN_CHOICES",
        "DecimalSign": [(".", "."), (",", ",")],
        "PriceBy": [("fixed", "fixed"), ("percent", "percent"), ("rule", "rule")],
        "OperationKind": "apps.batches.models.OperationKind",
        "ActKind": "apps.lots.models.ActKind",
        "ExportKind": "apps.exports.models.ExportKind",
        "LotStatus": "apps.lots.models.Status",
        "OperationOutcome": "apps.batches.models.Outcome",
        "MarketplaceConnectionState": "apps.marketplace.api.serializers.STATES",
        "PriceRunState": "apps.marketplace.api.wanting.STATES",
        "AuctionStatus": "apps.auctions.api.serializers.STATUSES",
        "AuctionOutcome": "apps.auctions.api.serializers.OUTCOMES",
        "BatchItemState": [("new", "new"), ("stowed", "stowed"), ("listed", "listed")],
        "RemovableState": [("new", "new"), ("stowed", "stowed")],
        "StoreSyncState": "apps.listings.models.SyncState",
        "ConflictDecision": "apps.inventory.models.Decision",
        "MineOrTheirs": [("mine", "mine"), ("theirs", "theirs")],
        "SeveralLocations": [("ignore", "ignore"), ("first", "first"), ("whole", "whole")],
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "apps.core.api.schema.wrap_in_envelope",
        "apps.accounts.api.scopes.name_scopes",
    ],
    "PREPROCESSING_HOOKS": [],
}

SIMPLE_JWT = {
    "ACCESS_TOKEN_LIFETIME": timedelta(minutes=20),
    "REFRESH_TOKEN_LIFETIME": timedelta(days=14),
    "ALGORITHM": "HS256",
    "LEEWAY": 0,
    "USER_ID_CLAIM": "sub",
    "AUTH_HEADER_TYPES": ("Bearer",),
}
REFRESH_GRACE = timedelta(seconds=60)

# Where the page comes from another origin than the API (API_HOST): these origins only.
CORS_ALLOWED_ORIGINS = env.list("CORS_ALLOWED_ORIGINS", default=[])
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_HEADERS = (*default_headers, "idempotency-key", "x-proof")
CORS_EXPOSE_HEADERS = ("Content-Disposition", "Idempotent-Replay", "Retry-After")

# -- Security --------------------------------------------------------------------------

PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("email_address", "name")},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {"NAME": "apps.accounts.services.password_validators.NotGuessedFirst"},
]
AUTHENTICATION_BACKENDS = ["apps.accounts.api.authentication.LimitedBackend"]
PASSWORD_RESET_TIMEOUT = 3600
# How often one token of a program may call the API.
TOKEN_CALLS_PER_MINUTE = env.int("TOKEN_CALLS_PER_MINUTE", default=300)
LOGIN_LIMITS = {"account_per_minute": 5, "address_per_minute": 20}
# Guesses at a second factor. Of 1,000,000 codes three are right at a time.
FACTOR_LIMITS = {"account_per_minutes": 5, "account_per_day": 50, "address_per_minutes": 20}

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
if PRODUCTION:
    SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    if TRUSTED_PROXIES:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# -- Pictures --------------------------------------------------------------------------

# Coloured pictures are kept here: at most so many, whichever were asked for last.
PICTURE_CACHE_DIR = VAR_DIR / "pictures"
PICTURE_CACHE_FILES = env.int("PICTURE_CACHE_FILES", default=32_768)
# How many pictures that are not kept yet one address may ask for in a minute, and all together.
PICTURES_PER_MINUTE = env.int("PICTURES_PER_MINUTE", default=2_400)
PICTURES_PER_MINUTE_OF_ALL = env.int("PICTURES_PER_MINUTE_OF_ALL", default=6_000)
# Pictures of other sites for parts without a model. They belong to those sites: read their terms,
# and ask for permission where required, before you switch this on.
OUTSIDE_PICTURES = env.bool("OUTSIDE_PICTURES", default=False)

# Where the page may load pictures from beside us, such as those of a recogniser's answers.
IMAGE_HOSTS = env.list("IMAGE_HOSTS", default=[])

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:", "blob:", *IMAGE_HOSTS],
        "font-src": [SELF],
        "connect-src": [SELF, *([API_HOST] if API_HOST else [])],
        "media-src": [SELF, "blob:"],
        "worker-src": [SELF, "blob:"],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

# -- Recognition -----------------------------------------------------------------------

# Our own recogniser needs no setting. An external service is asked as well only if its address is
# set here: it may keep pictures, so read its terms (https://api.brickognize.com).
RECOGNITION_URL = env.str("RECOGNITION_URL", default="")

# -- Auctions --------------------------------------------------------------------------

# Embedded, the simulator beside us. The real site's terms forbid automated use without its
# consent: it is asked only where the operator says so with AUCTIONS_LIVE=1.
AUCTIONS_LIVE = env.bool("AUCTIONS_LIVE", default=False)
AUCTIONS_URL = env.str(
    "AUCTIONS_URL",
    default="https://buyerapi.shopgoodwill.com/api"
    if PRODUCTION or AUCTIONS_LIVE
    else f"http://127.0.0.1:{env.int('PORT', default=8000) + 103}/api",
)
AUCTIONS_IS_DEMO = urlsplit(AUCTIONS_URL).hostname in {"127.0.0.1", "localhost"}
# Politeness: a listing that was just read is not read again, and there is a gap between calls.
AUCTIONS_FRESH_SECONDS = env.int("AUCTIONS_FRESH_SECONDS", default=0 if AUCTIONS_IS_DEMO else 60)
AUCTIONS_CALL_GAP_MS = env.int("AUCTIONS_CALL_GAP_MS", default=0 if AUCTIONS_IS_DEMO else 2_000)

# -- Marketplace -----------------------------------------------------------------------

# Embedded, the demo store beside us; in production the real one.
MARKETPLACE_URL = env.str(
    "MARKETPLACE_URL",
    default="https://api.bricklink.com/api/store/v1"
    if PRODUCTION
    else f"http://127.0.0.1:{env.int('PORT', default=8000) + 102}/api/store/v1",
)
MARKETPLACE_IS_DEMO = urlsplit(MARKETPLACE_URL).hostname in {"127.0.0.1", "localhost"}
# Another marketplace, for who sells there instead.
BRICKOWL_URL = env.str(
    "BRICKOWL_URL",
    default="https://api.brickowl.com/v1"
    if PRODUCTION
    else f"http://127.0.0.1:{env.int('PORT', default=8000) + 104}/v1",
)
BRICKOWL_IS_DEMO = urlsplit(BRICKOWL_URL).hostname in {"127.0.0.1", "localhost"}
# The marketplace's daily allowance of calls; we stop before it is used up.
MARKETPLACE_DAILY_CALLS = env.int("MARKETPLACE_DAILY_CALLS", default=5_000)
# A call without an answer may still arrive within this time: then what became of it is looked at again.
MARKETPLACE_SECOND_LOOK_SECONDS = env.int("MARKETPLACE_SECOND_LOOK_SECONDS", default=60)
if MARKETPLACE_SECOND_LOOK_SECONDS < 1:
    raise ImproperlyConfigured("MARKETPLACE_SECOND_LOOK_SECONDS must be 1 or more.")
# What secrets of other services are encrypted with: the newest first, older ones still read.
# Embedded, one is made in `var/credentials_key` when the first secret is stored.
CREDENTIALS_KEYS = checked_keys(
    required_in_production("CREDENTIALS_KEY", "UvX0sYDk4pmwo6RZSz8mCqTgyAHjJ0o1DoBM2rX0vl8=")
)

# -- Webhooks --------------------------------------------------------------------------

# Whether webhooks may lead into private networks, this machine included, and without TLS.
WEBHOOKS_TO_PRIVATE = env.bool("WEBHOOKS_TO_PRIVATE", default=False)

# -- Mail ------------------------------------------------------------------------------

EMAIL_URL = env.str("EMAIL_URL", default="")
EMAIL_CONFIG = environ.Env.email_url_config(EMAIL_URL or "consolemail://")
vars().update(EMAIL_CONFIG)
# Without it addresses need no confirmation; embedded, links are printed for the operator.
MAIL_IS_SENT = bool(EMAIL_URL) and not EMAIL_CONFIG["EMAIL_BACKEND"].endswith(
    (".console.EmailBackend", ".dummy.EmailBackend")
)
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="brickstow@localhost")

# -- Logs ------------------------------------------------------------------------------

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                redact,
                structlog.processors.JSONRenderer(),
            ],
            "foreign_pre_chain": [
                structlog.stdlib.ExtraAdder(),
                structlog.stdlib.add_log_level,
                structlog.stdlib.add_logger_name,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
            ],
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"level": LOG_LEVEL},
        "django.request": {"level": "ERROR"},
        # It warns of the in-memory transport having no host.
        "kombu.connection": {"level": "ERROR"},
        # Its lower levels log the token and the signed text.
        "oauthlib": {"level": "WARNING"},
        # Its lowest level logs addresses, and BrickOwl's hold the key.
        "urllib3": {"level": "INFO"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}
logging.captureWarnings(True)

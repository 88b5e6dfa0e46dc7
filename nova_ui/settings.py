"""What the environment may set: every `NOVA_…` variable, parsed once at start."""

import difflib
import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final, Self
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import Field, JsonValue, SecretStr, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from nova_ui.errors import ConfigurationError

PREFIX: Final = "NOVA_"
_FOLDER_NAME: Final = "nova-ai"
_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}


class SecureCookies(StrEnum):
    """When a cookie is sent over TLS only."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class LogLevel(StrEnum):
    """How much the log tells."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Settings(BaseSettings):
    """All settings. Each field is the environment variable `NOVA_<FIELD>`; a command line option overrides it."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="forbid", hide_input_in_errors=True, env_ignore_empty=True
    )

    data_dir: Path | None = Field(
        default=None,
        description="Folder of the database and the key file; created with 0700. Default: a folder of the person "
        "who starts the server, another one for the demo.",
    )
    host: str = Field(default="127.0.0.1", min_length=1, description="Address to listen on.")
    port: int = Field(default=8080, ge=0, le=65535, description="Port to listen on; 0 takes any free one.")
    database_url: SecretStr | None = Field(
        default=None,
        description="Database, such as postgresql://nova@localhost/nova. Default: SQLite in the data folder.",
    )
    key_file: Path | None = Field(
        default=None,
        description="File of the encryption keys; generated with 0600 if missing. Default: keys.json in the data "
        "folder. Servers that share a database need the same keys.",
    )
    demo: bool = Field(
        default=False, description="Load the sample organisation and print four sign-ins; loopback addresses only."
    )
    demo_password: SecretStr | None = Field(
        default=None, description="Password of the four demo sign-ins. Default: made at each start."
    )
    ai_base_url: str | None = Field(
        default=None,
        description="Address of an OpenAI-compatible model, such as http://localhost:11434/v1. Default: the model "
        "that is built in.",
    )
    ai_api_key: SecretStr | None = Field(default=None, description="Key that is sent to NOVA_AI_BASE_URL.")
    ai_model: str | None = Field(default=None, description="Name of the model at NOVA_AI_BASE_URL.")
    session_idle_minutes: int = Field(
        default=60,
        ge=5,
        le=1440,
        description="A session ends after so many minutes without a request, until a sign-in policy is stored.",
    )
    session_max_hours: int = Field(
        default=12,
        ge=1,
        le=720,
        description="A session ends after so many hours, used or not, until a sign-in policy is stored.",
    )
    secure_cookies: SecureCookies = Field(
        default=SecureCookies.AUTO,
        description="Send cookies over TLS only: auto (when the request came by TLS), always or never.",
    )
    forwarded_allow_ips: str = Field(
        default="",
        pattern=r"^[0-9A-Fa-f.:/, *]*$",
        description="Addresses of the proxies whose X-Forwarded-For and X-Forwarded-Proto are believed, separated "
        "by commas. Default: none.",
    )
    path_prefix: str = Field(
        default="",
        pattern=r"^(/[A-Za-z0-9._~-]+)*$",
        description="Prefix that a proxy strips and names in X-Forwarded-Prefix, such as /gui. Default: none.",
    )
    max_body_bytes: int = Field(
        default=1_048_576, ge=65_536, le=104_857_600, description="Largest request body in bytes."
    )
    messages_per_minute: int = Field(
        default=30,
        ge=1,
        le=6000,
        description="How many messages to AI assistants one identity may send at once, and in every minute.",
    )
    allow_private_addresses: bool = Field(
        default=False,
        description="Let connections of applications, and what else administrators enter, call private networks and "
        "this computer.",
    )
    log_level: LogLevel = Field(default=LogLevel.INFO, description="How much is logged: debug, info, warning, error.")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read what the caller passes, then the environment; a `.env` found by chance sets nothing."""
        del settings_cls, dotenv_settings, file_secret_settings
        return init_settings, env_settings

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: SecretStr | None) -> SecretStr | None:
        if value is None:
            return None
        try:
            url = make_url(value.get_secret_value())
        except ArgumentError:
            raise ValueError("is not a database address") from None
        driver = _DRIVERS.get(url.drivername)
        if driver is None:
            raise ValueError("must begin with sqlite:// or postgresql://")
        return SecretStr(url.set(drivername=driver).render_as_string(hide_password=False))

    @field_validator("ai_base_url")
    @classmethod
    def _http_address(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError("must begin with http:// or https:// and name a host")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("must hold neither a password nor a query; the key belongs in NOVA_AI_API_KEY")
        return value.rstrip("/")

    @model_validator(mode="after")
    def _model_is_whole(self) -> Self:
        if self.ai_base_url is not None and not self.ai_model:
            raise ValueError("NOVA_AI_MODEL: is needed together with NOVA_AI_BASE_URL")
        if self.ai_base_url is None and (self.ai_api_key is not None or self.ai_model is not None):
            given = "NOVA_AI_API_KEY" if self.ai_api_key is not None else "NOVA_AI_MODEL"
            raise ValueError(f"NOVA_AI_BASE_URL: is needed together with {given}")
        return self

    @property
    def data_path(self) -> Path:
        """The data folder: the given one, or one of this person; the demo's own, so that it never meets real data."""
        if self.data_dir is not None:
            return self.data_dir.expanduser().absolute()
        return user_data_path(f"{_FOLDER_NAME}-demo" if self.demo else _FOLDER_NAME, appauthor=False)

    @property
    def key_path(self) -> Path:
        """Where the keys lie."""
        return self.key_file.expanduser().absolute() if self.key_file else self.data_path / "keys.json"

    @property
    def database_address(self) -> str:
        """The database for `storage.database.Database`; may hold a password, so it is never logged."""
        if self.database_url is not None:
            return self.database_url.get_secret_value()
        return f"sqlite+aiosqlite:///{self.data_path / 'nova.sqlite3'}"


def variable(field: str) -> str:
    """Return the environment variable of a field."""
    return f"{PREFIX}{field.upper()}"


def load_settings(overrides: Mapping[str, JsonValue | Path] | None = None) -> Settings:
    """Read the environment; `overrides` come from the command line and win.

    Raises:
        ConfigurationError: an unusable value or an unknown variable; every one is named, no value is repeated.

    """
    faults = [*_unknown_variables(os.environ)]
    try:
        settings = Settings(**dict(overrides or {}))  # type: ignore[arg-type]  # checked by pydantic
    except ValidationError as error:
        faults += [_fault(detail) for detail in error.errors(include_url=False, include_input=False)]
        raise ConfigurationError("; ".join(faults)) from None
    if faults:
        raise ConfigurationError("; ".join(faults))
    return settings


def _unknown_variables(environment: Mapping[str, str]) -> list[str]:
    known = {variable(field) for field in Settings.model_fields}
    faults = []
    for name in sorted(environment):
        if not name.upper().startswith(PREFIX) or name.upper() in known:
            continue
        near = difflib.get_close_matches(name.upper(), known, n=1)
        faults.append(f"{name}: is not a setting" + (f"; did you mean {near[0]}?" if near else ""))
    return faults


def _fault(detail: ErrorDetails) -> str:
    message = detail["msg"].removeprefix("Value error, ")
    if not detail["loc"]:
        return message  # a rule over several fields names its variable itself
    return f"{variable(str(detail['loc'][0]))}: {message}"

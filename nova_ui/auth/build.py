"""Builds the door from its parts, and puts the guards before everything else."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import nicegui
from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware

from nova_ui.auth.body_limit import BodyLimit
from nova_ui.auth.confirmation import Confirmation
from nova_ui.auth.cookies import SESSION_COOKIE, Cookies
from nova_ui.auth.door import Door
from nova_ui.auth.failures import Failures
from nova_ui.auth.forms import Forms
from nova_ui.auth.guard import SessionGuard
from nova_ui.auth.headers import SecurityHeaders
from nova_ui.auth.password import Passwords
from nova_ui.auth.policies import initial_policy
from nova_ui.auth.session import SessionLimits, Sessions
from nova_ui.auth.setup import LoadSample, Setup
from nova_ui.auth.sign_in import PasswordSignIn
from nova_ui.auth.signing_in import SigningIn, build_signing_in
from nova_ui.auth.sockets import find_page
from nova_ui.auth.steps import SignInSteps
from nova_ui.domain.clock import Clock
from nova_ui.i18n.translator import Translators
from nova_ui.nova_client.origin import without_delegation
from nova_ui.settings import Settings
from storage.database import Database
from storage.encryption import Encryption

NICEGUI_STATIC: Final = f"/_nicegui/{nicegui.__version__}/"
_GZIP_FROM_BYTES: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Auth:
    """Everything about who is here."""

    passwords: Passwords
    sessions: Sessions
    password_sign_in: PasswordSignIn
    steps: SignInSteps
    confirmation: Confirmation
    signing_in: SigningIn
    setup: Setup
    cookies: Cookies
    door: Door


def build_auth(
    *,
    database: Database,
    clock: Clock,
    encryption: Encryption,
    settings: Settings,
    translators: Translators,
    load_sample: LoadSample,
    passwords: Passwords | None = None,
) -> Auth:
    """Build the door. `passwords` may be given quicker parameters by tests."""
    passwords = passwords or Passwords()
    limits = SessionLimits(
        idle=timedelta(minutes=settings.session_idle_minutes), lifetime=timedelta(hours=settings.session_max_hours)
    )
    sessions = Sessions(database, clock, limits)
    parts = build_signing_in(
        database, clock, encryption, sessions, passwords=passwords, initial=initial_policy(settings)
    )
    sign_in = PasswordSignIn(database, clock, passwords, sessions, parts.policies)
    steps = SignInSteps(
        database,
        clock,
        sessions=sessions,
        sign_in=sign_in,
        signing_in=parts,
    )
    confirmation = Confirmation(database, clock, parts, encryption.derive("session renewals"))
    setup = Setup(database, clock, encryption, passwords, load_sample)
    cookies = Cookies(settings)
    door = Door(
        sessions=sessions,
        password_sign_in=sign_in,
        steps=steps,
        confirmation=confirmation,
        policies=parts.policies,
        setup=setup,
        forms=Forms(encryption.derive("form tokens"), cookies),
        cookies=cookies,
        translators=translators,
        prefix=settings.path_prefix,
    )
    return Auth(
        passwords=passwords,
        sessions=sessions,
        password_sign_in=sign_in,
        steps=steps,
        confirmation=confirmation,
        signing_in=parts,
        setup=setup,
        cookies=cookies,
        door=door,
    )


def install_guard(app: FastAPI, auth: Auth, settings: Settings) -> None:
    """Put the guards before `app`; the last one added sees a request first.

    Compression, headers, failures, delegation marks taken off, session, body: headers go on every answer, also on
    those that a guard gives, they see pages uncompressed, and no stranger's body is read.
    """
    app.add_middleware(BodyLimit, max_bytes=settings.max_body_bytes)
    app.add_middleware(
        SessionGuard,
        sessions=auth.sessions,
        find_page=find_page,
        is_setup_open=auth.setup.is_open,
        static_path=NICEGUI_STATIC,
        path_prefix=settings.path_prefix,
        session_cookie=auth.cookies.name_of(SESSION_COOKIE),
    )
    app.add_middleware(without_delegation)
    app.add_middleware(Failures, door=auth.door)
    app.add_middleware(SecurityHeaders, secure_cookies=settings.secure_cookies)
    app.add_middleware(GZipMiddleware, minimum_size=_GZIP_FROM_BYTES)

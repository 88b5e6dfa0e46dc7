"""Who is on the stage: one person for each letter of `x-nova-who`, so that a table of rights can be acted out."""

from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Final

from storage.nova.tables import SessionRow
from tests.api.site import NOW, an_identity
from tests.contract.sample import Things

LETTERS: Final[Mapping[str, frozenset[str]]] = {
    "mara": frozenset("A"),
    "paul": frozenset("U"),
    "lea": frozenset("M"),
    "olga": frozenset("O"),
    "sam": frozenset("S"),
    "uma": frozenset(),
}
"""What each is towards the things on the stage: sam is whom they are about, lea manages sam, olga owns or decides."""
OVERSEERS: Final = frozenset({"mara", "paul"})
PASSWORD: Final = "correct horse battery"
CSRF: Final = "csrf"


def put_cast(things: Things, password_hash: str) -> None:
    """Put the cast on the stage, each signed in twice; otto is a second administrator, so that mara is not the last."""
    signs_in = {"password_hash": password_hash, "mfa_methods": ["totp", "recovery_code"]}
    lea = an_identity("lea", **signs_in, department="Sales")
    people = [
        an_identity("mara", **signs_in, nova_roles=["administrator"], department="IT"),
        an_identity("otto", **signs_in, nova_roles=["administrator"], department="IT"),
        an_identity("paul", **signs_in, nova_roles=["auditor"], department="Legal"),
        lea,
        an_identity("olga", **signs_in, department="Finance"),
        an_identity("sam", **signs_in, department="Sales", manager_id=lea.id),
        an_identity("uma", **signs_in, department="Finance"),
        an_identity("gone", department="Finance", status="suspended", locked_until=NOW + timedelta(hours=1)),
    ]
    for person in people:
        things.add(person.user_name, person)
    things.secrets += [password_hash, PASSWORD]
    for name in LETTERS:
        things.add(f"session_of_{name}", _session(name, things.ids[name], 1))
        things.add_own(name, "own_session", _session(name, things.ids[name], 2))
        things.secrets.append(token_of(name))


def token_of(name: str) -> str:
    """Return the token with which somebody of the cast is signed in."""
    return f"nvs_{name:A<43}"


def _session(name: str, identity_id: str, number: int) -> SessionRow:
    token = token_of(name) if number == 1 else f"other of {name}"
    return SessionRow(
        id=f"ses_{f'{name}{number}'.translate(_PLAIN):0<20}",
        token_hash=sha256(token.encode()).digest(),
        csrf_token=CSRF,
        identity_id=identity_id,
        user_agent="Firefox",
        created_at=NOW,
        last_seen_at=NOW,
        confirmed_at=NOW,
        expires_at=NOW + timedelta(days=30),
    )


_PLAIN: Final = str.maketrans({"l": "1", "o": "0", "i": "1", "u": "v"})

"""What a new password must be like, by the policy of now."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from nova_ui.auth.blocklist import is_guessable
from nova_ui.auth.password import MAX_PASSWORD_CHARS, Passwords
from nova_ui.domain.sign_in_policy import PasswordRule
from nova_ui.domain.text import mark
from storage.nova.tables import IdentityRow

_TOO_SHORT: Final = mark("A password has at least {min_chars} characters.")
_TOO_LONG: Final = mark("A password has at most {max_chars} characters.")
_TOO_PLAIN: Final = mark("This password has too few different characters.")
_GUESSABLE: Final = mark(
    "This password is easy to guess: it is a common one, or little more than a known name or word."
)
_USED: Final = mark("This is the password of now, or one that you had before. Choose another.")
_MIN_DIFFERENT: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordFault:
    """Why a password can't be taken: the message and its values."""

    message: str
    values: dict[str, int]

    @property
    def sentence(self) -> str:
        """The English sentence, for problem objects."""
        return self.message.format(**self.values)


def find_fault(password: str, rule: PasswordRule, names: Sequence[str] = ()) -> PasswordFault | None:
    """Return why `password` can't be a new password of somebody with these names, or None.

    Counted are the characters after NFC: a letter and its accent are one.
    """
    characters = len(unicodedata.normalize("NFC", password))
    values = {"min_chars": rule.min_length, "max_chars": MAX_PASSWORD_CHARS}
    if characters < rule.min_length:
        return PasswordFault(message=_TOO_SHORT, values=values)
    if len(password) > MAX_PASSWORD_CHARS:
        return PasswordFault(message=_TOO_LONG, values=values)
    if len(set(password)) < _MIN_DIFFERENT:
        return PasswordFault(message=_TOO_PLAIN, values=values)
    if rule.blocklist.enabled and is_guessable(password, names=names, words=rule.blocklist.words):
        return PasswordFault(message=_GUESSABLE, values=values)
    return None


async def find_use(password: str, passwords: Passwords, hashes: Sequence[str]) -> PasswordFault | None:
    """Return that `password` is one of those in `hashes`, or None; each comparison takes its time."""
    for stored in hashes:
        if (await passwords.verify(password, stored)).matches:
            return PasswordFault(message=_USED, values={})
    return None


def names_of(row: IdentityRow) -> list[str]:
    """Return what people who know somebody would try first."""
    mails = [str(email.get("value", "")) for email in row.emails]
    return [row.user_name, row.display_name, row.given_name, row.family_name, *mails]

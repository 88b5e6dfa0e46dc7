"""What people say about signing in."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.tool import Phrases
from nova_ui.tools.phrases.references import IDENTITY

GET_SIGN_IN_POLICY: Final = Phrases(
    english=(
        "[the/our] sign-in/signin/login policy",
        "what is/are [the/our] sign-in/signin/login policy/rules",
        "[the/our] password policy/rules",
    ),
    german=(
        "[die/unsere] anmelderichtlinie/passwortrichtlinie/anmelderegeln/passwortregeln",
        "wie lautet/lauten [die/unsere] anmelderichtlinie/passwortrichtlinie/anmelderegeln/passwortregeln",
    ),
)
EXPLAIN_SIGN_IN: Final = Phrases(
    english=(
        "why can/does/could/did [identity] {identity_id} | not sign/log in",
        "why cannot [identity] {identity_id} | sign/log in",
        "why can/could/did/does not [identity] {identity_id} | sign/log in",
        "why can/does/is [identity] {identity_id} | unable to sign/log in",
        "why is [identity] {identity_id} | not able to sign/log in",
        "explain [the] sign-in/signin/login of/for [identity] {identity_id}",
        "can [identity] {identity_id} | sign/log in",
    ),
    german=(
        "warum/weshalb/wieso kann/konnte | [sich] [identity] {identity_id} | [sich] nicht anmelden/einloggen",
        "warum/weshalb/wieso kommt [identity] {identity_id} | nicht hinein/rein",
        "erklaere/erklaer | [die] anmeldung/anmelden von [identity] {identity_id}",
        "kann | [sich] [identity] {identity_id} | [sich] anmelden/einloggen",
    ),
    references=MappingProxyType({"identity_id": IDENTITY}),
)

"""The page of the sign-in policy: what it says in words, and what a refusal leaves."""

from collections.abc import Mapping
from typing import Final

import pytest

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import NovaAnswer
from nova_ui.errors import NovaConflict, NovaForbidden, NovaInvalid, NovaPreconditionFailed, NovaUiError
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.fresh_sign_in import EnteredAgain
from nova_ui.presenters.sign_in_policy import RULES, SignInPolicyPresenter

TR: Final = Translators().for_language(Language.ENGLISH)
GERMAN: Final = Translators().for_language(Language.GERMAN)
POLICY: Final[JsonObject] = {
    "mfa": {"requirement": "required_for", "required_for": ["administrator"]},
    "methods": ["password", "totp", "recovery_code"],
    "password": {"min_length": 14, "history": 3, "max_age_days": None, "blocklist": {"enabled": True, "words": []}},
    "lockout": {"attempts": 5, "minutes": 15},
    "session": {"idle_minutes": 30, "max_hours": 8},
    "networks": ["10.0.0.0/8"],
    "version": 3,
}


class PolicyNova:
    def __init__(self) -> None:
        self.calls: list[tuple[str, Mapping[str, str] | None, JsonObject | None, str | None]] = []
        self.refusal: NovaUiError | None = None
        self.evaluation: JsonObject = {}

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str | int | bool | None] | None = None,
        body: JsonObject | None = None,
        if_match: str | None = None,
    ) -> NovaAnswer:
        assert query is None
        self.calls.append((endpoint, path, body, if_match))
        answers: dict[str, JsonValue] = {
            "GET /sign-in-policy": POLICY,
            "GET /administrators": {"items": [{"id": "idn_1"}, "no object"]},
            "POST /sign-in-policy/evaluate": self.evaluation,
        }
        if self.refusal is not None and endpoint not in {"GET /sign-in-policy", "GET /administrators"}:
            raise self.refusal
        return NovaAnswer(status=200, body=answers.get(endpoint, {}), etag='"4"' if body is not None else '"3"')


@pytest.fixture
def nova() -> PolicyNova:
    return PolicyNova()


@pytest.fixture
async def presenter(nova: PolicyNova) -> SignInPolicyPresenter:
    made = SignInPolicyPresenter(nova, TR)
    await made.load()
    return made


async def test_the_draft_is_a_copy_with_the_rules_alone(presenter: SignInPolicyPresenter) -> None:
    presenter.part("lockout")["attempts"] = 9

    assert tuple(presenter.draft) == RULES
    assert presenter.administrators == ({"id": "idn_1"},)
    assert POLICY["lockout"] == {"attempts": 5, "minutes": 15}


async def test_it_is_stored_over_the_version_that_was_read_and_then_over_the_new_one(
    presenter: SignInPolicyPresenter, nova: PolicyNova
) -> None:
    presenter.part("mfa")["requirement"] = "optional"

    said = [await presenter.save(), await presenter.save()]

    stored = [(body, if_match) for endpoint, _, body, if_match in nova.calls if endpoint == "PUT /sign-in-policy"]
    assert said == ["", ""]
    assert [if_match for _, if_match in stored] == ['"3"', '"4"']
    assert stored[0][0] is not None
    assert stored[0][0]["mfa"] == {"requirement": "optional", "required_for": []}


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        (NovaConflict("no", code="self_lockout"), "you could no longer sign in yourself"),
        (NovaPreconditionFailed("no"), "Somebody else has changed this meanwhile"),
        (NovaInvalid("networks.0: must be a network", field="networks.0"), "networks.0: must be a network"),
    ],
)
async def test_a_refusal_says_why_and_leaves_the_draft(
    presenter: SignInPolicyPresenter, nova: PolicyNova, refusal: NovaUiError, said: str
) -> None:
    presenter.part("lockout")["attempts"] = 9
    nova.refusal = refusal

    assert said in await presenter.save()
    assert presenter.part("lockout")["attempts"] == 9


@pytest.mark.parametrize(
    ("evaluation", "words"),
    [
        ({"rule": None, "steps": []}, "With the right password Tim gets in."),
        (
            {"rule": None, "steps": ["code", "new_password"]},
            (
                "With the right password Tim gets in after: "
                "a code of the app, a new password, since the old one is too old."
            ),
        ),
        ({"rule": "locked", "steps": []}, "Tim is locked after too many failed attempts."),
        ({"rule": "network", "steps": []}, "The policy allows no sign-in from there."),
    ],
)
async def test_whether_somebody_gets_in_is_told_in_words(
    presenter: SignInPolicyPresenter, nova: PolicyNova, evaluation: JsonObject, words: str
) -> None:
    nova.evaluation = {**evaluation, "identity": {"display_name": "Tim"}}

    assert await presenter.evaluate("idn_tim", " ") == words
    assert nova.calls[-1][2] == {"identity_id": "idn_tim", "network": None}


async def test_a_wrong_password_is_told_and_is_no_fresh_sign_in(
    presenter: SignInPolicyPresenter, nova: PolicyNova
) -> None:
    nova.refusal = NovaForbidden("no", code="sign_in_failed")

    entered = await presenter.confirm_sign_in("wrong", "")

    assert entered == EnteredAgain(problem="Password or code is not correct.")
    assert nova.calls[-1][:3] == ("POST /session/refresh", None, {"password": "wrong"})


async def test_the_rules_are_told_in_the_readers_language(nova: PolicyNova) -> None:
    german = SignInPolicyPresenter(nova, GERMAN)
    await german.load()

    words = " ".join(german.in_words())

    assert "mindestens 14 Zeichen" in words
    assert "{" not in words
    assert len(german.in_words()) == 5

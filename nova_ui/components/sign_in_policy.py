"""The sign-in policy as a form, what it means in words, and one identity held against it."""

from collections.abc import Sequence
from typing import Final

from nicegui import ui

from nova_ui.components.buttons import primary_button, quiet_button
from nova_ui.components.confirm_dialog import ask
from nova_ui.components.facts import heading
from nova_ui.components.object_picker import ObjectPicker
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.presenters.object_search import Found, ObjectSearch
from nova_ui.presenters.sign_in_policy import SignInPolicyPresenter

REQUIREMENTS: Final = {
    "off": mark("Nobody is asked for one"),
    "optional": mark("Who has one is asked for it"),
    "required": mark("Everybody needs one"),
    "required_for": mark("Some roles need one"),
}
ROLES: Final = {
    "administrator": mark("Administrators"),
    "auditor": mark("Auditors"),
    "manager": mark("Managers"),
    "user": mark("Everyone"),
}
_NUMBERS: Final = (
    ("password", "min_length", mark("Least characters of a password"), 12, 128),
    ("password", "history", mark("Earlier passwords that may not come back"), 0, 24),
    ("password", "max_age_days", mark("Days a password lasts (empty: any)"), 1, 3650),
    ("lockout", "attempts", mark("Failures until a name has to wait"), 3, 50),
    ("lockout", "minutes", mark("Minutes over which failures are counted"), 1, 1440),
    ("session", "idle_minutes", mark("Minutes a session lasts without use"), 5, 1440),
    ("session", "max_hours", mark("Hours a session lasts at most"), 1, 720),
)


class PolicyForm(ui.element):
    """Every rule of the policy; stored as a whole."""

    def __init__(self, presenter: SignInPolicyPresenter) -> None:
        super().__init__("section")
        self._presenter = presenter
        self.classes("nova-panel nova-stack").mark("policy-form")
        presenter.loaded.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        if self.is_deleted:
            return
        tr, mfa = self._presenter.tr, self._presenter.part("mfa")
        self.clear()
        with self:
            heading(tr("Second factor"))
            words = {key: tr(word) for key, word in REQUIREMENTS.items()}
            ui.select(
                words,
                label=tr("Who needs a second factor"),
                value=mfa.get("requirement"),
                on_change=lambda change: self._set(mfa, "requirement", change.value),
            ).classes("nova-stretch").mark("mfa-requirement")
            self._roles = ui.select(
                {key: tr(word) for key, word in ROLES.items()},
                label=tr("Roles that need one"),
                value=mfa.get("required_for"),
                multiple=True,
                on_change=lambda change: self._set(mfa, "required_for", change.value),
            ).classes("nova-stretch")
            self._recovery = ui.checkbox(
                tr("Recovery codes may replace the app"),
                value="recovery_code" in self._methods(),
                on_change=lambda change: self._set_recovery(is_on=bool(change.value)),
            )
            heading(tr("Passwords, lock-out and sessions"))
            with ui.element("div").classes("nova-edit__pair"):
                for part, name, label, least, most in _NUMBERS:
                    self._number(self._presenter.part(part), name, tr(label), least, most)
            self._draw_blocklist()
            networks = ui.textarea(
                tr("Networks, one a line"),
                value="\n".join(_texts(self._presenter.draft.get("networks"))),
                on_change=lambda change: self._set(self._presenter.draft, "networks", _lines(change.value)),
            )
            networks.classes("nova-stretch").props("autogrow spellcheck=false").mark("networks")
            networks.props["hint"] = tr("From where signing in is possible; empty: anywhere")
            heading(tr("What this means"))
            self._words = ui.element("ul").classes("nova-list")
            self._problem = ui.label().classes("nova-problem").props("role=alert")
            primary_button(tr("Save"), self._save).mark("save-policy")
        self._say()

    def _draw_blocklist(self) -> None:
        tr, blocklist = self._presenter.tr, self._presenter.part("password").get("blocklist")
        if not isinstance(blocklist, dict):
            return
        ui.checkbox(
            tr("Refuse common passwords, the person's own names and the words below"),
            value=blocklist.get("enabled") is True,
            on_change=lambda change: self._set(blocklist, "enabled", bool(change.value)),
        )
        words = ui.textarea(
            tr("Own words, one a line"),
            value="\n".join(_texts(blocklist.get("words"))),
            on_change=lambda change: self._set(blocklist, "words", _lines(change.value)),
        )
        words.classes("nova-stretch").props("autogrow")

    def _number(self, part: JsonObject, name: str, label: str, least: int, most: int) -> None:
        value = part.get(name)
        number = ui.number(
            label,
            value=value if isinstance(value, int) else None,
            min=least,
            max=most,
            precision=0,
            on_change=lambda change: self._set(part, name, None if change.value is None else int(change.value)),
        )
        number.mark(f"policy-{name}")

    def _methods(self) -> list[str]:
        return _texts(self._presenter.draft.get("methods"))

    def _set_recovery(self, *, is_on: bool) -> None:
        kept: list[JsonValue] = [one for one in self._methods() if one != "recovery_code"]
        self._presenter.draft["methods"] = [*kept, "recovery_code"] if is_on else kept

    def _set(self, part: JsonObject, name: str, value: JsonValue) -> None:
        part[name] = value
        self._say()

    def _say(self) -> None:
        self._roles.visible = self._presenter.part("mfa").get("requirement") == "required_for"
        self._words.clear()
        with self._words:
            for sentence in self._presenter.in_words():
                with ui.element("li"):
                    ui.label(sentence)

    async def _save(self) -> None:
        tr = self._presenter.tr
        text = tr("It counts at once. Sessions that the new policy would not have let in end, except this one.")
        if not await ask(tr("Store the sign-in policy?"), text, tr("Save"), tr):
            return
        problem = await self._presenter.save()
        if self.is_deleted:
            return
        self._problem.text = problem
        if not problem:
            ui.notify(tr("Stored. It counts from the next request on."), type="positive", position="top")


class Evaluation(ui.element):
    """Holds one identity against the stored policy."""

    def __init__(self, presenter: SignInPolicyPresenter, search: ObjectSearch) -> None:
        super().__init__("section")
        tr = presenter.tr
        self._presenter = presenter
        self.classes("nova-panel nova-stack")
        with self:
            heading(tr("Would somebody get in?"))
            self._picker = person_picker(presenter, search)
            self._network = ui.input(tr("Address or network (empty: any)")).classes("nova-stretch").mark("network")
            quiet_button(tr("Check"), self._check).mark("evaluate")
            self._answer = ui.label().props("role=status").mark("evaluation")

    async def _check(self) -> None:
        chosen = self._picker.value
        if isinstance(chosen, str):
            self._answer.text = await self._presenter.evaluate(chosen, str(self._network.value or ""))


def person_picker(presenter: SignInPolicyPresenter, search: ObjectSearch) -> ObjectPicker:
    """Draw the field that finds an identity."""
    tr = presenter.tr

    async def find(text: str) -> Sequence[Found]:
        return await search.find("idn", text)

    return ObjectPicker(
        find,
        label=tr("Identity"),
        hint="",
        ask=tr("Type a name."),
        none=tr("Nobody found."),
        multiple=False,
    )


def _texts(value: JsonValue) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def _lines(value: object) -> list[JsonValue]:
    return [line.strip() for line in str(value or "").splitlines() if line.strip()]

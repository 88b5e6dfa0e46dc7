"""To whom an assistant is open, in its form: administrators, roles, groups or everyone."""

from typing import Final

from nicegui import events, ui

from nova_ui.components.notices import NoticeLine
from nova_ui.components.object_select import ObjectSelect
from nova_ui.domain.assistant import AudienceKind
from nova_ui.domain.identity import Role
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.assistant_draft import AssistantDraft
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter

AUDIENCE_WORDS: Final = {
    AudienceKind.ADMINISTRATORS: mark("Administrators only"),
    AudienceKind.ROLES: mark("Certain roles"),
    AudienceKind.GROUPS: mark("Members of certain groups"),
    AudienceKind.EVERYONE: mark("Everyone"),
}
ROLE_CHOICES: Final = {
    Role.ADMINISTRATOR: mark("Administrators"),
    Role.AUDITOR: mark("Auditors"),
    Role.MANAGER: mark("Managers"),
}


class AssistantAudience(ui.element):
    """Draws whom the draft opens the assistant to; choices go into the draft at once."""

    def __init__(self, presenter: AssistantsAdminPresenter, draft: AssistantDraft, tr: Translator) -> None:
        super().__init__("div")
        self.classes("nova-edit__part")
        self._presenter = presenter
        self._draft = draft
        self._tr = tr
        with self:
            with ui.element("div").classes("nova-edit__pair"):
                options = {kind.value: tr(words) for kind, words in AUDIENCE_WORDS.items()}
                audience = ui.select(options, label=tr("Open to"), value=draft.audience.value).mark("audience")
                audience.on_value_change(self._opened_to)
                audience.set_enabled(not draft.is_preset)
                enabled = ui.switch(tr("Switched on"), value=draft.enabled, on_change=self._switched)
                enabled.set_enabled(not draft.is_preset)
            self._draw_roles()
            self._draw_groups()
        self._show()

    def _draw_roles(self) -> None:
        with ui.element("div").classes("nova-row").props("role=group") as self._roles:
            self._roles.props["aria-label"] = self._tr("Certain roles")
            for role, words in ROLE_CHOICES.items():
                box = ui.checkbox(self._tr(words), value=role in self._draft.audience_roles)
                box.on_value_change(lambda event, role=role: self._role_ticked(role, ticked=event.value is True))

    def _draw_groups(self) -> None:
        tr, draft = self._tr, self._draft
        gone = tr("deleted group")
        with ui.element("div").classes("nova-stack") as self._groups:
            self._select = ObjectSelect(
                self._presenter.nova,
                "group",
                label=tr("Groups"),
                chosen={key: name or gone for key, name in draft.audience_groups.items()},
                several=True,
                hint=tr("Type two letters to search"),
            )
            self._select.on_value_change(self._groups_chosen)
            self._select.mark("audience-groups").classes("nova-edit__wide")
            if not all(draft.audience_groups.values()):
                words = tr("One of the groups has been deleted. It lets nobody in.")
                NoticeLine(words, "warning", next_step=tr("Take it off, or choose another one."))
            words = tr("Membership counts at every call: whoever leaves the group loses the assistant at once.")
            ui.label(words).classes("nova-hint")

    def _show(self) -> None:
        self._roles.visible = self._draft.audience is AudienceKind.ROLES
        self._groups.visible = self._draft.audience is AudienceKind.GROUPS

    def _switched(self, event: events.ValueChangeEventArguments[bool | None]) -> None:
        self._draft.enabled = event.value is True

    def _opened_to(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        self._draft.audience = AudienceKind(str(event.value))  # a select takes only what it offers
        self._show()
        self._presenter.tools_changed.emit(None)

    def _role_ticked(self, role: Role, *, ticked: bool) -> None:
        if ticked:
            self._draft.audience_roles.add(role)
        else:
            self._draft.audience_roles.discard(role)

    def _groups_chosen(self, event: events.ValueChangeEventArguments[list[str] | None]) -> None:
        before = self._draft.audience_groups
        self._draft.audience_groups = {key: before.get(key, key) for key in event.value or ()}

"""Who administers Nova, and the way to change that after a fresh sign-in."""

from nicegui import ui

from nova_ui.components.buttons import primary_button, quiet_button
from nova_ui.components.confirm_dialog import ask
from nova_ui.components.facts import heading
from nova_ui.components.fresh_sign_in import ask_fresh_sign_in
from nova_ui.components.sign_in_policy import person_picker
from nova_ui.domain.json_value import JsonObject
from nova_ui.presenters.object_search import ObjectSearch
from nova_ui.presenters.sign_in_policy import SignInPolicyPresenter
from nova_ui.presenters.visible import show_invisible


class Administrators(ui.element):
    """A line for each administrator, and a field to name another."""

    def __init__(self, presenter: SignInPolicyPresenter, search: ObjectSearch, *, own_id: str) -> None:
        super().__init__("section")
        tr = presenter.tr
        self._presenter = presenter
        self._own_id = own_id
        self.classes("nova-panel nova-stack").mark("administrators")
        with self:
            heading(tr("Administrators"))
            ui.label(tr("Every administrator is told when one is added or removed. The last one stays."))
            self._list = ui.element("div").classes("nova-lines")
            self._picker = person_picker(presenter, search)
            primary_button(tr("Make administrator"), self._add).mark("add-administrator")
        presenter.administrators_changed.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        if self.is_deleted:
            return
        self._list.clear()
        with self._list:
            for one in self._presenter.administrators:
                self._line(one)

    def _line(self, one: JsonObject) -> None:
        tr = self._presenter.tr
        with ui.element("div").classes("nova-lines__line"):
            ui.icon("admin_panel_settings")
            with ui.element("div").classes("nova-lines__words"):
                ui.label(show_invisible(str(one.get("display_name"))))
                factor = tr("with second factor") if one.get("mfa_methods") else tr("without second factor")
                ui.label(f"{one.get('user_name')} · {factor}").classes("nova-lines__hint")
            if one.get("id") != self._own_id:
                quiet_button(tr("Remove"), lambda: self._remove(one)).mark("remove-administrator")

    async def _add(self) -> None:
        chosen = self._picker.value
        if isinstance(chosen, str) and await self._is_fresh():
            await self._tell(await self._presenter.add(chosen))

    async def _remove(self, one: JsonObject) -> None:
        tr = self._presenter.tr
        text = tr(
            "{name} then has the rights of everybody else, from the next request on.", name=str(one["display_name"])
        )
        if await ask(tr("Remove this administrator?"), text, tr("Remove"), tr) and await self._is_fresh():
            await self._tell(await self._presenter.remove(str(one["id"])))

    async def _is_fresh(self) -> bool:
        own = next((one for one in self._presenter.administrators if one.get("id") == self._own_id), {})
        return await ask_fresh_sign_in(self._presenter, asks_code=bool(own.get("mfa_methods")))

    async def _tell(self, problem: str) -> None:
        if problem:
            ui.notify(problem, type="warning", position="top")
        await self._presenter.load_administrators()

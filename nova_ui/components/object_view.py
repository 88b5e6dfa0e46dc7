"""The page of one object: facts in panels, then its parts as tables."""

from collections.abc import Callable

from nicegui import ui

from nova_ui.components.action_dialog import ActionDialogs
from nova_ui.components.audit_table import AuditTable
from nova_ui.components.badges import Badge
from nova_ui.components.buttons import quiet_button
from nova_ui.components.facts import Facts, heading
from nova_ui.components.notices import NoticeLine
from nova_ui.components.object_links import ObjectLinks
from nova_ui.components.object_table import ObjectTable
from nova_ui.domain.json_value import JsonObject
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.actions import Action
from nova_ui.presenters.audit_entry import read_entry
from nova_ui.presenters.directory_words import NOTHING, label_of, text_of_field, tone_of
from nova_ui.presenters.fields import Field, Shown, refs_at, text_at
from nova_ui.presenters.object_page import FactGroup, ObjectPresenter, Part
from nova_ui.presenters.problem_sentences import problem_told


class ObjectView(ui.element):
    """Draws an object anew whenever it has been read again."""

    def __init__(self, presenter: ObjectPresenter, tr: Translator, links: ObjectLinks, dialogs: ActionDialogs) -> None:
        super().__init__("div")
        self._presenter = presenter
        self._tr = tr
        self._links = links
        self._dialogs = dialogs
        self.classes("nova-stack nova-object")
        presenter.changed.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        if self.is_deleted:
            return
        presenter = self._presenter
        self.clear()
        with self:
            if presenter.is_gone:
                text = self._tr("This no longer exists, or you may no longer see it. Below is how it was.")
                NoticeLine(text, "warning")
            with ui.element("div").classes("nova-object__facts"):
                for group in presenter.kind.facts:
                    self._draw_facts(group)
            for part in presenter.parts:
                PartView(part, presenter, self._tr, self._links, self._dialogs)

    def _draw_facts(self, group: FactGroup) -> None:
        with ui.element("section").classes("nova-panel"):
            heading(self._tr(group.heading))
            facts = Facts()
            for field in group.fields:
                draw_fact(facts, field, self._presenter.object, self._tr, self._links)


def draw_fact(facts: Facts, field: Field, one: JsonObject, tr: Translator, links: ObjectLinks) -> None:
    """Add one field of an object to the facts, as it is best shown."""
    text = text_of_field(field, one, tr)
    with facts.line(label_of(field, tr)):
        if text == NOTHING:
            ui.label(text).classes("nova-hint")
        elif field.shown is Shown.STATE:
            Badge(text, tone_of(field.value_in(one)))
        elif field.opens:
            with ui.element("span").classes("nova-row nova-row--words"):
                for key, name in refs_at(one, field.path or field.name).items():
                    address = links.reference(field.opens, key)
                    ui.link(name, address).classes("nova-link") if address else ui.label(name)
        else:
            shown = ui.label(text).classes("nova-facts__text")
            if field.shown in {Shown.LITERAL, Shown.LITERALS}:
                shown.classes("nova-literal")


class PartView(ui.element):
    """One part of an object: heading, what can be added, the table, and the way to more."""

    def __init__(
        self,
        part: Part,
        presenter: ObjectPresenter,
        tr: Translator,
        links: ObjectLinks,
        dialogs: ActionDialogs,
    ) -> None:
        super().__init__("section")
        self._part = part
        self._presenter = presenter
        self._tr = tr
        self._links = links
        self._dialogs = dialogs
        with self.classes("nova-part"):
            self._draw_head()
            if part.problem is not None:
                told = problem_told(part.problem, tr)
                NoticeLine(told.text, "error", next_step=told.next_step)
            elif not part.rows:
                ui.label(tr(part.kind.empty)).classes("nova-hint nova-part__empty")
            elif part.kind.facts is not None:
                with ui.element("div").classes("nova-panel"):
                    facts = Facts()
                for field in part.kind.facts(part.rows[0]):
                    draw_fact(facts, field, part.rows[0], tr, links)
            elif part.kind.is_short:
                self._draw_names()
            elif part.kind.is_log:
                AuditTable(tr, self._open_entry).show([read_entry(row) for row in part.rows])
            else:
                self._draw_rows()
            if note := part.kind.note(part.rows):
                ui.label(tr(note)).classes("nova-hint")
            if part.next_cursor:
                quiet_button(tr("Show more"), lambda: presenter.more(part.kind.key), icon="expand_more")

    def _open_entry(self, entry_id: str) -> None:
        row = next((row for row in self._part.rows if text_at(row, "id") == entry_id), None)
        if row is not None:
            ui.navigate.to(f"/monitoring/audit-log?request={text_at(row, 'request_id')}")

    def _draw_head(self) -> None:
        part, presenter, tr = self._part, self._presenter, self._tr
        with ui.element("div").classes("nova-part__head"):
            title = ui.label(tr(part.kind.heading)).classes("nova-part__title")
            title.props("role=heading aria-level=2")
            if part.total:
                ui.label(tr.number(part.total)).classes("nova-hint")
            with ui.element("div").classes("nova-part__buttons"):
                for action in presenter.part_actions(part.kind):
                    quiet_button(tr(action.label), self._opener(action, presenter.object), icon=action.icon).mark(
                        f"do-{action.key}"
                    )
                if (
                    part.kind.all_at is not None
                    and part.rows
                    and part.kind.sees_all(presenter.person, presenter.object)
                ):
                    ui.link(tr("Show in the list"), part.kind.all_at(presenter.object)).classes("nova-link")

    def _opener(self, action: Action, target: JsonObject) -> Callable[[], object]:
        return lambda: self._dialogs.open(action, target)

    def _draw_names(self) -> None:
        with ui.element("div").classes("nova-row"):
            for row in self._part.rows:
                address = self._links.reference(self._part.kind.opens, text_at(row, "id"))
                with ui.element("span").classes("nova-chip"):
                    name = text_at(row, "display_name")
                    ui.link(name, address).classes("nova-link") if address else ui.label(name)

    def _draw_rows(self) -> None:
        part, presenter = self._part, self._presenter
        kind = part.kind
        has_actions = any(presenter.row_actions(kind, row) for row in part.rows)
        table = ObjectTable(
            kind.columns,
            self._tr,
            self._links,
            label=self._tr(kind.heading),
            opens=kind.opens if kind.opens_for(presenter.person, presenter.object) else "",
            act=self._act if has_actions else None,
        )
        table.fill(part.rows, lambda row: presenter.row_actions(kind, row))
        if kind.several_actions:
            self._draw_choosing(table)

    def _draw_choosing(self, table: ObjectTable) -> None:
        """Draw what can be done to several rows at once, offered while some are chosen."""
        chosen: list[JsonObject] = []
        bar = ui.element("div").classes("nova-row").mark("for-the-chosen")
        bar.set_visibility(False)

        def choose(keys: list[str]) -> None:
            chosen[:] = [row for row in self._part.rows if text_at(row, "id") in keys]
            bar.set_visibility(bool(chosen))
            count.text = self._tr.plural("{count} chosen", "{count} chosen", len(chosen))

        with bar:
            count = ui.label().classes("nova-hint").props("role=status")
            for action in self._part.kind.several_actions:
                self._button_for_the_chosen(action, chosen)
        table.let_choose(self._tr("Choose all"), choose)

    def _button_for_the_chosen(self, action: Action, chosen: list[JsonObject]) -> None:
        gather = self._part.kind.gather
        button = quiet_button(
            self._tr(action.label), lambda: self._dialogs.open(action, gather(chosen)), icon=action.icon
        )
        button.mark(f"do-{action.key}")

    async def _act(self, row_id: str, action_key: str) -> None:
        row = next(
            (row for row in self._part.rows if row_id in (text_at(row, "id"), text_at(row, "assignment_id"))), None
        )
        action = next((one for one in self._part.kind.row_actions if one.key == action_key), None)
        if row is not None and action is not None:
            await self._dialogs.open(action, row)

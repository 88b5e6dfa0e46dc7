"""The budget for models as a form: prices, limits, and what they mean in words."""

from collections.abc import Callable
from typing import Final

from nicegui import ui

from nova_ui.components.buttons import icon_button, primary_button, quiet_button
from nova_ui.components.facts import heading
from nova_ui.components.object_select import ObjectSelect
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.presenters.ai_budget import HOLDERS, PERIODS, ROLES, SCOPES, AiBudgetPresenter
from nova_ui.presenters.fields import text_at

_PICKED: Final = {"group": "group", "identity": "identity"}


class AiBudgetForm(ui.element):
    """Draws the draft; what is typed goes into it at once, and to Nova when it is stored."""

    def __init__(self, presenter: AiBudgetPresenter) -> None:
        super().__init__("div")
        self._presenter = presenter
        self.classes("nova-stack").mark("budget-form")
        presenter.loaded.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        if self.is_deleted:
            return
        tr = self._presenter.tr
        self.clear()
        with self:
            with ui.element("section").classes("nova-panel nova-stack"):
                heading(tr("Budgets"))
                words = tr("Nobody is limited unless a budget is set here. The built-in model needs none.")
                ui.label(words).classes("nova-hint")
                for number, limit in enumerate(self._presenter.limits, 1):
                    self._draw_limit(number, limit)
                quiet_button(tr("Add a budget"), self._presenter.add_limit, icon="add").mark("add-limit")
                self._draw_rules()
            self._draw_prices()
            with ui.element("section").classes("nova-panel nova-stack"):
                heading(tr("What this means"))
                self._words = ui.element("ul").classes("nova-list").mark("budget-words")
                self._problem = ui.label(self._presenter.problem).classes("nova-problem").props("role=alert")
                primary_button(tr("Save"), self._save).mark("save-budget")
        self._say()

    def _draw_rules(self) -> None:
        tr = self._presenter.tr
        for words in (
            tr(
                "A person's own budget counts instead of those of groups, these instead of those of roles, and these"
                " instead of everybody's; of several groups or roles the most generous."
            ),
            tr("A budget that all hold together counts besides. Days begin at midnight, weeks on Monday."),
            tr("Left empty, tokens or cost are not limited; with both empty, the line lifts the limit for its holder."),
        ):
            ui.label(words).classes("nova-hint")

    def _draw_limit(self, number: int, limit: JsonObject) -> None:
        tr, presenter = self._presenter.tr, self._presenter
        with ui.element("fieldset").classes("nova-budget").mark(f"limit-{number}") as group:
            group.props["aria-label"] = tr("Budget {number}", number=number)
            self._choice(limit, "holder", tr("Whose"), {key: tr(words) for key, words in HOLDERS.items()})
            self._draw_holder(limit)
            self._choice(limit, "scope", tr("Counts"), {key: tr(words) for key, words in SCOPES.items()})
            scope = text_at(limit, "scope")
            if scope in presenter.scopes:
                present = text_at(limit, "scope_key")
                options = ({present: present} if present else {}) | presenter.scopes[scope]
                self._plain_choice(limit, "scope_key", tr("Assistant"), options)
            self._choice(limit, "period", tr("Period"), {key: tr(words) for key, words in PERIODS.items()})
            self._number(limit, "tokens", tr("Tokens"), whole=True)
            self._number(limit, "cost", tr("Cost ({currency})", currency=text_at(presenter.draft, "currency")))
            remove = icon_button("close", tr("Remove budget {number}", number=number), self._remover("limits", limit))
            remove.mark(f"remove-limit-{number}")

    def _draw_holder(self, limit: JsonObject) -> None:
        tr, holder = self._presenter.tr, text_at(limit, "holder")
        if holder == "role":
            self._plain_choice(limit, "holder_id", tr("Role"), {key: tr(words) for key, words in ROLES.items()})
        elif holder in _PICKED:
            chosen = text_at(limit, "holder_id")
            picker = ObjectSelect(
                self._presenter.nova,
                _PICKED[holder],
                label=tr("Group") if holder == "group" else tr("Person"),
                chosen={chosen: text_at(limit, "holder_name") or tr("deleted")} if chosen else {},
                several=False,
                hint="",
            )

            def picked() -> None:
                limit["holder_id"] = picker.value if isinstance(picker.value, str) else ""
                limit["holder_name"] = picker.name_of(picker.value)
                self._say()

            picker.on_value_change(picked).classes("nova-budget__field").mark("budget-holder")
            picker.props["aria-label"] = tr("Person or group")

    def _draw_prices(self) -> None:
        tr, presenter = self._presenter.tr, self._presenter
        with ui.element("section").classes("nova-panel nova-stack"):
            heading(tr("Prices and times"))
            with ui.element("div").classes("nova-edit__pair"):
                currency = ui.input(tr("Currency"), value=text_at(presenter.draft, "currency")).mark("currency")
                currency.props("maxlength=3")
                draft = presenter.draft
                currency.on_value_change(lambda event: self._set(draft, "currency", str(event.value or "").upper()))
                zone = ui.select(
                    presenter.zones,
                    label=tr("Time zone in which days begin"),
                    value=text_at(draft, "time_zone"),
                    with_input=True,
                )
                zone.on_value_change(lambda event: self._set(presenter.draft, "time_zone", event.value)).mark("zone")
            ui.label(
                tr("Prices per million tokens. They count from now on; another currency converts nothing.")
            ).classes("nova-hint")
            for number, price in enumerate(presenter.prices, 1):
                self._draw_price(number, price)
            if unpriced := presenter.unpriced():
                named = tr.listed(unpriced)
                ui.label(tr("Without a price, and so free in the figures: {profiles}", profiles=named)).classes(
                    "nova-hint"
                )
            if len(presenter.prices) < len(presenter.profiles):
                quiet_button(tr("Add a price"), presenter.add_price, icon="add").mark("add-price")
            elif not presenter.profiles:
                ui.label(tr("There is no model but the built-in one, which costs nothing.")).classes("nova-hint")

    def _draw_price(self, number: int, price: JsonObject) -> None:
        tr, presenter = self._presenter.tr, self._presenter
        with ui.element("fieldset").classes("nova-budget").mark(f"price-{number}") as group:
            group.props["aria-label"] = tr("Price {number}", number=number)
            present = text_at(price, "profile")
            self._plain_choice(price, "profile", tr("Model"), {present: present, **presenter.profiles})
            self._number(price, "input", tr("Tokens in"))
            self._number(price, "output", tr("Tokens out"))
            icon_button("close", tr("Remove price {number}", number=number), self._remover("prices", price))

    def _choice(self, row: JsonObject, name: str, label: str, options: dict[str, str]) -> None:
        """Draw a choice on which other fields depend."""

        def chosen(value: JsonValue) -> None:
            row[name] = value
            if name == "holder":
                row["holder_id"], row["holder_name"] = "", ""
            if name == "scope":
                row["scope_key"], row["scope_name"] = "", ""
                if str(value).startswith("routine"):
                    row["holder"], row["holder_id"] = "together", ""
            self._draw()

        select = ui.select(options, label=label, value=text_at(row, name)).classes("nova-budget__field")
        select.on_value_change(lambda event: chosen(event.value)).mark(f"budget-{name}")

    def _plain_choice(self, row: JsonObject, name: str, label: str, options: dict[str, str]) -> None:
        select = ui.select(options, label=label, value=text_at(row, name) or None).classes("nova-budget__field")
        select.on_value_change(lambda event: self._set(row, name, event.value or "")).mark(f"budget-{name}")

    def _number(self, row: JsonObject, name: str, label: str, *, whole: bool = False) -> None:
        value = row.get(name)
        number = ui.number(
            label,
            value=value if isinstance(value, int | float) else None,
            min=0,
            precision=0 if whole else 4,
            step=1000 if whole else 0.01,
        )

        def typed(given: float | None) -> None:
            lacks = None if name in {"tokens", "cost"} else 0
            self._set(row, name, lacks if given is None else int(given) if whole else float(given))

        number.on_value_change(lambda event: typed(event.value)).classes("nova-budget__number").mark(f"budget-{name}")

    def _remover(self, name: str, row: JsonObject) -> Callable[[], None]:
        return lambda: self._presenter.remove(name, row)

    def _set(self, row: JsonObject, name: str, value: JsonValue) -> None:
        row[name] = value
        if name == "scope_key":
            row["scope_name"] = self._presenter.scopes.get(text_at(row, "scope"), {}).get(str(value), "")
        self._say()

    def _say(self) -> None:
        self._words.clear()
        with self._words:
            for sentence in self._presenter.in_words():
                with ui.element("li"):
                    ui.label(sentence)

    async def _save(self) -> None:
        tr = self._presenter.tr
        is_stored = await self._presenter.save()
        if self.is_deleted:
            return
        if is_stored:
            with self:
                ui.notify(tr("Stored. It counts from the next request to a model on."), type="positive", position="top")
        else:
            self._problem.text = self._presenter.problem

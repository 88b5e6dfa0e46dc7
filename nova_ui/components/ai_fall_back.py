"""The order of the models that stand in for one that does not answer, moved by buttons."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from nova_ui.components.badges import Badge
from nova_ui.components.buttons import icon_button, quiet_button
from nova_ui.components.notices import NoticeLine
from nova_ui.i18n.translator import Translator
from nova_ui.llm.port import Mode
from nova_ui.presenters.ai_fall_back import FallBackPresenter
from nova_ui.presenters.assistant_words import MODE_TONES, MODE_WORDS
from nova_ui.presenters.problem_sentences import problem_told


class AiFallBack(ui.element):
    """Draws the order anew whenever it has changed."""

    def __init__(self, presenter: FallBackPresenter, tr: Translator) -> None:
        super().__init__("section")
        self.classes("nova-panel nova-stack nova-stack--close")
        self._presenter = presenter
        self._tr = tr
        presenter.changed.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        if self.is_deleted:
            return
        self.clear()
        tr = self._tr
        with self:
            title = ui.label(tr("When a model does not answer")).classes("nova-part__title")
            title.props("role=heading aria-level=2")
            ui.label(
                tr("These are asked in this order, before anything of an answer was shown. The person is told which.")
            )
            if self._presenter.names:
                with ui.element("ol").classes("nova-order"):
                    for place, name in enumerate(self._presenter.names):
                        self._draw_line(name, place)
            else:
                ui.label(tr("Nobody stands in: the person is told that the model did not answer.")).classes("nova-hint")
            self._draw_choice()
            self._draw_widening()
            if self._presenter.problem is not None:
                told = problem_told(self._presenter.problem, tr)
                NoticeLine(told.text, "error", next_step=told.next_step)

    def _draw_line(self, name: str, place: int) -> None:
        tr, words = self._tr, self._words(name)
        last = len(self._presenter.names) - 1
        with ui.element("li"), ui.element("div").classes("nova-row"):
            ui.label(words)
            mode = self._presenter.mode_of(name)
            if mode:
                Badge(tr(MODE_WORDS[Mode(mode)]), MODE_TONES[Mode(mode)])
            up = icon_button("keyboard_arrow_up", tr("Move {name} up", name=words), self._mover(name, -1))
            up.mark(f"order-up-{name}").set_enabled(place > 0)
            down = icon_button("keyboard_arrow_down", tr("Move {name} down", name=words), self._mover(name, 1))
            down.mark(f"order-down-{name}").set_enabled(place < last)
            remove = icon_button("close", tr("Take {name} out", name=words), lambda: self._presenter.remove(name))
            remove.mark(f"order-remove-{name}")

    def _draw_choice(self) -> None:
        free = {name: words for name, words in self._words_by_name().items() if name not in self._presenter.names}
        if not free:
            return
        with ui.element("div").classes("nova-row"):
            choice = ui.select(free, label=self._tr("Model")).classes("nova-order__choice").mark("order-choice")

            async def add() -> None:
                if choice.value is not None:
                    await self._presenter.add(str(choice.value))

            quiet_button(self._tr("Add"), add, icon="add").mark("order-add")

    def _draw_widening(self) -> None:
        tr = self._tr
        box = ui.checkbox(tr("Data may also go further than to the assistant's own model"))
        box.value = self._presenter.may_widen
        box.mark("order-widen")
        box.on_value_change(lambda change: self._presenter.widen(may_widen=change.value is True))
        ui.label(
            tr("Without this, only local ones and the built-in model stand in for a local model, never external ones.")
        ).classes("nova-hint")

    def _mover(self, name: str, by: int) -> Callable[[], Awaitable[None]]:
        async def move() -> None:
            place = await self._presenter.move(name, by)
            if place is not None:
                with self:
                    ui.notify(
                        self._tr("{name} is now number {place}.", name=self._words(name), place=place), position="top"
                    )

        return move

    def _words(self, name: str) -> str:
        return self._words_by_name().get(name, name)

    def _words_by_name(self) -> dict[str, str]:
        return dict(self._presenter.words(self._tr))

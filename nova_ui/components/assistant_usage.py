"""What people used of an assistant lately, below its form, with the way to all of it."""

from urllib.parse import urlencode

from nicegui import background_tasks, ui

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.assistant_insight import AssistantInsightPresenter
from nova_ui.presenters.fields import text_at


class AssistantUsage(ui.element):
    """Reads the usage once it is drawn; `usage_path` is where all of it can be seen."""

    def __init__(self, presenter: AssistantInsightPresenter, tr: Translator, usage_path: str) -> None:
        super().__init__("section")
        self._presenter = presenter
        self._tr = tr
        self._path = usage_path
        with self.classes("nova-panel"):
            title = ui.label(tr("Use in the last 30 days")).classes("nova-part__title")
            title.props("role=heading aria-level=2")
            self._lines = ui.element("div").classes("nova-stack").mark("assistant-usage")
        background_tasks.create(self._load(), context=self, name="read the usage")

    async def _load(self) -> None:
        shown = await self._presenter.load_usage()
        draft = self._presenter.admin.draft
        if self.is_deleted or draft is None:
            return
        tr, totals = self._tr, shown.get("totals")
        with self._lines:
            if not isinstance(totals, dict):
                ui.label(tr("Nothing is known about its use yet.")).classes("nova-hint")
                return
            ui.label(
                tr(
                    "{messages}, {requests}, {tokens}, {cost}",
                    messages=tr.plural("{count} message", "{count} messages", _whole(totals, "messages")),
                    requests=tr.plural("{count} model request", "{count} model requests", _whole(totals, "requests")),
                    tokens=tr.plural(
                        "{count} token",
                        "{count} tokens",
                        _whole(totals, "input_tokens") + _whole(totals, "output_tokens"),
                    ),
                    cost=f"{tr.number(_number(totals, 'cost'), decimals=2)} {text_at(shown, 'currency')}",
                )
            )
            query = urlencode({"by": "identity", "kind": "chat", "assistant": draft.key})
            ui.link(tr("See who used it"), f"{self._path}?{query}").classes("nova-link")


def _number(row: JsonObject, name: str) -> float:
    value: JsonValue = row.get(name)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0


def _whole(row: JsonObject, name: str) -> int:
    return int(_number(row, name))

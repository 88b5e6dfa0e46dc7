"""One run of an AI routine assistant: its answer without scripts, images and hidden text, and what it did (H2)."""

from nicegui import ui

from nova_ui.components.badges import Badge, kind_badge, outcome_badge
from nova_ui.components.facts import Facts, data_block, heading
from nova_ui.components.model_text import ModelText
from nova_ui.components.notices import NoticeLine
from nova_ui.components.object_links import ObjectLinks
from nova_ui.components.object_view import draw_fact
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.domain.tool import ToolKind
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.ai_run_words import reasons_of
from nova_ui.presenters.fields import Field, Shown, rows_in, text_at
from nova_ui.presenters.visible import value_text

FACTS = (
    Field(name="status", shown=Shown.STATE),
    Field(name="cause", label=mark("Cause"), shown=Shown.WORD),
    Field(name="started_at", label=mark("Began"), shown=Shown.MOMENT),
    Field(name="finished_at", label=mark("Ended"), shown=Shown.MOMENT),
    Field(name="started_by", label=mark("Begun by"), shown=Shown.OBJECT, opens="identity"),
    Field(name="acts_as", label=mark("Acted with the rights of"), shown=Shown.OBJECT, opens="identity"),
    Field(name="delivered_to", label=mark("Answer went to"), shown=Shown.OBJECTS, opens="identity"),
    Field(name="model", label=mark("Model"), shown=Shown.LITERAL),
    Field(name="model_calls", label=mark("Requests to the model"), shown=Shown.NUMBER),
    Field(name="tool_calls", label=mark("Tool calls"), shown=Shown.NUMBER),
)


class AiRunView(ui.element):
    """Draws a run; the answer is a model's text, whoever wrote what it is made of."""

    def __init__(self, run: JsonObject, tr: Translator, links: ObjectLinks) -> None:
        super().__init__("div")
        with self.classes("nova-stack nova-object"):
            for reason in reasons_of(run, tr):
                NoticeLine(reason, "warning")
            if text_at(run, "status") == "running":
                NoticeLine(tr("This run is under way. Load the page again to see its answer."))
            if text_at(run, "answer"):
                with ui.element("section").classes("nova-panel"):
                    heading(tr("Answer"))
                    ModelText(text_at(run, "answer"))
            with ui.element("section").classes("nova-panel"):
                heading(tr("Run"))
                facts = Facts()
                for field in FACTS:
                    draw_fact(facts, field, run, tr, links)
            calls = rows_in(run, "calls")
            if calls:
                with ui.element("section").classes("nova-part"):
                    heading(tr("What it did"))
                    for call in calls:
                        _draw_call(call, tr)


def _draw_call(call: JsonObject, tr: Translator) -> None:
    with ui.element("div").classes("nova-panel"), ui.element("div").classes("nova-row"):
        ui.label(text_at(call, "name")).classes("nova-literal")
        kind = text_at(call, "kind")
        if kind in {one.value for one in ToolKind}:
            kind_badge(ToolKind(kind), tr)
        outcome_badge({"ok": "done", "error": "failed"}.get(text_at(call, "status"), text_at(call, "status")), tr)
        if text_at(call, "code"):
            Badge(text_at(call, "code"))
        arguments = call.get("arguments")
        if arguments:
            data_block(value_text(arguments))

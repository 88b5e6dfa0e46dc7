"""What the built-in model says about results: counts first, then a table."""

from collections.abc import Iterator, Mapping
from typing import Final, assert_never

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.i18n.translator import Translator
from nova_ui.llm.builtin.conversation import Done, State
from nova_ui.llm.builtin.lookup import rows_of
from nova_ui.llm.builtin.tables import MAX_ROWS, cell, escaped, facts_of, label, table_of

_SAID_IN_DETAIL: Final = frozenset({"invalid_arguments"})  # only the detail names the argument
_NO_TABLES: Final = frozenset({"items", "owners", "emails", "approvals", "comments", "nothing_matches"})
_NOT_FILTERS: Final = frozenset({"limit", "cursor"})
_WHY_NOT: Final[Mapping[str, str]] = {
    "not_released": mark("This assistant may not use this tool."),
    "not_permitted": mark("You are not permitted to do this."),
    "interface_only": mark("This can only be done in the interface."),
    "invalid_arguments": mark("Nova did not accept the values."),
    "secret_argument": mark("Secrets such as passwords can't be passed on in a chat."),
    "confirmation_invalid": mark("This confirmation does not count any more. Please ask again."),
    "read_only_reply": mark("In the answer to a confirmation nothing else can be changed."),
    "limit_destructive": mark("Only one action that needs a confirmation can run per message."),
    "limit_repeated_call": mark("The same call has run too often in this message."),
    "limit_tool_results": mark("There is no room left for more results in this answer."),
    "limit_model_calls": mark("No further step is possible in this answer."),
    "not_found": mark("There is no such object, or you may not see it."),
    "forbidden": mark("You are not permitted to do this."),
    "session_ended": mark("You are no longer signed in."),
    "outcome_unknown": mark("It is not known whether this was done. Please check before you repeat it."),
}


def count_answer(done: Done, said: Mapping[str, JsonValue], tr: Translator, tool: AnyTool) -> str | None:
    """Return the number that was asked for, and how it was counted; None if the result holds none.

    `said` is what the person's words gave, names in place of ids.
    """
    value = done.value
    if done.state is not State.RAN or not isinstance(value, dict):
        return None
    members = value.get("member_count")
    if isinstance(members, int) and "items" not in value:
        return tr.plural("**{count}** member: {what}.", "**{count}** members: {what}.", members, what=cell(value, tr))
    total = value.get("total")
    if not isinstance(total, int) or not isinstance(value.get("items"), list):
        return None
    filters = [f"{label(name, tr)}: {cell(given, tr)}" for name, given in said.items() if name not in _NOT_FILTERS]
    how = escaped(tr(tool.title)) + (f" ({', '.join(filters)})" if filters else "")
    return tr("**{count}**, counted by: {how}.", count=total, how=how)


def answer_to(done: Done, tool: AnyTool | None, tr: Translator) -> str:
    """Return the words for the result of the call that was asked for."""
    match done.state:
        case State.PREVIEWED:
            return tr(
                "Nothing has been done yet. Please check the card: it shows what would happen, and waits for you."
            )
        case State.REFUSED | State.FAILED:
            return _failure(done, tr)
        case State.RAN:
            return _success(done, tool, tr)
        case _:
            assert_never(done.state)


def _failure(done: Done, tr: Translator) -> str:
    why = tr(_WHY_NOT[done.code]) if done.code in _WHY_NOT else ""
    if done.code == "outcome_unknown":
        return why
    # Where our own sentence says it all, the server's English words would only repeat it.
    detail = escaped(done.detail) if not why or done.code in _SAID_IN_DETAIL else ""
    return " ".join(part for part in (tr("This did not work."), why, detail) if part)


def _success(done: Done, tool: AnyTool | None, tr: Translator) -> str:
    value = done.value
    if not isinstance(value, dict):
        return escaped(str(value))
    if isinstance(value.get("items"), list) and "total" in value:
        return _list(done, value, tool, tr)
    if isinstance(value.get("groups"), list) and "group_by" in value:
        return _counts(value, tr)
    if isinstance(value.get("object"), dict):
        return _destroyed(value, tool, tr)
    if "steps_done" in value:
        return _flow(value, tr)
    return _object(value, tool, tr)


def _list(done: Done, value: JsonObject, tool: AnyTool | None, tr: Translator) -> str:
    rows = rows_of(value)
    total = value.get("total")
    count = total if isinstance(total, int) else len(rows)
    filters = [f"{label(name, tr)}: {cell(given, tr)}" for name, given in _shown_filters(done.arguments)]
    head = tr(tool.title) if tool else ""
    if filters:
        head = f"{head} ({', '.join(filters)})" if head else ", ".join(filters)
    parts = [f"{head}: " + tr.plural("**{count}** match.", "**{count}** matches.", count)]
    parts.append(table_of(rows, tr))
    if count > min(len(rows), MAX_ROWS) > 0:
        parts.append(
            tr("The first {shown} are shown. Narrow it down, or open the list in Nova.", shown=min(len(rows), MAX_ROWS))
        )
    parts.extend(_explained(value, tr))
    parts.extend(_lists_within(value, tr))
    return "\n\n".join(part for part in parts if part)


def _shown_filters(arguments: JsonObject) -> list[tuple[str, JsonValue]]:
    return [(name, given) for name, given in arguments.items() if name not in _NOT_FILTERS and not name.endswith("_id")]


def _explained(value: JsonObject, tr: Translator) -> list[str]:
    why = value.get("nothing_matches")
    return [
        tr(
            "Without “{filter}” there would be {count}.",
            filter=label(str(one.get("filter")), tr),
            count=one.get("matches_without_it"),
        )
        for one in (why if isinstance(why, list) else [])
        if isinstance(one, dict)
    ]


def _counts(value: JsonObject, tr: Translator) -> str:
    groups = value.get("groups")
    rows = [one for one in groups if isinstance(one, dict)] if isinstance(groups, list) else []
    lines = [
        f"| {cell(row.get('label') or row.get('key'), tr)} | {cell(row.get('count'), tr)} |" for row in rows[:MAX_ROWS]
    ]
    total = value.get("total")
    head = tr.plural("**{count}** match.", "**{count}** matches.", total if isinstance(total, int) else len(rows))
    return "\n".join([head, "", f"| {label(str(value.get('group_by')), tr)} | |", "| --- | --- |", *lines])


def _destroyed(value: JsonObject, tool: AnyTool | None, tr: Translator) -> str:
    found = value["object"]
    done = _done_sentence(found if isinstance(found, dict) else {}, tool, tr)
    effects = value.get("effects")
    rows = [one for one in effects if isinstance(one, dict)] if isinstance(effects, list) else []
    if not rows:
        return done
    went_along = tr.plural("{count} object went with it:", "{count} objects went with it:", len(rows))
    lines = [
        f"- {cell(row.get('type'), tr)}: {cell(row.get('display'), tr)} – {cell(row.get('result'), tr)}"
        for row in rows[:MAX_ROWS]
    ]
    if len(rows) > MAX_ROWS:
        lines.append("- …")
    return "\n".join([f"{done} {went_along}", "", *lines])


def _flow(value: JsonObject, tr: Translator) -> str:
    if value.get("complete") is True:
        return tr("Done: all {count} steps.", count=value.get("steps"))
    failed = value.get("failed")
    detail = failed.get("detail") if isinstance(failed, dict) else ""
    stopped = tr(
        "Stopped after {done} of {steps} steps. Nothing was undone; the same request continues.",
        done=value.get("steps_done"),
        steps=value.get("steps"),
    )
    return f"{stopped} {escaped(str(detail or ''))}".strip()


def _object(value: JsonObject, tool: AnyTool | None, tr: Translator) -> str:
    parts: list[str] = []
    if tool is not None and tool.kind is not ToolKind.READ:
        parts.append(_done_sentence(value, tool, tr))
    parts.append(facts_of(value, tr))
    parts.extend(_lists_within(value, tr))
    return "\n\n".join(part for part in parts if part) or tr("Done.")


def _lists_within(value: JsonObject, tr: Translator) -> Iterator[str]:
    """Yield a table for each list that belongs to an object, such as the members of a group."""
    for name, within in value.items():
        rows = rows_of(within) if isinstance(within, dict) else _objects(within)
        table = "" if name in _NO_TABLES else table_of(rows, tr)
        if table:
            total = within.get("total") if isinstance(within, dict) else None
            count = total if isinstance(total, int) else len(rows)
            yield f"**{label(name, tr)}**: {tr.number(count)}\n\n{table}"


def _done_sentence(found: JsonObject, tool: AnyTool | None, tr: Translator) -> str:
    name = next(
        (found[key] for key in ("display_name", "display", "role", "identity", "items", "id") if found.get(key)), None
    )
    title = tr(tool.title) if tool else ""
    said = ": ".join(part for part in (title, cell(name, tr) if name else "") if part)
    return tr("Done. {what}.", what=said) if said else tr("Done.")


def _objects(value: JsonValue) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []

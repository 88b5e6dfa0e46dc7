"""A secret that Nova keeps is known again wherever somebody copied it as plain words (rules D3 and D4)."""

import json
from collections.abc import Callable

import pytest

from nova_ui.chat.message import checked_message
from nova_ui.domain.chat import TextMessage, ToolMessage
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import Change, Consequence, Nova, Shown, ToolArguments, ToolKind
from nova_ui.errors import NovaConflict
from nova_ui.guardrails.known_secrets import (
    KnownSecrets,
    hide_known,
    hide_known_in_card,
    hide_known_in_text,
    holds_known,
    is_worth_knowing,
    lengths_by_beginning,
)
from nova_ui.guardrails.outcome import Failed, Previewed, Ran, Refused
from nova_ui.guardrails.refusal import Code
from nova_ui.guardrails.secret_assignments import SECRET_PLACEHOLDER
from tests.builders import a_raw_call, a_reading_tool, a_tool, a_writing_tool
from tests.guardrails.doors import Counted, a_turnstile

SECRETS = ("Winter2019", "a/b=c:d&e7+f", "correct horse battery staple 9", 'quo"te\\d ünïcode7', "kq7xw2mp9rtz4vbn")
KNOWN = KnownSecrets(recognises=lambda text: text in SECRETS, lengths=lengths_by_beginning(SECRETS))

WRAPS: dict[str, Callable[[str], str]] = {
    "alone": str,
    "in a sentence": lambda one: f"The old one was {one} until May.",
    "at the end of one": lambda one: f"Use {one}.",
    "in quotes": lambda one: f"they said “{one}”, I think",
    "in backticks": lambda one: f"`{one}`",
    "in brackets": lambda one: f"(see {one})",
    "after a colon": lambda one: f"Anna wrote:{one}",
    "after an equals sign": lambda one: f"x={one}",
    "as the second line": lambda one: f"Hello\n{one}\nBye",
    "after a tab": lambda one: f"a\t{one}\tb",
    "within an address": lambda one: f"https://x.example/?a={one}&b=1",
    "between underlines": lambda one: f"a_{one}_b",
    "between separators": lambda one: f"anna;{one};admin",
    "in a mark of Markdown": lambda one: f"**{one}**",
    "as JSON in a text": lambda one: json.dumps({"note": one}),
    "as JSON in JSON": lambda one: json.dumps([json.dumps({"note": f"old: {one}"})]),
    "twice": lambda one: f"{one} and {one}",
}


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("wrap", WRAPS)
def test_d3_a_stored_secret_is_hidden_wherever_it_was_copied_to(secret: str, wrap: str) -> None:
    """Abuse case 46."""
    text = WRAPS[wrap](secret)

    hidden = hide_known_in_text(text, KNOWN)

    assert secret not in hidden
    assert json.dumps(secret)[1:-1] not in hidden
    assert SECRET_PLACEHOLDER in hidden


def test_d3_it_is_hidden_at_any_depth_and_as_the_name_of_a_field() -> None:
    """Abuse case 46."""
    value: JsonValue = {"items": [{"description": "Winter2019", "Winter2019": 1, "n": [["was Winter2019!"]]}], "n": 7}

    hidden = hide_known(value, KNOWN)

    assert "Winter2019" not in json.dumps(hidden)
    assert json.dumps(hidden).count(json.dumps(SECRET_PLACEHOLDER)[1:-1]) == 3
    assert holds_known(value, KNOWN)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a kq7xw2mp-9rtz-4vbn b", "a [secret] b"),  # one within another
        ("a xw2mp-9rtz-4vbn-77 b", "a [secret] b"),  # two that overlap
        ("a kq7xw2mp-9rtz-4vbn-77, kq7xw2mp-9rtz b 9rtz-4vbn c", "a [secret], [secret] b [secret] c"),
        ("Winter2019! and Winter2019!x", "[secret] and [secret]x"),  # it ends with a sign: a word may follow
        (' \n{"a": "Winter\\u00322019", "b": 1}', '{"a": "[secret]", "b": 1}'),
        ("\t[1]", "\t[1]"),
    ],
)
def test_d3_secrets_that_share_letters_are_hidden_to_the_last_of_them(text: str, shown: str) -> None:
    """Abuse case 46."""
    secrets = ("kq7xw2mp-9rtz-4vbn", "9rtz-4vbn", "kq7xw2mp-9rtz", "9rtz-4vbn-77", "xw2mp-9rtz-4vbn", "Winter2019!",
               "Winter22019")  # fmt: skip
    known = KnownSecrets(recognises=lambda found: found in secrets, lengths=lengths_by_beginning(secrets))

    assert hide_known_in_text(text, known) == shown


def test_d3_what_lies_too_deep_to_be_looked_at_is_not_shown() -> None:
    value: JsonValue = "nobody looked at this"
    for _ in range(150):
        value = [value]

    assert "nobody looked" not in json.dumps(hide_known(value, KNOWN))


def test_d3_what_a_text_holds_counts_among_the_hundred_levels() -> None:
    assert "harmless" in hide_known_in_text("[" * 99 + '"harmless"' + "]" * 99, KNOWN)
    assert "harmless" not in hide_known_in_text("[" * 100 + '"harmless"' + "]" * 100, KNOWN)


def test_d3_what_is_left_of_json_in_a_text_keeps_its_letters() -> None:
    assert hide_known_in_text('["Gr\u00fcn", "Winter2019"]', KNOWN) == '["Gr\u00fcn", "[secret]"]'


def test_d3_the_shortest_secret_is_known_where_it_stands_alone() -> None:
    known = KnownSecrets(recognises=lambda text: text == "Sommer24", lengths=lengths_by_beginning(["Sommer24"]))

    assert hide_known_in_text("Sommer24", known) == SECRET_PLACEHOLDER


@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"a": inner}])
def test_d3_a_hundred_levels_are_looked_at_and_not_one_more(wrap: Callable[[JsonValue], JsonValue]) -> None:
    value: JsonValue = "harmless"
    for _ in range(100):
        value = wrap(value)

    assert "harmless" in json.dumps(hide_known(value, KNOWN))
    assert "harmless" not in json.dumps(hide_known([value], KNOWN))


@pytest.mark.parametrize(
    "text",
    ["Winter 2019", "winter2019", "Winter2019x", "xWinter2019", "the winter of 2019", "", "correct horse battery",
     "a/b", "administrator", '{"a": 1}', "[broken"],
)  # fmt: skip
def test_d3_other_words_are_shown_as_they_are(text: str) -> None:
    assert hide_known_in_text(text, KNOWN) == text
    assert not holds_known({"a": [text]}, KNOWN)


def test_d3_a_card_holds_no_stored_secret() -> None:
    """Abuse case 46."""
    shown = Shown(
        subject="Group Winter2019",
        current_state={"description": "pw Winter2019"},
        changes=(Change(field="description", before="Winter2019", after=["Winter2019"]),),
        consequences=(Consequence(type="membership", count=1, names=("Winter2019",), result="removed"),),
    )

    hidden = hide_known_in_card(shown, KNOWN)

    assert "Winter2019" not in repr(hidden)
    assert repr(hidden).count(SECRET_PLACEHOLDER) == 5


@pytest.mark.parametrize(
    ("secret", "is_worth"),
    [("password", False), ("administrator", False), ("Sommer24", True), ("12345678", False), ("sh0rt", False),
     ("x" * 40, True)],
)  # fmt: skip
def test_d3_what_reads_as_a_word_is_not_looked_for(secret: str, *, is_worth: bool) -> None:
    """Or every "administrator" was hidden, which would tell what the secret is."""
    assert is_worth_knowing(secret) is is_worth


async def test_d3_results_errors_and_cards_of_the_gate_hold_no_stored_secret() -> None:
    """Abuse case 46."""
    reading = a_reading_tool(run=Counted(answer={"items": [{"description": "old: Winter2019"}, "Win【1】ter2019"]}))
    failing = a_writing_tool(run=Counted(error=NovaConflict("The name Winter2019 is taken.")))

    async def show(_arguments: ToolArguments, _nova: Nova) -> Shown:
        return Shown(subject="Contractors", current_state={"description": "Winter2019"}, etag='"1"')

    turnstile = a_turnstile(reading, failing, a_tool(show=show))
    turnstile.known = KNOWN

    read = await turnstile.pass_call(a_raw_call("list_groups"))
    failed = await turnstile.pass_call(a_raw_call("update_group"))
    card = await turnstile.pass_call(a_raw_call("delete_group"))

    assert isinstance(read, Ran)
    assert isinstance(failed, Failed)
    assert isinstance(card, Previewed)
    assert read.content.count(SECRET_PLACEHOLDER) == 2
    assert "Winter2019" not in read.content + read.text + failed.content + failed.text + repr(card.preview)
    assert card.preview.shown.current_state == {"description": SECRET_PLACEHOLDER}


@pytest.mark.parametrize("name", ["update_group", "delete_group"])
async def test_d4_a_stored_secret_is_no_argument(name: str) -> None:
    """Abuse case 46."""
    run = Counted()
    turnstile = a_turnstile(a_writing_tool(run=run), a_tool(run=run))
    turnstile.known = KnownSecrets(
        recognises=lambda text: text == "grp_7secret", lengths=lengths_by_beginning(["grp_7secret"])
    )

    outcome = await turnstile.pass_call(a_raw_call(name, {"group_id": "grp_7secret"}))

    assert isinstance(outcome, Refused)
    assert (outcome.refusal.code, outcome.refusal.reason) == (Code.SECRET_ARGUMENT, "live_secret")
    assert run.runs == 0
    assert turnstile.previews.stored == []


async def test_d3_what_a_step_of_a_flow_returns_holds_no_stored_secret() -> None:
    """Abuse case 46."""
    heard: list[JsonValue] = []

    async def flow(_arguments: object, nova: Nova) -> JsonValue:
        heard.append(await nova.run_tool("list_groups", {"group_id": "grp_1"}))
        return "done"

    inner = a_reading_tool(run=Counted(answer=["Winter2019"]))
    turnstile = a_turnstile(
        inner,
        a_tool(
            "look_around", ToolKind.READ, endpoints=(), run=flow, show=None, is_flow=True, inner_tools=(inner.name,)
        ),
    )
    turnstile.known = KNOWN

    await turnstile.pass_call(a_raw_call("look_around"))

    assert heard == [[SECRET_PLACEHOLDER]]


def test_d4_what_is_typed_holds_no_stored_secret() -> None:
    """Abuse case 46."""
    typed = checked_message(TextMessage(text="Is Winter2019 right?"), KNOWN)
    called = checked_message(ToolMessage(tool_name="list_groups", arguments={"q": "Winter2019"}), KNOWN)

    assert typed == TextMessage(text=f"Is {SECRET_PLACEHOLDER} right?")
    assert called == ToolMessage(tool_name="list_groups", arguments={"q": SECRET_PLACEHOLDER})


@pytest.mark.parametrize("levels", [10, 11, 12])
@pytest.mark.parametrize("lists", [90, 97, 99])
def test_d3_texts_in_texts_are_hidden_before_they_are_too_deep_to_be_looked_at(levels: int, lists: int) -> None:
    """Abuse case 41. Each text may be as deep as is looked at; together they must not outgrow the stack."""
    text = "x"
    for _ in range(levels):
        text = "[" * lists + json.dumps(text) + "]" * lists

    assert SECRET_PLACEHOLDER in hide_known_in_text(text, KNOWN)

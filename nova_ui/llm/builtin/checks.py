"""What makes declared phrases unusable; checked at start (rules 2 and 4 of the built-in model)."""

from collections.abc import Iterator, Sequence
from typing import Final

from nova_ui.domain.tool import AnyTool
from nova_ui.errors import ConfigurationError
from nova_ui.llm.builtin.matcher import Grammar, grammar_of
from nova_ui.llm.builtin.phrase import Gap, Phrase, Piece, Term

_GAP: Final = "{}"

_PieceKey = tuple[frozenset[str] | str, ...]


def check_phrases(tools: Sequence[AnyTool]) -> None:
    """Check what tools say is said to mean them.

    Raises:
        ConfigurationError: a phrase that can't be read, that fills or sets what the tool does not take, that means a
            change without a verb that says so, or that means two tools; an argument that no phrase can give.

    """
    names = frozenset(tool.name for tool in tools)
    meant: dict[frozenset[_PieceKey], tuple[str, bool]] = {}
    for tool in tools:
        try:
            grammar = grammar_of(tool)
        except ValueError as error:
            raise ConfigurationError(f"{tool.name}: {error}") from None
        _check_slots(grammar)
        _check_references(tool, names)
        _check_verbs(grammar)
        _check_required(grammar)
        _check_clashes(grammar, meant)


def _check_slots(grammar: Grammar) -> None:
    phrases = grammar.tool.phrases
    for spoken in (*grammar.phrases, *grammar.details):
        for slot in spoken.phrase.slots:
            for argument in grammar.slot(slot).arguments or (slot,):
                is_helper = slot in phrases.references
                if not is_helper and not _takes(grammar.tool, argument):
                    raise ConfigurationError(
                        f"{grammar.tool.name} has no argument for {{{slot}}}: {spoken.phrase.text}"
                    )
        for argument in spoken.sets:
            if not _takes(grammar.tool, argument):
                raise ConfigurationError(f"{grammar.tool.name} has no argument {argument}: {spoken.phrase.text}")


def _check_references(tool: AnyTool, names: frozenset[str]) -> None:
    for slot, declared in tool.phrases.references.items():
        reference = declared
        while reference is not None:
            if reference.tool not in names:
                raise ConfigurationError(f"{tool.name} looks {slot} up with {reference.tool}, which does not exist")
            unknown = set(reference.narrowed_by.values()) - set(tool.phrases.references)
            if unknown:
                raise ConfigurationError(
                    f"{tool.name} narrows {slot} by {', '.join(sorted(unknown))}, which is no slot"
                )
            if reference.otherwise is None:
                break
            reference = reference.otherwise


def _check_verbs(grammar: Grammar) -> None:
    if not grammar.changes:
        return
    for spoken in grammar.phrases:
        if not any(term.is_action for term in spoken.phrase.told_terms):
            raise ConfigurationError(
                f"{grammar.tool.name} changes something, but no verb says so: {spoken.phrase.text}"
            )


def _check_required(grammar: Grammar) -> None:
    if not grammar.phrases:
        return
    given = {argument for spoken in (*grammar.phrases, *grammar.details) for argument in _given(grammar, spoken.phrase)}
    given |= {argument for spoken in (*grammar.phrases, *grammar.details) for argument in spoken.sets}
    looked_up = {slot for slot, reference in grammar.tool.phrases.references.items() if not reference.search_argument}
    for name, field in grammar.tool.arguments.model_fields.items():
        if field.is_required() and name not in given | looked_up:
            raise ConfigurationError(f"{grammar.tool.name} needs {name}, but no phrase gives it")


def _check_clashes(grammar: Grammar, meant: dict[frozenset[_PieceKey], tuple[str, bool]]) -> None:
    for spoken in grammar.phrases:
        if spoken.is_second_best:
            continue
        key = frozenset(_piece_key(piece) for piece in spoken.phrase.pieces)
        other, is_shared = meant.setdefault(key, (grammar.tool.name, spoken.is_shared))
        if other != grammar.tool.name and not (is_shared and spoken.is_shared):
            raise ConfigurationError(f"{spoken.phrase.text!r} means both {other} and {grammar.tool.name}")


def _piece_key(piece: Piece) -> _PieceKey:
    parts: list[frozenset[str] | str] = []
    for element in piece:
        if isinstance(element, Gap):
            parts.append(_GAP)
        elif not element.is_optional:
            parts.append(_term_key(element))
    return tuple(parts)


def _term_key(term: Term) -> frozenset[str]:
    return term.concepts or term.words


def _given(grammar: Grammar, phrase: Phrase) -> Iterator[str]:
    for slot in phrase.slots:
        yield from grammar.slot(slot).arguments or (slot,)


def _takes(tool: AnyTool, argument: str) -> bool:
    return argument.partition(".")[0] in tool.arguments.model_fields

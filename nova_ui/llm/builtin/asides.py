"""Takes a reason or an explanation off the end of a request, if it can't turn it into something else."""

from typing import Final

from nova_ui.llm.builtin.lexicon import NEGATIONS, is_action
from nova_ui.llm.builtin.words import split_words

_SUBJECTS: Final = frozenset(
    {
        *("we", "he", "she", "it", "they", "i", "because", "since", "as", "that", "which"),
        *("wir", "er", "sie", "es", "ich", "man", "weil", "da", "denn", "die", "der", "das", "den"),
    }
)
_NO_LONGER: Final = frozenset(
    {
        *("need", "needs", "needed", "use", "uses", "used", "left", "gone", "works", "work", "required", "empty"),
        *("brauchen", "braucht", "gebraucht", "brauche", "benoetigt", "benoetigen", "verwendet", "genutzt", "arbeitet"),
        *("ausgeschieden", "verlassen", "da", "leer", "noetig", "notwendig"),
    }
)


def without_aside(text: str) -> str | None:
    """Return `text` without a closing clause that only explains, such as ", we don't need it any more".

    None if there is no such clause. A clause with a verb of its own that tells to do something, or with a "not" that is
    about anything else than being needed, stays: it may take the request back.
    """
    words = split_words(text)
    for index in range(len(words) - 1, 0, -1):
        begins = words[index - 1].is_mark or words[index].folded in {"because", "weil"}
        if not begins or words[index].folded not in _SUBJECTS:
            continue
        clause = words[index:]
        has_not = any(word.folded in NEGATIONS for word in clause)
        is_about_need = any(word.folded in _NO_LONGER for word in clause)
        if any(is_action(word.folded) for word in clause) or (has_not and not is_about_need):
            return None
        return text[: words[index - 1].end if not words[index - 1].is_mark else words[index - 1].start].strip() or None
    return None

"""How texts are compared."""

from nova_ui.domain.folding import fold, searchable


def test_texts_are_compared_without_case_spaces_or_form() -> None:
    assert fold("  Straße \t GRO\u0308SSE\n") == "strasse gr\u00f6sse"


def test_parts_are_searched_one_after_the_other_without_the_empty_ones() -> None:
    assert searchable("Ada  BERG", None, "", "  ", "ada@x.example") == "ada berg ada@x.example"

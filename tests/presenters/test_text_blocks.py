import pytest
from hypothesis import given
from hypothesis import strategies as st

from nova_ui.presenters.text_blocks import split_blocks


def test_a_block_is_finished_when_another_one_has_begun() -> None:
    assert split_blocks("First part.\n\nSecond part is growing") == (["First part."], "Second part is growing")


@pytest.mark.parametrize(
    "text",
    [
        "Only one part",
        "One part, and then\n\n",
        "One part\n\nSho",
        "```\ncode\n\nmore code that goes on",
        "1. one\n\n2. two and its words",
        "- one\n\n- two and its words",
        "1. one\n\n   indented words of it",
    ],
)
def test_what_may_still_belong_together_stays_together(text: str) -> None:
    assert split_blocks(text) == ([], text)


def test_a_code_fence_ends_only_at_its_own_mark() -> None:
    blocks, rest = split_blocks("````\n```\n\nstill code\n````\n\nWords after the code")

    assert blocks == ["````\n```\n\nstill code\n````"]
    assert rest == "Words after the code"


@given(st.text(alphabet="ab1.-` \n#|", max_size=200))
def test_a_growing_text_never_takes_a_block_back(text: str) -> None:
    seen: list[str] = []
    for end in range(len(text) + 1):
        blocks, _rest = split_blocks(text[:end])

        assert blocks[: len(seen)] == seen

        seen = blocks


@given(st.text(alphabet="ab` \n", max_size=200))
def test_nothing_but_blank_lines_is_lost(text: str) -> None:
    blocks, rest = split_blocks(text)

    assert "".join([*blocks, rest]).replace("\n", "") == text.replace("\n", "")

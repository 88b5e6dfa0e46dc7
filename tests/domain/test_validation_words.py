"""I3: what is wrong with arguments is said by field, and no value is repeated."""

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.validation_words import describe


class _Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")
    size: int


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: str
    inner: list[_Inner] = []
    about: str | list[str] | dict[str, str] = ""

    @field_validator("about")
    @classmethod
    def _checked(cls, value: object) -> object:
        if value not in ("", ["fine"]):
            raise ValueError("must not be open sesame")
        return value


def _words(given: JsonObject) -> str:
    with pytest.raises(ValidationError) as found:
        _Given.model_validate(given)
    return describe(found.value)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "name: is required."),
        ({"name": "a", "extra": "x"}, "extra: there is no such argument."),
        ({"name": "a", "what ever\n": "x"}, "(unreadable name): there is no such argument."),
        ({"name": 7}, "name: Input should be a valid string."),
        ({"name": "a", "inner": [{"size": 1}, {}]}, "inner.1.size: is required."),
        ({"name": "a", "about": "else"}, "about: must not be open sesame."),
        ({"name": "a", "about": "sesame"}, "about: is not valid."),
        ({"name": "a", "about": ["else", "sesame"]}, "about: is not valid."),
        ({"name": "a", "about": {"x": "sesame"}}, "about: is not valid."),
        ({"name": "a", "about": {"sesame": "x"}}, "about: must not be open sesame."),
        ({"name": "a", "about": ["", "else"]}, "about: must not be open sesame."),
    ],
)
def test_i3_a_mistake_is_named_by_its_field(given: JsonObject, words: str) -> None:
    assert _words(given) == words


def test_i3_five_mistakes_are_named_and_the_others_counted() -> None:
    five = [f"a{number}: there is no such argument." for number in range(5)]

    assert _words({"name": "", **{f"a{number}": 1 for number in range(5)}}) == " ".join(five)
    assert _words({"name": "", **{f"a{number}": 1 for number in range(7)}}) == " ".join([*five, "2 more."])


def test_i3_a_value_that_is_no_object_is_named_as_the_arguments() -> None:
    with pytest.raises(ValidationError) as found:
        _Given.model_validate("x")

    assert describe(found.value).startswith("The arguments: Input should be a valid dictionary")

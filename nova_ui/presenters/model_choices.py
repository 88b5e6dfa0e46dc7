"""The models that an assistant or a routine may name, in words."""

from collections.abc import Mapping
from typing import Final

from nova_ui.domain.ai_profile import BUILT_IN_KEY, ENVIRONMENT_KEY
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.fields import rows_in, text_at

DEFAULT: Final = ""


def model_choices(configuration: JsonObject, present: str | None, tr: Translator) -> Mapping[str, str]:
    """Return what can be chosen and its words, from an answer of `GET /administration/ai-configuration`.

    `present` stays a choice even if its profile is gone: nothing changes because somebody opened a form.
    """
    profiles = rows_in(configuration, "profiles")
    default = text_at(configuration, "default_profile")
    default_name = next((_name(one, tr) for one in profiles if text_at(one, "key") == default), default)
    choices = {DEFAULT: tr("Default, at present {model}", model=default_name)}
    for profile in profiles:
        choices |= _of_profile(profile, tr)
    if present and present not in choices:
        choices[present] = tr("{model}, which is not in the AI configuration", model=present)
    return choices


def _of_profile(profile: JsonObject, tr: Translator) -> dict[str, str]:
    key, name = text_at(profile, "key"), _name(profile, tr)
    models = [str(one) for one in _list(profile.get("models"))]
    if key == BUILT_IN_KEY or not models:
        return {key: name}
    first, *others = models
    return {key: f"{name} · {first}"} | {f"{key}/{one}": f"{name} · {one}" for one in others}


def _name(profile: JsonObject, tr: Translator) -> str:
    match text_at(profile, "key"):
        case key if key == BUILT_IN_KEY:
            return tr("built-in model")
        case key if key == ENVIRONMENT_KEY:
            return tr("model of the server's settings")
        case _:
            return text_at(profile, "name")


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []

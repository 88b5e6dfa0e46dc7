"""How the model may change one's own profile."""

from typing import Annotated, Final, Literal

from pydantic import Field

from nova_ui.domain.identity import EVERYONE, Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import Words
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import monitoring as phrases
from nova_ui.tools.results import readable_object
from nova_ui.tools.showing import Look, show_object

AREA: Final = mark("My profile")

_ME: Final = "GET /me"
_STATE: Final = ("id", "display_name", "phone_numbers", "preferred_language", "timezone", "locale", "theme")

Phone = Annotated[str, Field(pattern=r"^\+?[0-9][0-9 ()/.-]{2,30}$")]


class UpdateMyProfile(ToolArguments):
    """What to change in one's own profile; what is left out stays."""

    display_name: Words | None = Field(None, description="New name as shown.")
    phone_numbers: list[Phone] | None = Field(None, max_length=10, description="All phone numbers from now on.")
    preferred_language: Literal["en", "de"] | None = Field(None, description="Language of the interface.")
    timezone: Words | None = Field(None, description="Time zone, such as Europe/Berlin.")
    locale: Words | None = Field(None, description="Format of dates and numbers, such as de-DE.")
    theme: Literal["system", "light", "dark"] | None = Field(None, description="How the interface looks.")


async def _update_my_profile(arguments: UpdateMyProfile, nova: Nova) -> JsonValue:
    body: JsonObject = arguments.model_dump(exclude_none=True)
    return readable_object((await nova.call("PATCH /me", body=body, if_match=nova.if_match)).object)


async def _show_update(arguments: UpdateMyProfile, nova: Nova) -> Shown:
    after: JsonObject = arguments.model_dump(exclude_none=True)
    return await show_object(
        nova, Look(endpoint=_ME, path={}), None, fields=_STATE, unknown=nova.identity.display_name, after=after
    )


UPDATE_MY_PROFILE = Tool(
    name="update_my_profile",
    title=mark("Change own profile"),
    summary=mark("Change one's own name, phone numbers, language, time zone or theme."),
    area=AREA,
    icon="account_circle",
    kind=ToolKind.WRITE,
    roles=EVERYONE,
    self_service=True,
    endpoints=("PATCH /me", _ME),
    arguments=UpdateMyProfile,
    run=_update_my_profile,
    action=mark("Change the profile of {subject}"),
    show=_show_update,
    phrases=phrases.UPDATE_MY_PROFILE,
    examples={
        Language.ENGLISH: (
            Example(text="Set my phone number to +49 30 1234567", arguments={"phone_numbers": ["+49 30 1234567"]}),
            Example(text="Switch my language to German", arguments={"preferred_language": "de"}),
        ),
        Language.GERMAN: (
            Example(
                text="Setze meine Telefonnummer auf +49 30 1234567", arguments={"phone_numbers": ["+49 30 1234567"]}
            ),
            Example(text="Stelle meine Sprache auf Englisch um", arguments={"preferred_language": "en"}),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(UPDATE_MY_PROFILE),)

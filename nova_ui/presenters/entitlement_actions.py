"""What can be done with an entitlement from its application's page."""

from typing import Final

from nova_ui.domain.text import mark
from nova_ui.presenters.actions import Action, path_of
from nova_ui.presenters.directory_words import RISKS
from nova_ui.presenters.fields import text_at
from nova_ui.presenters.object_form import Control, FormField

_ONE: Final = "GET /entitlements/{entitlement_id}"
_PATH: Final = path_of("entitlement_id")

EDIT_ENTITLEMENT: Final = Action(
    key="edit-entitlement",
    label=mark("Edit"),
    sentence=mark("Change {subject}"),
    done=mark("The change is stored."),
    endpoint="PATCH /entitlements/{entitlement_id}",
    path=_PATH,
    reads=_ONE,
    reads_path=_PATH,
    fields=(
        FormField(name="description", control=Control.LONG_TEXT, emptied=""),
        FormField(name="owner_ids", control=Control.SEVERAL, of="person", at="owners", emptied=[]),
        FormField(name="requestable", control=Control.YES_NO, clears=False),
        FormField(name="risk", control=Control.CHOICE, choices=RISKS, clears=False),
    ),
    is_patch=True,
    is_offered=lambda person, one: person.is_administrator and text_at(one, "status") != "gone",
)

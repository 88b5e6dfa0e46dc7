"""Administration › Sign-in policy: the policy, one identity held against it, the administrators."""

from nicegui import ui

from nova_ui.components.administrators import Administrators
from nova_ui.components.buttons import quiet_button
from nova_ui.components.sign_in_policy import Evaluation, PolicyForm
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import SESSIONS, SIGN_IN_POLICY
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.object_search import ObjectSearch
from nova_ui.presenters.sign_in_policy import SignInPolicyPresenter
from nova_ui.services import Services


def register(services: Services) -> None:
    """Add the page."""
    place = SIGN_IN_POLICY

    @page(services, place.path, title=place.label, section=place.section, roles=place.roles)
    async def sign_in_policy_page(visit: Visit, frame: Frame) -> None:
        with frame.actions:
            quiet_button(
                visit.tr("See who is signed in"), lambda: ui.navigate.to(SESSIONS.path), icon=SESSIONS.icon
            ).mark("to-sessions")
        nova = services.nova.open(visit.caller, INTERFACE)
        presenter, search = SignInPolicyPresenter(nova, visit.tr), ObjectSearch(nova, {})
        with ui.element("div").classes("nova-stack nova-narrow"):
            PolicyForm(presenter)
            Evaluation(presenter, search)
            Administrators(presenter, search, own_id=visit.identity.id)
        await presenter.load()

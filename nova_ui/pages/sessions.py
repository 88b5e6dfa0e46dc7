"""Monitoring › Sessions: who is signed in; administrators end sessions."""

from nicegui import ui

from nova_ui.components.buttons import quiet_button
from nova_ui.pages.directory import draw_list
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import SESSIONS, SIGN_IN_POLICY
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.session_kind import SESSION_LIST
from nova_ui.services import Services


def register(services: Services) -> None:
    """Add the page."""

    @page(services, SESSIONS.path, title=SESSIONS.label, section=SESSIONS.section, roles=SESSIONS.roles)
    async def sessions_page(visit: Visit, frame: Frame) -> None:
        if SIGN_IN_POLICY.is_open_to(visit.identity):
            with frame.actions:
                label, icon = visit.tr(SIGN_IN_POLICY.label), SIGN_IN_POLICY.icon
                quiet_button(label, lambda: ui.navigate.to(SIGN_IN_POLICY.path), icon=icon).mark("to-sign-in-policy")
        await draw_list(services, visit, frame, place=SESSIONS, kind=SESSION_LIST)

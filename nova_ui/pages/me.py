"""Own settings, at `/me`: language, theme, password, second factor, own sessions."""

from nicegui import ui

from nova_ui.components.own_ai_usage import OwnAiUsage
from nova_ui.components.own_credentials import OwnPassword, OwnSecondFactor
from nova_ui.components.own_sessions import OwnSessions
from nova_ui.components.own_settings import OwnSettings
from nova_ui.domain.text import mark
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.frame import Frame
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.own_ai_usage import OwnAiUsagePresenter
from nova_ui.presenters.own_credentials import CredentialsPresenter
from nova_ui.presenters.own_settings import OwnSettingsPresenter
from nova_ui.services import Services


def register(services: Services) -> None:
    """Make the page."""

    @page(services, "/me", title=mark("Own settings"))
    async def me(visit: Visit, frame: Frame) -> None:
        del frame
        nova = services.nova.open(visit.caller, INTERFACE)
        presenter = OwnSettingsPresenter(nova, visit.identity, visit.tr, theme=visit.login.theme)
        usage = OwnAiUsagePresenter(nova, visit.tr)
        credentials = CredentialsPresenter(nova, visit.tr)
        with ui.element("div").classes("nova-stack nova-narrow"):
            OwnSettings(presenter)
            OwnAiUsage(usage)
            OwnPassword(credentials)
            OwnSecondFactor(credentials)
            OwnSessions(presenter)
        await presenter.load()
        await usage.load()
        await credentials.load()

"""Administration › AI configuration: who is asked, with which key, and what is sent where."""

from nicegui import background_tasks, ui

from nova_ui.components.action_dialog import ActionDialogs
from nova_ui.components.ai_fall_back import AiFallBack
from nova_ui.components.ai_places import AiPlaces
from nova_ui.components.ai_profiles import AiProfiles, draw_examples
from nova_ui.components.buttons import primary_button
from nova_ui.domain.tool import NovaAnswer
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import AI_CONFIGURATION
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.actions import Action, no_object
from nova_ui.presenters.ai_configuration import AiConfigurationPresenter
from nova_ui.presenters.ai_places import AiPlacesPresenter
from nova_ui.presenters.ai_profile_actions import NEW_PROFILE
from nova_ui.services import Services


def register(services: Services) -> None:
    """Add the page."""

    @page(
        services,
        AI_CONFIGURATION.path,
        title=AI_CONFIGURATION.label,
        section=AI_CONFIGURATION.section,
        roles=AI_CONFIGURATION.roles,
    )
    async def ai_page(visit: Visit, frame: Frame) -> None:
        nova = services.nova.open(visit.caller, INTERFACE)
        presenter = AiConfigurationPresenter(nova, visit.identity)
        places = AiPlacesPresenter(nova)

        async def done(action: Action, answer: NovaAnswer | None) -> None:
            del action, answer
            await presenter.load()

        dialogs = ActionDialogs(nova, visit.tr, done)
        with frame.actions:
            new = primary_button(
                visit.tr(NEW_PROFILE.label), lambda: dialogs.open(NEW_PROFILE, no_object()), icon=NEW_PROFILE.icon
            )
            new.mark("do-new")
        with ui.element("div").classes("nova-stack"):
            AiProfiles(presenter, visit.tr, dialogs)
            AiFallBack(presenter.fall_back, visit.tr)
            draw_examples(visit.tr)
            AiPlaces(places, visit.tr)
        await presenter.load()
        await places.load()

        def load_places(_: None) -> None:
            background_tasks.create(places.load(), name="load places")

        presenter.fall_back.changed.subscribe(load_places)  # a profile or the order has changed: data may go elsewhere

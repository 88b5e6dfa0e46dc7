"""Administration › AI budget: limits, prices, and the way to what was used."""

from nicegui import ui

from nova_ui.components.ai_budget import AiBudgetForm
from nova_ui.components.buttons import quiet_button
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import AI_BUDGET, AI_USAGE
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.ai_budget import AiBudgetPresenter
from nova_ui.services import Services


def register(services: Services) -> None:
    """Add the page."""

    @page(services, AI_BUDGET.path, title=AI_BUDGET.label, section=AI_BUDGET.section, roles=AI_BUDGET.roles)
    async def ai_budget_page(visit: Visit, frame: Frame) -> None:
        with frame.actions:
            quiet_button(visit.tr("See what was used"), lambda: ui.navigate.to(AI_USAGE.path), icon=AI_USAGE.icon).mark(
                "to-usage"
            )
        presenter = AiBudgetPresenter(services.nova.open(visit.caller, INTERFACE), visit.tr)
        AiBudgetForm(presenter)
        await presenter.load()

"""The check of an assistant's guardrails: what it would cost, and what the last one found."""

from pydantic import Field

from nova_ui.nova.views.common import Body, View
from nova_ui.nova.views.jobs import JobView


class SelfTestBody(Body):
    """How to check."""

    with_model: bool = Field(default=False, description="whether hostile messages also go to the configured model")


class SelfTestPlan(View):
    """What a check comes to; the model's share is at most that much, and only where it is asked."""

    attacks: int = Field(description="scripted attacks, which ask no model")
    model: str = Field(description="name of the model that answers for the assistant")
    mode: str = Field(description="where what the model is sent goes: built_in, local or external")
    asks_model: bool = Field(description="false for the built-in model, which is no language model")
    prompts: int = Field(description="hostile messages that go to the model where that is wanted")
    max_requests: int
    max_input_tokens: int
    max_seconds: int


class SelfTestView(View):
    """The plan, and the job of the newest check of this assistant; `result` of a finished job is its report."""

    plan: SelfTestPlan
    newest: JobView | None

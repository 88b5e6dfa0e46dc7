"""G: losing access to an assistant."""

from nova_ui.domain.assistant import AudienceKind
from nova_ui.domain.identity import Role
from nova_ui.guardrails.audience import exists_for
from tests.builders import an_assistant, an_identity


def test_g4_an_assistant_stops_existing_for_whoever_loses_the_role_that_let_them_in() -> None:
    assistant = an_assistant(audience=AudienceKind.ROLES, roles=frozenset({Role.AUDITOR}))

    assert exists_for(assistant, an_identity(Role.AUDITOR))
    assert not exists_for(assistant, an_identity())

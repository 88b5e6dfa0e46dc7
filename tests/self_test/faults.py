"""A fault for each rule: what enforces it is taken away or weakened, and the self-test must say so."""

import dataclasses
from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import true

from nova_ui.auth.session import Sessions
from nova_ui.domain.assistant import ToolList
from nova_ui.domain.identity import EVERYONE
from nova_ui.domain.tool import ToolKind
from nova_ui.guardrails import limits
from nova_ui.guardrails.agreement import Reply
from nova_ui.self_test.subject import Subject
from storage.chat.assistants import RowAsWritten
from tests.self_test import weakened
from tests.self_test.subjects import ADMIN, OPEN, STRICT

Patches = Mapping[str, Any]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Fault:
    """`rules` must be named as not held, all of them; `also` may be, since they stand on the same ground."""

    rules: frozenset[str]
    patches: Patches = dataclasses.field(default_factory=dict)
    tools: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    subject: Subject = OPEN
    also: frozenset[str] = frozenset()


_ROOM: Final = "nova_ui.guardrails."

FAULTS: Final[Mapping[str, Fault]] = MappingProxyType(
    {
        "a tool answers without Nova": Fault(
            rules=frozenset({"A1"}),
            tools=weakened.tool("list_groups", run=weakened.from_elsewhere),
            also=frozenset({"H4"}),
        ),
        "sessions are remembered": Fault(
            rules=frozenset({"A2"}),
            patches={
                "nova_ui.auth.session.Sessions.identity_of": weakened.remembered(Sessions.identity_of),
                "nova_ui.auth.session.Sessions.by_id": weakened.remembered(Sessions.by_id),
                "nova_ui.chat.live_turn.LiveTurn.interrupt": weakened.nothing,
            },
        ),
        "roles are not asked for": Fault(
            rules=frozenset({"A3"}),
            patches={f"{_ROOM}admission.check_roles": weakened.nothing},
            also=frozenset({"A2", "A4"}),
        ),
        "a writing flow is open to all": Fault(
            rules=frozenset({"A4"}), tools=weakened.tool("onboard_identity", roles=EVERYONE), subject=STRICT
        ),
        "chats are answered otherwise": Fault(
            rules=frozenset({"A5"}), patches={"nova_ui.api.caller._delegated": weakened.not_for_chats}
        ),
        "the list is not asked": Fault(
            rules=frozenset({"B1"}),
            patches={f"{_ROOM}admission.check_released": weakened.nothing},
            also=frozenset({"B7", "C11"}),
        ),
        "inner tools are not asked for": Fault(
            rules=frozenset({"B2"}), patches={f"{_ROOM}admission.check_indirect": weakened.nothing}
        ),
        "rules of assistants are not checked": Fault(
            rules=frozenset({"B3", "B4"}),
            patches={"nova_ui.domain.assistant.Assistant.__post_init__": weakened.nothing},
            subject=ADMIN,
        ),
        "a row releases all tools to everyone": Fault(
            rules=frozenset({"B3"}),
            subject=dataclasses.replace(OPEN, row=RowAsWritten(all_tools=True, audience="everyone", enabled=True)),
        ),
        "the row of the Admin Chat is weakened": Fault(
            rules=frozenset({"B4"}),
            subject=dataclasses.replace(ADMIN, row=RowAsWritten(all_tools=False, audience="everyone", enabled=True)),
        ),
        "everybody finds every assistant": Fault(
            rules=frozenset({"B5"}),
            patches={"nova_ui.chat.usable.exists_for": lambda *_: True},
            subject=STRICT,
            also=frozenset({"G4"}),
        ),
        "chats count as the interface": Fault(
            rules=frozenset({"B6"}), patches={"nova_ui.nova_client.origin.Origin.is_chat": property(lambda _: False)}
        ),
        "the list counts as it was at the start": Fault(
            rules=frozenset({"B7"}),
            patches={
                "nova_ui.domain.assistant.ToolList.holds": lambda self, name: (
                    name in OPEN.assistant.tools.names or (isinstance(self, ToolList) and name in self.names)
                )
            },
            also=frozenset({"B2", "C11"}),
        ),
        "an added tool counts at once": Fault(
            rules=frozenset({"B7"}), patches={f"{_ROOM}admission.check_released": weakened.at_once}
        ),
        "names need only be alike": Fault(
            rules=frozenset({"B8"}), patches={f"{_ROOM}passage.Passage.ask": weakened.by_likeness}
        ),
        "deleting is marked as writing": Fault(
            rules=frozenset({"C1"}),
            tools=weakened.tool("delete_group", kind=ToolKind.WRITE),
            also=frozenset({"D2", "C8", "C2"}),
        ),
        "no card is shown": Fault(
            rules=frozenset({"C2"}),
            patches={f"{_ROOM}passage.Passage._show_first": weakened.without_card},
            also=frozenset({"C1", "C6", "C7", "C9", "E2"}),
        ),
        "cards are shown for invalid calls": Fault(
            rules=frozenset({"C2"}),
            patches={f"{_ROOM}passage.Passage.ask": weakened.unchecked_card},
            also=frozenset({"C6", "I3", "D2"}),
        ),
        "cards show no state": Fault(
            rules=frozenset({"C2"}), patches={f"{_ROOM}gate.look": weakened.blind_look}, also=frozenset({"C14"})
        ),
        "messages in between are not counted": Fault(
            rules=frozenset({"C4"}),
            patches={
                "nova_ui.chat.accept.why_closed": weakened.nothing,
                "nova_ui.chat.turn_task.TurnTask._close_agreed": weakened.none_closed,
                "nova_ui.chat.confirm.check_confirmation": weakened.any_number,
                f"{_ROOM}passage.check_confirmation": weakened.any_number,
            },
            also=frozenset({"C7", "C12", "C15", "C5", "G3"}),
        ),
        "cards never expire": Fault(
            rules=frozenset({"C5"}),
            patches={
                "nova_ui.domain.preview.CONFIRMATION_LIFETIME": timedelta(hours=1),
                "storage.chat.previews.CONFIRMATION_LIFETIME": timedelta(hours=1),
            },
        ),
        "cards expire a moment too early": Fault(
            rules=frozenset({"C5"}),
            patches={"nova_ui.domain.preview.CONFIRMATION_LIFETIME": timedelta(minutes=10, milliseconds=-1)},
        ),
        "other arguments are confirmed too": Fault(
            rules=frozenset({"C6"}),
            patches={
                f"{_ROOM}passage.check_confirmation": weakened.same_call,
                f"{_ROOM}passage.still_holds": lambda *_: True,
            },
            also=frozenset({"C14", "E2"}),
        ),
        "any reply agrees": Fault(
            rules=frozenset({"C7"}),
            patches={
                "nova_ui.chat.confirm.classify_reply": lambda _: Reply.AGREES,
                f"{_ROOM}confirmation.classify_reply": lambda _: Reply.AGREES,
            },
            also=frozenset({"C12"}),
        ),
        "the reply to a button may change things": Fault(
            rules=frozenset({"C8"}), patches={f"{_ROOM}admission.check_read_only": weakened.nothing}
        ),
        "destructive actions are not counted": Fault(
            rules=frozenset({"C9", "E2"}), patches={f"{_ROOM}limits.TurnLedger.check_destructive": weakened.nothing}
        ),
        "a card can be used again": Fault(
            rules=frozenset({"C10"}),
            patches={
                "nova_ui.chat.accept.check_pressed": weakened.nothing,
                "nova_ui.chat.accept.consume_pressed": weakened.nothing_async,
            },
            also=frozenset({"C4", "C12", "C5", "C6", "C15", "G3"}),
        ),
        "a confirmed call is not tested again": Fault(
            rules=frozenset({"C11"}), patches={f"{_ROOM}passage.admit": weakened.forgiving}
        ),
        "a no counts as a yes": Fault(
            rules=frozenset({"C12"}),
            patches={
                "nova_ui.chat.confirm.classify_reply": weakened.no_is_yes,
                f"{_ROOM}confirmation.classify_reply": weakened.no_is_yes,
            },
        ),
        "cards keep quiet about what goes with it": Fault(
            rules=frozenset({"C13"}), patches={f"{_ROOM}gate.look": weakened.quiet_look}
        ),
        "the object is not looked at again": Fault(
            rules=frozenset({"C14"}),
            patches={
                f"{_ROOM}passage.still_holds": lambda *_: True,
                "nova_ui.nova_client.client.ToolNova.if_match": property(lambda _: None),
            },
            also=frozenset({"C6"}),
        ),
        "words count where the button is demanded": Fault(
            rules=frozenset({"C15"}),
            patches={
                "nova_ui.domain.preview.Preview.takes_words": property(lambda _: True),
                f"{_ROOM}passage.demands_more": weakened.nothing,
            },
            subject=STRICT,
        ),
        "changes are not asked about": Fault(
            rules=frozenset({"C15"}),
            patches={f"{_ROOM}confirmation.needs_confirmation": weakened.destructive_only},
            subject=STRICT,
        ),
        "any name may be typed": Fault(
            rules=frozenset({"C15"}), patches={f"{_ROOM}confirmation.same_name": lambda *_: True}, subject=STRICT
        ),
        "a tool takes a password": Fault(
            rules=frozenset({"D1"}),
            tools=weakened.tool("update_group", arguments=weakened.WithPassword),
            also=frozenset({"D2"}),
        ),
        "arguments are not searched for secrets": Fault(
            rules=frozenset({"D2", "D4"}), patches={f"{_ROOM}admission.check_arguments": weakened.nothing}
        ),
        "results keep their secrets": Fault(
            rules=frozenset({"D3"}), patches={f"{_ROOM}outcome.redact": weakened.as_it_is}
        ),
        "cards keep their secrets": Fault(
            rules=frozenset({"D3"}), patches={f"{_ROOM}preview.redact_object": weakened.as_it_is}
        ),
        "typed secrets are kept": Fault(
            rules=frozenset({"D4"}),
            patches={"nova_ui.chat.message.mask_live_secrets": weakened.as_it_is},
            also=frozenset({"D3"}),
        ),
        "stored secrets are not encrypted": Fault(
            rules=frozenset({"D5"}), patches={"storage.encryption.Encryption.seal": lambda _self, text, _place: text}
        ),
        "thirteen model calls": Fault(
            rules=frozenset({"E1"}), patches={f"{_ROOM}limits.MAX_MODEL_CALLS": limits.MAX_MODEL_CALLS + 1}
        ),
        "repeats are not counted": Fault(
            rules=frozenset({"E3"}), patches={f"{_ROOM}limits.TurnLedger.check_same_call": weakened.nothing}
        ),
        "a result may be any length": Fault(
            rules=frozenset({"E4"}), patches={f"{_ROOM}limits.MAX_RESULT_CHARS": 40_000}
        ),
        "results together may be any length": Fault(
            rules=frozenset({"E5"}), patches={f"{_ROOM}limits.MAX_TURN_RESULT_CHARS": 600_000}
        ),
        "entries lack their mark": Fault(
            rules=frozenset({"F1"}),
            patches={"nova_ui.nova.writing.append": weakened.without_mark},
            also=frozenset({"F2", "F4"}),
        ),
        "the filter shows everything": Fault(
            rules=frozenset({"F2"}), patches={"storage.nova.audit_log._origin": lambda _: true()}
        ),
        "messages are logged": Fault(
            rules=frozenset({"F3"}),
            patches={"nova_ui.chat.accept.Acceptance._accept": weakened.noted},
            also=frozenset({"F1", "F2"}),
        ),
        "a header sets the origin": Fault(
            rules=frozenset({"F4"}), patches={"nova_ui.api.caller.delegation_of": weakened.by_header}
        ),
        "altered entries pass": Fault(
            rules=frozenset({"F5"}),
            patches={
                "storage.nova.audit_chain._Check.passes": weakened.passes,
                "storage.nova.audit_chain._Check.end": weakened.nothing,
            },
        ),
        "chats can't be opened again": Fault(
            rules=frozenset({"G1"}), patches={"nova_ui.chat.history.ChatHistory.get_chat": weakened.not_there}
        ),
        "chats are anybody's": Fault(
            rules=frozenset({"G2"}), patches={"storage.chat.chats.ChatTable.find": weakened.any_owner}
        ),
        "deleting deletes nothing": Fault(
            rules=frozenset({"G3"}), patches={"nova_ui.chat.history.ChatHistory.delete": weakened.nothing_async}
        ),
        "chats outlive the access": Fault(
            rules=frozenset({"G4"}), patches={"nova_ui.chat.history.ChatHistory._usable_chat": weakened.any_chat}
        ),
        "results can leave their envelope": Fault(
            rules=frozenset({"H1"}),
            patches={f"{_ROOM}envelope.escape": weakened.as_it_is, f"{_ROOM}shortening.escape": weakened.as_it_is},
        ),
        "answers are shown as they are": Fault(
            rules=frozenset({"H2"}), patches={"nova_ui.self_test.attacks.results.render": weakened.as_it_is}
        ),
        "citation marks stay": Fault(
            rules=frozenset({"H3"}),
            patches={
                f"{_ROOM}envelope.strip_citations": weakened.as_it_is,
                f"{_ROOM}outcome.without_citations": weakened.as_it_is,
            },
        ),
        "failing tools end the turn": Fault(
            rules=frozenset({"H4"}), patches={f"{_ROOM}gate.guarded": weakened.unguarded}, also=frozenset({"A1"})
        ),
        "ids may be anything": Fault(
            rules=frozenset({"I1"}),
            patches={"nova_ui.nova_client.client.build_path": weakened.any_path},
            tools=weakened.tool("get_identity", arguments=weakened.Loose, run=weakened.get_loosely),
        ),
        "the first caller's session is used for all": Fault(
            rules=frozenset({"I2"}),
            patches={"nova_ui.nova_client.client.NovaDoor.open": weakened.first_caller},
            also=frozenset({"A2", "A3"}),
        ),
        "broken arguments are repaired": Fault(
            rules=frozenset({"I3"}),
            patches={f"{_ROOM}admission.parse_arguments": weakened.repaired},
            also=frozenset({"C6"}),
        ),
    }
)

"""The audit log of a large organisation: what goes on all day, evenly over time, in the order of its numbers."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from nova_ui.domain.folding import searchable
from nova_ui.nova.large_organisation.people import drawn_id
from storage.nova.tables import GroupRow, IdentityRow, RoleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Who and what the entries are about."""

    people: Sequence[IdentityRow]
    groups: Sequence[GroupRow]
    roles: Sequence[RoleRow]
    now: datetime
    days: int


@dataclass(frozen=True, slots=True)
class _Deed:
    """One thing that was done: by whom, to what."""

    action: str
    actor: IdentityRow
    target: tuple[str, str, str]
    details: dict[str, Any]
    outcome: str = "success"


_Teller = Callable[[random.Random, Scene], _Deed]
_VIAS: Final = (None,) * 9 + ("ai_chat:helpdesk",)
_ADMINISTRATORS_VIAS: Final = (None,) * 7 + ("ai_chat:admin",) * 3


def tell(draw: random.Random, scene: Scene, count: int) -> Iterator[dict[str, Any]]:
    """Yield the columns of `count` entries, oldest first."""
    step = timedelta(days=scene.days) / max(1, count)
    tellers = draw.choices([one for one, _ in _TELLERS], [weight for _, weight in _TELLERS], k=count)
    for number, teller in enumerate(tellers):
        deed = teller(draw, scene)
        yield _columns(draw, deed, scene.now - step * (count - number), scene)


def _columns(draw: random.Random, deed: _Deed, at: datetime, scene: Scene) -> dict[str, Any]:
    via = draw.choice(_ADMINISTRATORS_VIAS if deed.actor is scene.people[0] else _VIAS)
    kind, target_id, target_display = deed.target
    name = deed.actor.display_name
    return {
        "id": drawn_id(draw, "log"),
        "time": at,
        "action": deed.action,
        "outcome": deed.outcome,
        "actor_type": "identity",
        "actor_id": deed.actor.id,
        "actor_display": name,
        "target_type": kind,
        "target_id": target_id,
        "target_display": target_display,
        "details": deed.details if via is None else {**deed.details, "via": via},
        "search_text": searchable(name, target_display, deed.action, target_id),
        "request_id": f"{draw.getrandbits(128):032x}",
        "caused_by": None,
        "ip": "192.0.2.7",
        "session_id": None,
    }


def _sign_in(draw: random.Random, scene: Scene) -> _Deed:
    person = draw.choice(scene.people)
    return _Deed("session.started", person, ("session", drawn_id(draw, "ses"), person.display_name), {})


def _sign_out(draw: random.Random, scene: Scene) -> _Deed:
    person = draw.choice(scene.people)
    target = ("session", drawn_id(draw, "ses"), person.display_name)
    return _Deed("session.ended", person, target, {"reason": "signed_out"})


def _slip(draw: random.Random, scene: Scene) -> _Deed:
    person = draw.choice(scene.people)
    return _Deed("sign_in.failed", person, _of(person), {"reason": "wrong_password"}, "refused")


def _update(draw: random.Random, scene: Scene) -> _Deed:
    person = draw.choice(scene.people)
    changes = [{"field": "location", "before": "Vienna", "after": person.location}]
    return _Deed("identity.updated", scene.people[0], _of(person), {"changes": changes})


def _member(draw: random.Random, scene: Scene) -> _Deed:
    person, group = draw.choice(scene.people), draw.choice(scene.groups)
    action = draw.choice(("group.member_added", "group.member_removed"))
    member = {"member": {"id": person.id, "display": person.display_name}}
    return _Deed(action, scene.people[0], ("group", group.id, group.display_name), member)


def _grant(draw: random.Random, scene: Scene) -> _Deed:
    person, role = draw.choice(scene.people), draw.choice(scene.roles)
    action = draw.choice(("assignment.granted", "assignment.granted", "assignment.revoked"))
    target = ("assignment", drawn_id(draw, "asg"), f"{role.display_name} · {person.display_name}")
    return _Deed(action, scene.people[0], target, {})


def _request(draw: random.Random, scene: Scene) -> _Deed:
    person = draw.choice(scene.people)
    return _Deed("request.submitted", person, ("access_request", drawn_id(draw, "req"), "Needed for the job"), {})


def _decision(draw: random.Random, scene: Scene) -> _Deed:
    person = scene.people[draw.randrange(len(scene.people) // 8)]
    action = draw.choice(("approval.approved", "approval.approved", "approval.denied"))
    return _Deed(action, person, ("approval", drawn_id(draw, "apv"), "step 1"), {})


def _of(person: IdentityRow) -> tuple[str, str, str]:
    return "identity", person.id, person.display_name


_TELLERS: Final[Sequence[tuple[_Teller, int]]] = (
    (_sign_in, 45),
    (_sign_out, 22),
    (_slip, 3),
    (_update, 8),
    (_member, 8),
    (_grant, 7),
    (_request, 4),
    (_decision, 3),
)

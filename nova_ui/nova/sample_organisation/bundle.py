"""How a role of the sample organisation is described."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A role as it is described here; `birthright` names departments that hold it by its rule, `*` is everybody."""

    key: str
    name: str
    description: str
    application: str
    owner: str
    approval: str = "manager"
    max_days: int | None = None
    risk: str = "low"
    privileged: bool = False
    requestable: bool = True
    protected: bool = False
    status: str = "active"
    birthright: tuple[str, ...] = ()
    direct: tuple[str, ...] = ()

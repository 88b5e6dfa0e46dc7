"""Administration › AI budget: what is being edited, what it means in words, and what Nova said to it."""

import copy
from collections.abc import Mapping
from typing import Final
from zoneinfo import available_timezones

from nova_ui.domain.ai_profile import BUILT_IN_KEY, ENVIRONMENT_KEY
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.errors import NovaPreconditionFailed, NovaProblem
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.fields import rows_in, text_at
from nova_ui.presenters.nova_calls import NovaCalls
from nova_ui.reactive import Event

HOLDERS: Final[Mapping[str, str]] = {
    "each": mark("Each person"),
    "role": mark("Each person with the role"),
    "group": mark("Each member of the group"),
    "identity": mark("This person"),
    "together": mark("All together"),
}
SCOPES: Final[Mapping[str, str]] = {
    "chats": mark("in all assistants"),
    "assistant": mark("in the assistant"),
    "routines": mark("in all AI routine assistants"),
    "routine": mark("in the AI routine assistant"),
}
PERIODS: Final[Mapping[str, str]] = {"day": mark("per day"), "week": mark("per week"), "month": mark("per month")}
ROLES: Final[Mapping[str, str]] = {
    "administrator": mark("Administrators"),
    "auditor": mark("Auditors"),
    "manager": mark("Managers"),
}
_BASE: Final = "/administration/ai-budget"
_FIELDS: Final[Mapping[str, str]] = {
    "tokens": mark("A budget limits tokens, cost or both; only that of a role, group or person may lift a limit."),
    "holder_id": mark("Choose the role, the group or the person whose budget this is."),
    "scope_key": mark("Choose which assistant this budget counts."),
    "holder": mark("Nobody asks for the runs of routines: their budget is held together."),
    "": mark("This budget is there twice."),
}


class AiBudgetPresenter:
    """`draft` is the budget as it is edited; a refusal leaves it as it is."""

    def __init__(self, nova: NovaCalls, tr: Translator) -> None:
        self.nova = nova
        self.tr = tr
        self.draft: JsonObject = {}
        self.profiles: dict[str, str] = {}
        self.scopes: dict[str, dict[str, str]] = {"assistant": {}, "routine": {}}
        self.zones: list[str] = []
        self.problem = ""
        self.loaded: Event[None] = Event()
        self._etag: str | None = None

    async def load(self) -> None:
        """Read the budget, and what it may name."""
        configuration = (await self.nova.call("GET /administration/ai-configuration")).object
        self.profiles = {}
        for one in rows_in(configuration, "profiles"):
            self._add_profile(one)
        assistants = (await self.nova.call("GET /administration/assistants")).object
        routines = (await self.nova.call("GET /administration/ai-routines", query={"limit": 200})).object
        self.scopes = {"assistant": self._named(assistants), "routine": self._named(routines)}
        answer = await self.nova.call(f"GET {_BASE}")
        self.draft = {
            name: copy.deepcopy(answer.object.get(name)) for name in ("currency", "time_zone", "prices", "limits")
        }
        self._etag, self.problem = answer.etag, ""
        self.zones = self.zones or sorted(available_timezones() | {text_at(self.draft, "time_zone")})
        self.loaded.emit(None)

    @property
    def prices(self) -> list[JsonObject]:
        """The prices, to be edited in place."""
        return self._rows("prices")

    @property
    def limits(self) -> list[JsonObject]:
        """The limits, to be edited in place."""
        return self._rows("limits")

    def unpriced(self) -> tuple[str, ...]:
        """Return the profiles without a price, whose use costs nothing in the figures."""
        priced = {text_at(one, "profile").partition("/")[0] for one in self.prices}
        names = {key: name for key, name in self.profiles.items() if "/" not in key}
        return tuple(name for key, name in names.items() if key not in priced)

    def add_price(self) -> None:
        """Add a line for a profile that has no price yet."""
        taken = {text_at(one, "profile") for one in self.prices}
        key = next((one for one in self.profiles if one not in taken), None)
        if key is not None:
            self._list("prices").append({"profile": key, "input": 0, "output": 0})
            self.loaded.emit(None)

    def add_limit(self) -> None:
        """Add a line that limits nobody before it is filled in."""
        new: JsonObject = {"holder": "each", "holder_id": "", "scope": "chats", "scope_key": "", "period": "month"}
        self._list("limits").append({**new, "tokens": None, "cost": None, "holder_name": "", "scope_name": ""})
        self.loaded.emit(None)

    def remove(self, name: str, row: JsonObject) -> None:
        """Take a line away."""
        rows = self._list(name)
        rows[:] = [one for one in rows if one is not row]
        self.loaded.emit(None)

    async def save(self) -> bool:
        """Store the draft; whether it was accepted. What Nova said is in `problem` otherwise."""
        limits: list[JsonValue] = [
            {name: value for name, value in one.items() if name not in {"holder_name", "scope_name"}}
            for one in self.limits
        ]
        try:
            await self.nova.call(f"PUT {_BASE}", body={**self.draft, "limits": limits}, if_match=self._etag)
        except NovaProblem as problem:
            self.problem = self._words(problem)
            return False
        await self.load()
        return True

    def in_words(self) -> list[str]:
        """Say what the draft means, limit by limit."""
        return [words for one in self.limits if (words := self.limit_words(one))] or [
            self.tr("No budget is set: nobody is limited.")
        ]

    def limit_words(self, limit: JsonObject) -> str:
        """Say what one limit means; nothing as long as it is not filled in."""
        tr, holder, scope = self.tr, text_at(limit, "holder"), text_at(limit, "scope")
        who = tr(HOLDERS[holder])
        if holder == "role":
            who = f"{who} “{tr(ROLES.get(text_at(limit, 'holder_id'), ''))}”"
        elif holder in {"group", "identity"}:
            who = f"{who} “{text_at(limit, 'holder_name') or text_at(limit, 'holder_id')}”"
        where = tr(SCOPES[scope])
        if text_at(limit, "scope_key"):
            where = f"{where} “{text_at(limit, 'scope_name') or text_at(limit, 'scope_key')}”"
        period = tr(PERIODS[text_at(limit, "period")])
        amounts = self._amounts(limit)
        if not amounts:
            is_override = holder in {"role", "group", "identity"}
            return tr("{who}: no limit {where} {period}", who=who, where=where, period=period) if is_override else ""
        return tr(
            "{who}: at most {amounts} {period}, {where}",
            who=who,
            amounts=tr.listed(tuple(amounts)),
            period=period,
            where=where,
        )

    def _amounts(self, limit: JsonObject) -> list[str]:
        tokens, cost = limit.get("tokens"), limit.get("cost")
        amounts = []
        if isinstance(tokens, int):
            amounts.append(self.tr.plural("{count} token", "{count} tokens", tokens))
        if isinstance(cost, int | float):
            amounts.append(f"{self.tr.number(cost, decimals=2)} {text_at(self.draft, 'currency')}")
        return amounts

    def _words(self, problem: NovaProblem) -> str:
        tr = self.tr
        if isinstance(problem, NovaPreconditionFailed):
            return tr("Somebody else has changed the budget meanwhile. Load the page again, then make your change.")
        match (problem.field or "").split("."):
            case ["limits", number, *rest] if number.isdigit():
                words = _FIELDS.get(rest[0] if rest else "", _FIELDS["tokens"])
                return tr("Budget {number}: {problem}", number=int(number) + 1, problem=tr(words))
            case ["time_zone"]:
                return tr("There is no such time zone.")
            case ["currency"]:
                return tr("A currency has three capital letters, such as EUR.")
            case ["prices", *_]:
                return tr("Each price belongs to one profile or model, and is not below zero.")
            case _:
                return tr(type(problem).key)

    def _add_profile(self, profile: JsonObject) -> None:
        key = text_at(profile, "key")
        if key == BUILT_IN_KEY:
            return
        name = self.tr("model of the server's settings") if key == ENVIRONMENT_KEY else text_at(profile, "name")
        self.profiles[key] = name
        models = profile.get("models")
        if isinstance(models, list) and len(models) > 1:
            self.profiles |= {f"{key}/{model}": f"{name} · {model}" for model in models}

    def _named(self, found: JsonObject) -> dict[str, str]:
        names: dict[str, str] = {}
        for one in rows_in(found):
            key, given = text_at(one, "key"), one.get("names")
            own = given.get(self.tr.language.value) if isinstance(given, dict) else None
            names[key] = str(own or text_at(one, "names.en") or key)
        return names

    def _rows(self, name: str) -> list[JsonObject]:
        return [one for one in self._list(name) if isinstance(one, dict)]

    def _list(self, name: str) -> list[JsonValue]:
        rows = self.draft.setdefault(name, [])
        return rows if isinstance(rows, list) else []

"""A model that does what it is told, and that renews a destructive call once the person has agreed in words."""

import json
from collections.abc import Sequence

from pydantic import JsonValue

from tests.fakes.scripted_model_server import Answer, Call, JsonObject, Received, ScriptedModelServer, say

AGREED = "yes"


class ObedientModel(ScriptedModelServer):
    """Orders as `ScriptedModelServer` reads them; "yes" makes it call again, confirmed, what it called last."""

    def _choose(self, received: Received) -> Answer:
        messages = received.messages
        spoken = [message for message in messages if message.get("role") == "user"]
        if not spoken or spoken[-1].get("content") != AGREED:
            return super()._choose(received)
        if messages[-1] is not spoken[-1]:
            return say("Done.")
        return _renewed(messages)


def _renewed(messages: Sequence[JsonObject]) -> Answer:
    for message in reversed(messages):
        calls = message.get("tool_calls")
        if isinstance(calls, list) and calls:
            function = _object(_object(calls[-1]).get("function"))
            arguments = json.loads(str(function.get("arguments")))
            call = Call(name=str(function.get("name")), arguments={**arguments, "confirmed": True})
            return Answer(text="As you wish.", calls=(call,))
    return say("Nothing waits.")


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}

"""What JSON can hold: the types for foreign data of Nova and of models."""

from collections.abc import Mapping

from pydantic import JsonValue

JsonObject = dict[str, JsonValue]
JsonMapping = Mapping[str, JsonValue]

__all__ = ["JsonMapping", "JsonObject", "JsonValue"]

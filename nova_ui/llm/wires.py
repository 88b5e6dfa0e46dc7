"""The wire formats there are, by the kind that a profile names."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nova_ui.domain.ai_profile import ProviderKind
from nova_ui.llm import openai_request, windows
from nova_ui.llm.anthropic import ANTHROPIC
from nova_ui.llm.bedrock import BEDROCK
from nova_ui.llm.google import GOOGLE
from nova_ui.llm.openai_stream import OpenAiReader
from nova_ui.llm.wire import Wire

OPENAI: Final = Wire(
    name=ProviderKind.OPENAI,
    path_of=lambda _profile: "/chat/completions",
    body_of=openai_request.body_of,
    reader=OpenAiReader,
    key_headers=lambda key: {"authorization": f"Bearer {key}"},
    headers={},
    window_path_of=lambda _profile: "/models",
    window_of=windows.of_listed,
)
# Azure takes its own header, and an address that ends in the deployment; all else is the same.
AZURE: Final = Wire(
    name=ProviderKind.AZURE,
    path_of=OPENAI.path_of,
    body_of=openai_request.body_of,
    reader=OpenAiReader,
    key_headers=lambda key: {"api-key": key},
    headers={},
)
WIRES: Final[Mapping[ProviderKind, Wire]] = MappingProxyType(
    {ProviderKind(wire.name): wire for wire in (OPENAI, AZURE, ANTHROPIC, GOOGLE, BEDROCK)}
)

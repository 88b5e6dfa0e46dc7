"""The models as a site without any endpoint has them, and keys to seal with."""

from dataclasses import dataclass

from pydantic import SecretStr

from nova_ui.domain.clock import Clock
from nova_ui.guardrails.envelope import unwrap
from nova_ui.i18n.translator import Translators
from nova_ui.llm.registry import ModelRegistry
from storage.encryption import Encryption, KeyRing


@dataclass(frozen=True)
class AiSettings:
    """What the environment says of models."""

    ai_base_url: str | None = None
    ai_api_key: SecretStr | None = None
    ai_model: str | None = None


def a_registry(settings: AiSettings | None = None, clock: Clock | None = None) -> ModelRegistry:
    return ModelRegistry.from_settings(settings or AiSettings(), unwrap=unwrap, translators=Translators(), clock=clock)


def an_encryption() -> Encryption:
    return Encryption(KeyRing.generate())

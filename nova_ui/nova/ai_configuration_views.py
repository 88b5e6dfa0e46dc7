"""How profiles are read back: what is stored, what the environment gives, and the model that is built in."""

from collections.abc import Sequence

from nova_ui.domain.ai_profile import (
    BUILT_IN_KEY,
    MAX_TEMPERATURES,
    ModelProfile,
    ProviderKind,
    supported_parameters,
)
from nova_ui.llm.modes import effective_mode, mode_of
from nova_ui.llm.port import Mode
from nova_ui.llm.trial import TrialReport
from nova_ui.nova.ai_profiles import declared_mode_of, limits_of, parameters_view
from nova_ui.nova.views import Ref, SecretState
from nova_ui.nova.views.ai_configuration import AiCertificate, AiLimits, AiParameters, AiProfileView, AiTrialView
from nova_ui.outgoing.certificates import certificates_of
from storage.nova.ai_tables import AiProfileRow


def stored_view(row: AiProfileRow, used_by: Sequence[Ref], *, is_default: bool) -> AiProfileView:
    """Return a stored profile without its key."""
    limits, kind = limits_of(row), ProviderKind(row.kind)
    return AiProfileView(
        id=row.id,
        key=row.key,
        name=row.name,
        kind=kind,
        base_url=row.base_url,
        models=row.models,
        allow_private=row.allow_private,
        api_key=SecretState(set=row.api_key is not None, updated_at=row.api_key_set_at),
        limits=AiLimits(
            max_tokens=limits.max_tokens,
            max_tokens_field=limits.max_tokens_field,
            context_tokens=limits.context_tokens,
            first_event_seconds=limits.first_event_seconds,
            gap_seconds=limits.gap_seconds,
            total_seconds=limits.total_seconds,
        ),
        parameters=parameters_view(row),
        supports=list(supported_parameters(kind)),
        max_temperature=MAX_TEMPERATURES.get(kind),
        proxy_url=row.proxy_url,
        proxy_user=row.proxy_user,
        proxy_password=SecretState(set=row.proxy_password is not None, updated_at=None),
        proxy_allow_private=row.proxy_allow_private,
        ca_certificates=row.ca_certificates,
        certificates=[
            AiCertificate(subject=one.subject, expires_at=one.expires_at)
            for one in certificates_of(row.ca_certificates or "")
        ],
        header_names=row.header_names,
        mode=effective_mode(row.base_url, declared_mode_of(row), row.proxy_url).value,
        mode_by_address=mode_of(row.base_url, row.proxy_url).value,
        declared_mode=declared_mode_of(row),
        source="stored",
        is_default=is_default,
        used_by=list(used_by),
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def environment_view(
    profile: ModelProfile, used_by: Sequence[Ref], *, has_key: bool, is_default: bool
) -> AiProfileView:
    """Return the endpoint of the settings, which is changed where the server is started."""
    mode = mode_of(profile.base_url)
    return _given(profile, mode, "environment", used_by, has_key=has_key, is_default=is_default)


def built_in_view(used_by: Sequence[Ref], *, is_default: bool) -> AiProfileView:
    """Return the model that is built in."""
    profile = ModelProfile(
        key=BUILT_IN_KEY, name=BUILT_IN_KEY, kind=ProviderKind.BUILT_IN, models=(BUILT_IN_KEY,), allow_private=True
    )
    return _given(profile, Mode.BUILT_IN, "built_in", used_by, has_key=False, is_default=is_default)


def trial_view(report: TrialReport) -> AiTrialView:
    """Return what a trial found out."""
    return AiTrialView(
        model=report.model,
        mode=report.mode.value,
        answers=report.answers,
        streams=report.streams,
        calls_tools=report.calls_tools,
        calls_in_parallel=report.calls_in_parallel,
        uses_results=report.uses_results,
        keeps_to_words=report.keeps_to_words,
        reports_usage=report.reports_usage,
        context_tokens=report.context_tokens,
        first_event_ms=report.first_event_ms,
        total_ms=report.total_ms,
        input_tokens=report.input_tokens,
        output_tokens=report.output_tokens,
        failure=None if report.failure is None else report.failure.value,
    )


def _given(
    profile: ModelProfile, mode: Mode, source: str, used_by: Sequence[Ref], *, has_key: bool, is_default: bool
) -> AiProfileView:
    return AiProfileView(
        id=profile.key,
        key=profile.key,
        name=profile.name,
        kind=profile.kind,
        base_url=profile.base_url,
        models=list(profile.models),
        allow_private=profile.allow_private,
        api_key=SecretState(set=has_key, updated_at=None),
        limits=AiLimits.model_validate({}),
        parameters=AiParameters.model_validate({}),
        supports=[],
        max_temperature=None,
        proxy_url=None,
        proxy_user=None,
        proxy_password=SecretState(set=False, updated_at=None),
        proxy_allow_private=False,
        ca_certificates=None,
        certificates=[],
        header_names=[],
        mode=mode.value,
        mode_by_address=mode.value,
        declared_mode=None,
        source=source,
        is_default=is_default,
        used_by=list(used_by),
        version=0,
        created_at=None,
        updated_at=None,
    )

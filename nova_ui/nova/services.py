"""All services of Nova, built once from their collaborators."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from nova_ui.auth.signing_in import SigningIn
from nova_ui.domain.clock import Clock
from nova_ui.domain.tool import AnyTool
from nova_ui.llm.registry import ModelRegistry
from nova_ui.nova.access import Access
from nova_ui.nova.access_requests import AccessRequests
from nova_ui.nova.administrators import Administrators
from nova_ui.nova.ai_budget import AiBudget
from nova_ui.nova.ai_configuration import AiConfiguration
from nova_ui.nova.ai_places import AiPlaces
from nova_ui.nova.ai_profile_changes import AiProfileChanges
from nova_ui.nova.ai_routine_runs import AiRoutineRuns
from nova_ui.nova.ai_routines import AiRoutines
from nova_ui.nova.ai_usage import AiUsage
from nova_ui.nova.application_states import ApplicationStates
from nova_ui.nova.applications import Applications
from nova_ui.nova.approvals import Approvals
from nova_ui.nova.archiving import Archiving
from nova_ui.nova.assignments import Assignments
from nova_ui.nova.assistant_insight import AssistantInsight
from nova_ui.nova.assistants import AssistantAdministration
from nova_ui.nova.audit_log import AuditLog
from nova_ui.nova.background import EXPIRE_EVERY_S, MAX_EXPIRED, PURGE_EVERY_S, Background, Housekeeping
from nova_ui.nova.birthrights import Birthrights
from nova_ui.nova.bulk_decisions import BulkDecisions
from nova_ui.nova.catalogue import Catalogue
from nova_ui.nova.comparing import Comparing
from nova_ui.nova.connection_tests import ConnectionTests
from nova_ui.nova.connections import Connections
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.entitlements import Entitlements
from nova_ui.nova.export_work import ReadPage, Source
from nova_ui.nova.exports import Exports
from nova_ui.nova.group_members import GroupMembers
from nova_ui.nova.groups import Groups
from nova_ui.nova.identities import Identities
from nova_ui.nova.identity_endings import IdentityEndings
from nova_ui.nova.job_runner import JobRunner
from nova_ui.nova.jobs import Jobs
from nova_ui.nova.lifecycle_routines import LifecycleRoutines
from nova_ui.nova.lifecycle_runs import LifecycleRuns
from nova_ui.nova.lifecycle_work import LIFECYCLE_JOB, LOOK_EVERY_S, LifecycleWork
from nova_ui.nova.notifications import Notifications
from nova_ui.nova.own_credentials import OwnCredentials
from nova_ui.nova.profile import Profile
from nova_ui.nova.reports import Reports
from nova_ui.nova.role_bundles import RoleBundles
from nova_ui.nova.roles import Roles
from nova_ui.nova.scheduler import Scheduler
from nova_ui.nova.self_tests import SelfTests
from nova_ui.nova.sign_in_policy import SignInPolicies
from nova_ui.nova.transfers import Transfers
from nova_ui.nova.user_sessions import UserSessions
from nova_ui.nova.validity import expire_due
from nova_ui.nova.views import (
    AccessRequestQuery,
    ApplicationQuery,
    ApprovalQuery,
    AssignmentQuery,
    AuditQuery,
    EntitlementQuery,
    GroupQuery,
    IdentityQuery,
    Page,
    RoleQuery,
    SessionQuery,
)
from nova_ui.nova.views.common import Query, View
from nova_ui.nova.writing import SessionsEnded, Writer
from nova_ui.outgoing.client import Outgoing
from storage.database import Database
from storage.encryption import Encryption
from storage.nova.idempotency import IdempotencyKeys
from storage.workers import Worker

Q = TypeVar("Q", bound=Query)
V = TypeVar("V", bound=View)


@dataclass(frozen=True, slots=True, kw_only=True)
class NovaServices:
    """Nova itself: what the endpoints do."""

    core: Core
    profile: Profile
    identities: Identities
    endings: IdentityEndings
    archiving: Archiving
    birthrights: Birthrights
    comparing: Comparing
    transfers: Transfers
    access: Access
    catalogue: Catalogue
    groups: Groups
    members: GroupMembers
    roles: Roles
    bundles: RoleBundles
    entitlements: Entitlements
    assignments: Assignments
    applications: Applications
    application_states: ApplicationStates
    connections: Connections
    connection_tests: ConnectionTests
    requests: AccessRequests
    approvals: Approvals
    decisions: BulkDecisions
    sessions: UserSessions
    notifications: Notifications
    sign_in_policy: SignInPolicies
    administrators: Administrators
    credentials: OwnCredentials
    exports: Exports
    audit_log: AuditLog
    reports: Reports
    assistants: AssistantAdministration
    assistant_insight: AssistantInsight
    ai_configuration: AiConfiguration
    ai_profiles: AiProfileChanges
    ai_budget: AiBudget
    ai_usage: AiUsage
    ai_places: AiPlaces
    ai_routines: AiRoutines
    ai_routine_runs: AiRoutineRuns
    self_tests: SelfTests
    idempotency: IdempotencyKeys
    jobs: Jobs
    lifecycle_routines: LifecycleRoutines
    lifecycle_runs: LifecycleRuns
    background: Background


def build_nova(
    database: Database,
    clock: Clock,
    *,
    sessions_ended: SessionsEnded,
    tools: Mapping[str, AnyTool],
    encryption: Encryption,
    models: ModelRegistry,
    signing_in: SigningIn,
    outgoing: Outgoing,
) -> NovaServices:
    """Build Nova; `sessions_ended` is told which sessions ended, after that is committed.

    `encryption` seals the secrets that administrators enter, `outgoing` calls the addresses that they enter.
    """
    core = Core(database=database, clock=clock, writer=Writer(database, clock, sessions_ended))
    worker = Worker.of_this_process()
    background = _build_background(core, worker)
    identities, groups, roles = Identities(core), Groups(core), Roles(core)
    assignments, applications, entitlements = Assignments(core), Applications(core), Entitlements(core)
    requests, approvals = AccessRequests(core), Approvals(core)
    sessions, audit_log, access = UserSessions(core, signing_in.policies), AuditLog(core), Access(core)
    ai_configuration = AiConfiguration(core, encryption, models)
    ai_routine_runs = AiRoutineRuns(core, background.scheduler, worker)
    background.scheduler.every("nova.ai_routine_runs", PURGE_EVERY_S, ai_routine_runs.purge)
    sources = {
        "identities": _source(IdentityQuery, identities.list_page),
        "groups": _source(GroupQuery, groups.list_page),
        "roles": _source(RoleQuery, roles.list_page),
        "entitlements": _source(EntitlementQuery, entitlements.list_page),
        "assignments": _source(AssignmentQuery, assignments.list_page),
        "applications": _source(ApplicationQuery, applications.list_page),
        "access_requests": _source(AccessRequestQuery, requests.list_page),
        "approvals": _source(ApprovalQuery, approvals.list_page),
        "sessions": _source(SessionQuery, sessions.list_page),
        "audit_log": _source(AuditQuery, audit_log.list_page),
    }
    return NovaServices(
        core=core,
        profile=Profile(core),
        identities=identities,
        endings=IdentityEndings(core),
        archiving=Archiving(core),
        birthrights=Birthrights(core),
        comparing=Comparing(core, access),
        transfers=Transfers(core),
        access=access,
        catalogue=Catalogue(core),
        groups=groups,
        members=GroupMembers(core),
        roles=roles,
        bundles=RoleBundles(core),
        entitlements=entitlements,
        assignments=assignments,
        applications=applications,
        application_states=ApplicationStates(core),
        connections=Connections(core, encryption, allow_private=outgoing.allow_private),
        connection_tests=ConnectionTests(core, encryption, outgoing),
        requests=requests,
        approvals=approvals,
        decisions=BulkDecisions(core),
        sessions=sessions,
        notifications=Notifications(core),
        exports=Exports(core, sources, background.runner),
        sign_in_policy=SignInPolicies(core, signing_in.policies),
        administrators=Administrators(core, signing_in.policies),
        credentials=OwnCredentials(core, signing_in),
        audit_log=audit_log,
        reports=Reports(core),
        assistants=AssistantAdministration(core, tools, ai_configuration),
        assistant_insight=AssistantInsight(core, tools),
        ai_configuration=ai_configuration,
        ai_profiles=AiProfileChanges(core, encryption, ai_configuration),
        ai_budget=AiBudget(core),
        ai_usage=AiUsage(core),
        ai_places=AiPlaces(core, models),
        ai_routines=AiRoutines(core, tools, ai_configuration.check_model),
        ai_routine_runs=ai_routine_runs,
        self_tests=SelfTests(core, background.runner),
        idempotency=IdempotencyKeys(database, encryption.derive("request digests")),
        jobs=Jobs(core),
        lifecycle_routines=LifecycleRoutines(core, background.runner),
        lifecycle_runs=LifecycleRuns(core),
        background=background,
    )


def _build_background(core: Core, worker: Worker) -> Background:
    background = Background(
        scheduler=Scheduler(core.database, core.clock, worker), runner=JobRunner(core.database, core.clock, worker)
    )
    lifecycle = LifecycleWork(core, background.scheduler)
    background.runner.register(LIFECYCLE_JOB, lifecycle.run)

    async def start_due_routines() -> None:
        for job_id in await lifecycle.start_due():
            background.runner.begin(job_id)

    async def expire() -> None:
        await expire_due(core.writer, core.clock.now(), MAX_EXPIRED)

    background.scheduler.every("nova.housekeeping", PURGE_EVERY_S, Housekeeping(core).run)
    background.scheduler.every("nova.validity", EXPIRE_EVERY_S, expire)
    background.scheduler.every("nova.lifecycle", LOOK_EVERY_S, start_due_routines)
    return background


def _source(query: type[Q], read: Callable[[RequestContext, Q], Awaitable[Page[V]]]) -> Source:
    # A source's query is built from exactly this class, which the type of a mapping can't say.
    return Source(query=query, read=cast("ReadPage", read))

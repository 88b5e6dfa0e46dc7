"""Secrets are planted wherever there are any, a long mixed run follows, and no byte of them has got out (rule D3).

Looked into: every answer over HTTP, the pages, every event of a chat, its history, exports and their files, the audit
log, the log of the server, what the model was asked, the files of the data folder, and every column of every table.
The whole run is made over each kind of database.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import SQLModel

from storage.encryption import Encryption
from tests.fakes.canaries import Canaries, Echo
from tests.fakes.databases import postgresql_database
from tests.fakes.running_server import RunningServer
from tests.fakes.scripted_model_server import ScriptedModelServer
from tests.fakes.stored_secrets import Stored, marked_names, places_of, read_all, secret_columns, without_canary
from tests.journeys.canary_run import (
    Run,
    ask_for_them,
    keep_old_passwords,
    plant_connections,
    plant_credentials,
    plant_headers,
    plant_profiles,
    read_everything,
    write_one_into_a_record,
)
from tests.journeys.person import API

IN_THE_DATABASE_BY_DESIGN = ("password hash", "CSRF token")
SEALED = {
    "ai_profiles.api_key": "key of echo", "ai_profiles.headers": "header of echo",
    "ai_profiles.proxy_password": "proxy password", "connections.bearer_token": "bearer token",
    "connections.bind_password": "bind password", "connections.client_secret": "client secret",
    "totp_factors.seed": "TOTP seed",
}  # fmt: skip
PLANTED_IN = SEALED | {
    "identities.password_hash": "password", "old_passwords.password_hash": "former password",
    "pending_sign_ins.password_hash": "password", "pending_sign_ins.token_hash": "sign-in under way",
    "recovery_codes.code_hash": "recovery code", "sessions.csrf_token": "CSRF token 0",
    "sessions.token_hash": "cookie nova_session 0",
}  # fmt: skip
"""Which canary stands, sealed or hashed, in which column; one of secrets that is missing here fails a test."""


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def at(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """The data folder, and the address of the database."""
    folder = tmp_path_factory.mktemp("canaries") / "data"
    if request.param == "sqlite":
        yield folder, f"sqlite+aiosqlite:///{folder / 'nova.sqlite3'}"
        return
    with postgresql_database(request.getfixturevalue("postgresql_server")) as address:
        yield folder, address


@pytest.fixture(scope="module")
def run(at: tuple[Path, str]) -> Iterator[Run]:
    canaries, (folder, address) = Canaries(), at
    with ScriptedModelServer() as model, Echo() as echo:
        key = canaries.plant("NOVA_AI_API_KEY", plain=True)
        settings = {"NOVA_AI_BASE_URL": model.url, "NOVA_AI_MODEL": "scripted", "NOVA_AI_API_KEY": key,
                    "NOVA_DATABASE_URL": address}  # fmt: skip
        server = RunningServer(folder, **settings, NOVA_ALLOW_PRIVATE_ADDRESSES="true", NOVA_LOG_LEVEL="debug")
        server.start()
        run = Run(server, model, echo, folder, address, canaries)
        yield run
        for person in run.people:
            person.client.close()
        server.stop()


@pytest.fixture(scope="module")
def done(run: Run) -> Run:
    """The whole run, once."""
    mara = run.person("mara.koenig")
    applications = plant_connections(run, mara)
    plant_profiles(run, mara)
    keep_old_passwords(mara)
    plant_credentials(run)
    plant_headers(run, mara)
    write_one_into_a_record(run, mara)
    for column, values in read_all(run.address).items():
        for number, one in enumerate(values[:4] if column.endswith(".password_hash") else []):
            run.canaries.know(f"password hash {number} in {column}", one.decode().rsplit("$", 1)[-1])
    ask_for_them(run, mara, applications)
    for person in (mara, run.person("tim.vogt")):
        read_everything(person, applications, sees_all=person is mara)
    return run


def test_the_secrets_were_really_there_and_used(done: Run) -> None:
    heard = "".join(done.echo.heard)

    assert done.canaries.planted["key of echo"] in heard
    assert done.canaries.planted["bearer token"] in heard
    assert len(done.canaries.planted) >= 30
    assert len(done.answers) >= 150


def test_d3_no_answer_page_event_history_or_export_holds_a_secret(done: Run) -> None:
    """Abuse cases 48 and 49."""
    pages = {place: text for place, text in done.answers.items() if API not in place and b"<html" in text}
    own = {place: text for place, text in done.answers.items() if re.search(r"/session(/refresh)?$", place)}
    rest = {place: text for place, text in done.answers.items() if place not in {*pages, *own}}
    csrf = [name for name in done.canaries.planted if name.startswith("CSRF token")]

    assert done.canaries.found_in({**pages, **own}, but=csrf) == []
    assert done.canaries.found_in(rest) == []


def test_d3_the_log_of_the_server_holds_no_secret_and_no_sealed_one(done: Run) -> None:
    """Abuse cases 48 and 49."""
    log = done.server.log_text

    assert "Traceback" not in log
    lines = {line[:300]: line.encode() for line in log.splitlines()}
    assert done.canaries.found_in(lines) == []
    assert re.search(r"enc:v1:|\$argon2", log) is None


def _asked(done: Run) -> dict[str, bytes]:
    bodies = (json.dumps(one.body, ensure_ascii=False).encode() for one in done.model.received)
    return {f"request {number}": body for number, body in enumerate(bodies)}


def test_d3_no_request_to_the_model_holds_a_secret_but_its_own_key(done: Run) -> None:
    """Abuse case 49."""
    asked = _asked(done)

    assert {one.api_key for one in done.model.received} == {done.canaries.planted["NOVA_AI_API_KEY"]}
    assert len(asked) >= 20
    assert done.canaries.found_in(asked) == []


@pytest.fixture(scope="module")
def stored(done: Run) -> Stored:
    return read_all(done.address)


def test_d5_no_byte_of_the_database_holds_a_secret_in_plain_text(done: Run, stored: Stored) -> None:
    """Abuse case 49: sealed is sealed, what is hashed is not there, and no audit entry, chat or job tells any of it."""
    by_design = [name for name in done.canaries.planted if name.startswith(IN_THE_DATABASE_BY_DESIGN)]
    files = {path.name: path.read_bytes() for path in done.folder.rglob("*") if path.is_file()}

    assert "keys.json" in files
    assert len(stored) > 300
    assert done.canaries.found_in({**files, **places_of(stored)}, but=by_design) == []


def test_d3_a_secret_that_somebody_wrote_into_a_record_reaches_neither_the_model_nor_a_chat(
    done: Run, stored: Stored
) -> None:
    """Abuse case 46: people read it as it was written, so it is looked for apart from the others."""
    chats = {place: text for place, text in done.answers.items() if "/ai/" in place}
    kept = {
        place: text
        for place, text in places_of(stored).items()
        if place.startswith(("chats.", "turns.", "turn_events.", "previews.", "sent_"))
    }

    assert len(chats) >= 60
    assert done.written.found_in({"the record": places_of(stored)["groups.description"]}) != []
    assert any(b"The old one was" in text for text in _asked(done).values())
    assert done.written.found_in({**chats, **kept, **_asked(done)}) == []


def test_a_hash_and_a_csrf_token_stand_in_their_own_columns_only(done: Run, stored: Stored) -> None:
    """Abuse case 49."""
    by_design = {name for name in done.canaries.planted if name.startswith(IN_THE_DATABASE_BY_DESIGN)}
    found = done.canaries.found_in(places_of(stored), but=set(done.canaries.planted) - by_design)

    hashes = {column for column in stored if column.endswith(".password_hash")}
    assert {place.rsplit(" ", 1)[-1] for place in found} == {*hashes, "sessions.csrf_token"}
    assert not [place for place in found if place.startswith("CSRF") and not place.endswith("sessions.csrf_token")]


def test_d5_every_column_of_secrets_has_its_canary(done: Run, stored: Stored) -> None:
    """A new one without fails here and is named; what is to be sealed is sealed in every row."""
    marked = marked_names(done.people[0].get("/openapi.json"))
    columns = secret_columns(SQLModel.metadata, marked, stored)
    unsealed = [column for column in SEALED for one in stored[column] if not Encryption.is_sealed(one.decode())]

    assert {"client_secret", "proxy_password", "new_password"} <= marked
    assert without_canary(columns, PLANTED_IN, done.canaries.planted) == []
    assert PLANTED_IN.keys() - columns == set()
    assert [column for column in PLANTED_IN if not stored[column]] == []
    assert unsealed == []

"""Secret columns are sealed, bound to their place, and their keys are nobody else's (rule D5)."""

import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nova_ui.errors import ConfigurationError
from storage.encryption import Encryption, KeyRing, Place, UnsealFailed
from storage.key_file import load_or_create, read_key_file, replace_key_file

PLACE = Place(table="applications", column="client_secret", row_id="app_1")
SECRET = "the secret of this application, grüße"


@pytest.fixture
def ring() -> KeyRing:
    return KeyRing.generate()


@pytest.fixture
def encryption(ring: KeyRing) -> Encryption:
    return Encryption(ring)


@pytest.fixture
def careless_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def test_d5_what_is_sealed_opens_at_its_place_and_shows_nothing(encryption: Encryption) -> None:
    sealed = encryption.seal(SECRET, PLACE)

    assert encryption.open(sealed, PLACE) == SECRET
    assert encryption.is_sealed(sealed)
    assert not encryption.is_sealed(SECRET)
    assert "secret" not in sealed
    assert sealed != encryption.seal(SECRET, PLACE)


@pytest.mark.parametrize(
    "elsewhere",
    [
        Place(table="applications", column="client_secret", row_id="app_2"),
        Place(table="applications", column="client_id", row_id="app_1"),
        Place(table="identities", column="client_secret", row_id="app_1"),
        Place(table="applications", column='client_secret", "app_1', row_id=""),
    ],
)
def test_d5_a_value_moved_to_another_place_does_not_open(encryption: Encryption, elsewhere: Place) -> None:
    sealed = encryption.seal(SECRET, PLACE)

    with pytest.raises(UnsealFailed) as refused:
        encryption.open(sealed, elsewhere)

    assert refused.value.reason == "not_authentic"
    assert encryption.open(sealed, PLACE) == SECRET


def test_d5_a_value_changed_anywhere_does_not_open(encryption: Encryption) -> None:
    sealed = encryption.seal(SECRET, PLACE)
    head, payload = sealed.rsplit(":", 1)

    for index in range(len(payload)):
        other = "B" if payload[index] == "A" else "A"
        with pytest.raises(UnsealFailed):
            encryption.open(f"{head}:{payload[:index]}{other}{payload[index + 1 :]}", PLACE)


@pytest.mark.parametrize("broken", ["", "plain", "enc:v1:", "enc:v2:k1:AAAA", "enc:v1:K1:AAAA", "enc:v1:k1:AA=="])
def test_d5_what_was_never_sealed_is_refused_and_not_returned(encryption: Encryption, broken: str) -> None:
    with pytest.raises(UnsealFailed) as refused:
        encryption.open(broken, PLACE)

    assert refused.value.reason == "not_sealed"


def test_d5_another_key_opens_nothing(encryption: Encryption, ring: KeyRing) -> None:
    sealed = encryption.seal(SECRET, PLACE)
    same_id = KeyRing(current=ring.current, keys={ring.current: os.urandom(32)})

    with pytest.raises(UnsealFailed) as unknown:
        Encryption(KeyRing.generate()).open(sealed, PLACE)
    with pytest.raises(UnsealFailed) as wrong:
        Encryption(same_id).open(sealed, PLACE)

    assert (unknown.value.reason, wrong.value.reason) == ("unknown_key", "not_authentic")
    assert SECRET not in str(wrong.value)


def test_d5_an_empty_or_short_payload_is_not_authentic(encryption: Encryption, ring: KeyRing) -> None:
    with pytest.raises(UnsealFailed) as refused:
        encryption.open(f"enc:v1:{ring.current}:AAAA", PLACE)

    assert refused.value.reason == "not_authentic"


def test_d5_after_a_rotation_old_values_open_and_move_to_the_new_key(encryption: Encryption, ring: KeyRing) -> None:
    old = encryption.seal(SECRET, PLACE)
    rotated_ring = ring.with_new_key()
    rotated = Encryption(rotated_ring)

    new = rotated.rotate(old, PLACE)

    assert rotated.open(old, PLACE) == rotated.open(new, PLACE) == SECRET
    assert f":{rotated_ring.current}:" in new
    assert rotated.rotate(new, PLACE) == new
    assert Encryption(rotated_ring.only_current()).open(new, PLACE) == SECRET
    with pytest.raises(UnsealFailed):
        Encryption(rotated_ring.only_current()).open(old, PLACE)


def test_derived_keys_differ_by_purpose_and_key(encryption: Encryption, ring: KeyRing) -> None:
    other = Encryption(KeyRing.generate())

    assert encryption.derive("forms") == Encryption(ring).derive("forms")
    assert encryption.derive("forms") != encryption.derive("setup")
    assert encryption.derive("forms") != other.derive("forms")


def test_no_key_shows_in_the_text_of_a_ring(ring: KeyRing) -> None:
    assert "keys" not in repr(ring)


@pytest.mark.usefixtures("careless_umask")
def test_the_key_file_is_made_once_and_is_nobody_elses(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"

    first = load_or_create(path)
    second = load_or_create(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert second.open(first.seal(SECRET, PLACE), PLACE) == SECRET
    assert [entry.name for entry in tmp_path.iterdir()] == ["keys.json"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o622])
def test_a_key_file_open_to_others_stops_the_start(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "keys.json"
    load_or_create(path)
    path.chmod(mode)

    with pytest.raises(ConfigurationError, match="chmod 600") as stopped:
        load_or_create(path)

    assert str(path) in str(stopped.value)


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"current": "k1", "keys": {}}', '{"current": "k1", "keys": {"k1": "AA"}}']
)
def test_a_damaged_key_file_stops_the_start_and_is_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(text)
    path.chmod(0o600)

    with pytest.raises(ConfigurationError, match="damaged"):
        load_or_create(path)

    assert path.read_text() == text


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="can't be made"):
        load_or_create(tmp_path / "missing" / "keys.json")


def test_servers_that_start_at_once_use_the_same_keys(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"

    with ThreadPoolExecutor(8) as pool:
        started = list(pool.map(lambda _: load_or_create(path), range(8)))

    assert len({encryption.derive("same") for encryption in started}) == 1


def test_a_rotated_key_file_stays_private(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    old = load_or_create(path).seal(SECRET, PLACE)

    replace_key_file(path, read_key_file(path).with_new_key())

    assert load_or_create(path).open(old, PLACE) == SECRET
    assert stat.S_IMODE(path.stat().st_mode) == 0o600

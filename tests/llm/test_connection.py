"""The connection is bounded in time and bytes, keeps to its address and is closed at once."""

import asyncio
import resource
from contextlib import aclosing

import pytest

from nova_ui.domain.clock import SystemClock
from nova_ui.errors import ConfigurationError, FailureKind
from nova_ui.llm.connection import Connection
from nova_ui.llm.limits import Limits
from tests.llm.peer import DONE, Peer, a_model, a_peer, answer_to, ask, chunk, head, text_of
from tests.llm.requests import a_request

QUICK = Limits(first_event_s=0.2, event_gap_s=0.2, total_s=0.6, after_finish_s=0.1)


async def _hang(_writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def test_a_peer_that_never_answers_is_given_up_after_the_first_limit() -> None:
    started_at = asyncio.get_running_loop().time()

    events, failure = await answer_to(_hang, a_request(), QUICK)

    assert failure is not None
    assert (events, failure.kind, failure.arrived) == ([], FailureKind.TIMEOUT, False)
    assert asyncio.get_running_loop().time() - started_at < 0.5


async def test_headers_alone_are_no_event() -> None:
    async def headers_then_silence(writer: asyncio.StreamWriter) -> None:
        writer.write(head())
        await _hang(writer)

    _, failure = await answer_to(headers_then_silence, a_request(), QUICK)

    assert failure is not None
    assert failure.kind is FailureKind.TIMEOUT


async def test_bytes_and_comments_do_not_stretch_the_gap_between_events() -> None:
    """Abuse case 62."""

    async def drip(writer: asyncio.StreamWriter) -> None:
        writer.write(head() + chunk(content="one"))
        for _ in range(100):
            writer.write(b": still here\n\n")
            await writer.drain()
            await asyncio.sleep(0.02)

    events, failure = await answer_to(drip, a_request(), Limits(event_gap_s=0.2, total_s=9))

    assert failure is not None
    assert (text_of(events), failure.kind, failure.arrived) == ("one", FailureKind.TIMEOUT, True)


async def test_steady_events_end_at_the_total_limit() -> None:
    """Abuse case 62."""

    async def for_ever(writer: asyncio.StreamWriter) -> None:
        writer.write(head())
        while True:
            writer.write(chunk(content="x"))
            await writer.drain()
            await asyncio.sleep(0.02)

    started_at = asyncio.get_running_loop().time()
    events, failure = await answer_to(for_ever, a_request(), QUICK)

    assert failure is not None
    assert (bool(events), failure.kind) == (True, FailureKind.TIMEOUT)
    assert 0.5 < asyncio.get_running_loop().time() - started_at < 2


async def test_a_reader_that_takes_its_time_does_not_use_up_the_gap() -> None:
    sent = head() + chunk(content="a") + chunk(content="b") + chunk("stop") + DONE
    async with a_peer(sent) as peer, a_model(peer, Limits(event_gap_s=0.1)) as model:
        events = []

        async for made in model.stream(a_request()):
            events.append(made)
            await asyncio.sleep(0.15)

    assert text_of(events) == "ab"


async def test_an_endless_line_is_refused_while_memory_stays_bounded() -> None:
    """Abuse case 62."""
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    written_bytes = 0

    async def endless(writer: asyncio.StreamWriter) -> None:
        nonlocal written_bytes
        writer.write(head() + b"data: ")
        while written_bytes < 60_000_000:
            writer.write(b"x" * 100_000)
            await writer.drain()
            written_bytes += 100_000

    _, failure = await answer_to(endless, a_request(), Limits(max_line_bytes=1_000_000))

    assert failure is not None
    assert failure.kind is FailureKind.TOO_MUCH
    assert written_bytes < 20_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb < 30_000


async def test_many_lines_of_one_event_are_bounded_too() -> None:
    sent = head() + b"data: " + b"\ndata: ".join([b"x" * 1000] * 30) + b"\n\n"

    _, failure = await answer_to(sent, a_request(), Limits(max_line_bytes=20_000))

    assert failure is not None
    assert failure.kind is FailureKind.TOO_MUCH


@pytest.mark.parametrize(
    ("limits", "sent"),
    [
        (Limits(max_body_bytes=2_000), b": comment\n\n" * 300),
        (Limits(max_events=5), chunk(content="") * 6),
        (Limits(max_text_chars=10), chunk(content="elf Zeichen")),
    ],
    ids=["body", "events", "text"],
)
async def test_bodies_events_and_texts_are_capped(limits: Limits, sent: bytes) -> None:
    _, failure = await answer_to(head() + sent + chunk("stop") + DONE, a_request(), limits)

    assert failure is not None
    assert failure.kind is FailureKind.TOO_MUCH


async def test_what_is_just_allowed_is_answered() -> None:
    limits = Limits(max_events=3, max_text_chars=10)

    events, failure = await answer_to(head() + chunk(content="ten chars.") + chunk("stop") + DONE, a_request(), limits)

    assert (text_of(events), failure) == ("ten chars.", None)


async def test_lines_are_split_at_the_line_feed_only() -> None:
    odd = "one\u2028two\u2029three\x85four\x0bfive\x0csix\x1cseven\rend"
    sent = head() + chunk(content=odd).replace(b"\n", b"\r\n") + chunk("stop") + DONE

    events, failure = await answer_to(sent, a_request())

    assert (text_of(events), failure) == (odd, None)


async def test_characters_cut_between_packets_arrive_whole() -> None:
    async def byte_by_byte(writer: asyncio.StreamWriter) -> None:
        for byte in head() + chunk(content="Grüße, 你好 👩‍🔧") + chunk("stop") + DONE:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0)

    events, _ = await answer_to(byte_by_byte, a_request())

    assert text_of(events) == "Grüße, 你好 👩‍🔧"


async def test_a_redirect_is_not_followed_and_the_key_stays_at_home() -> None:
    """Abuse case 50."""
    async with a_peer(head() + chunk("stop") + DONE) as other:
        sent = head("307 Temporary Redirect", Location=other.url + "/chat/completions")
        async with a_peer(sent) as peer, a_model(peer, authorization="Bearer key") as model:
            _, failure = await ask(model, a_request())

    assert failure is not None
    assert failure.kind is FailureKind.PROTOCOL
    assert "authorization: bearer key" in peer.heads[0].lower()
    assert other.heads == []


async def test_cookies_are_neither_kept_nor_sent() -> None:
    sent = head(Set_Cookie="a=b; Path=/") + chunk("stop") + DONE
    async with a_peer(sent) as peer, a_model(peer) as model:
        await ask(model, a_request())
        await ask(model, a_request())

    assert "cookie" not in peer.heads[1].lower()


async def test_a_packed_answer_is_refused() -> None:
    _, failure = await answer_to(head(Content_Encoding="gzip") + b"\x1f\x8b", a_request())

    assert failure is not None
    assert failure.kind is FailureKind.PROTOCOL


async def test_a_port_nobody_listens_on_is_a_broken_connection() -> None:
    async with a_peer(_hang) as gone:
        pass
    async with a_model(gone) as model:
        events, failure = await ask(model, a_request())

    assert failure is not None
    assert (events, failure.kind) == ([], FailureKind.CONNECTION)


@pytest.mark.parametrize("sent", [b"", b"not http\r\n\r\n", b"HTTP/1.1 200 OK\r\nx: " + b"y" * 100_000 + b"\r\n\r\n"])
async def test_what_is_no_http_is_a_broken_connection(sent: bytes) -> None:
    _, failure = await answer_to(sent, a_request())

    assert failure is not None
    assert failure.kind is FailureKind.CONNECTION


async def test_a_request_larger_than_allowed_is_not_sent() -> None:
    async with a_peer(_hang) as peer, a_model(peer, Limits(max_request_bytes=100)) as model:
        _, failure = await ask(model, a_request())

    assert failure is not None
    assert (failure.kind, peer.heads) == (FailureKind.TOO_LONG, [])


async def _cancel_when_asked(peer: Peer, task: asyncio.Task[object]) -> None:
    await peer.asked.wait()
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(peer.hung_up.wait(), 1)


async def test_cancelling_while_headers_are_awaited_hangs_up_at_once() -> None:
    async with a_peer(_hang) as peer, a_model(peer) as model:
        await _cancel_when_asked(peer, asyncio.ensure_future(ask(model, a_request())))


async def test_cancelling_within_the_stream_hangs_up_at_once() -> None:
    async def begin(writer: asyncio.StreamWriter) -> None:
        writer.write(head() + chunk(content="One"))
        await _hang(writer)

    async with a_peer(begin) as peer, a_model(peer) as model:
        await _cancel_when_asked(peer, asyncio.ensure_future(ask(model, a_request())))


async def test_leaving_the_stream_hangs_up_at_once() -> None:
    async def begin(writer: asyncio.StreamWriter) -> None:
        writer.write(head() + chunk(content="One"))
        await _hang(writer)

    async with a_peer(begin) as peer, a_model(peer) as model:
        async with aclosing(model.stream(a_request())) as events:
            await anext(events)

        await asyncio.wait_for(peer.hung_up.wait(), 1)


@pytest.mark.parametrize(
    "address",
    ["ftp://host/v1", "file:///etc/passwd", "host:80", "http://", "", "http://u:p@host", "http://h?k=v", "http://h#f"],
)
def test_only_plain_http_addresses_are_taken(address: str) -> None:
    with pytest.raises(ConfigurationError, match="NOVA_AI_BASE_URL"):
        Connection(address, headers={}, clock=SystemClock())


@pytest.mark.parametrize("value", ["Bearer a\r\nx: y", "Bearer schlüssel", "Bearer \x00"])
async def test_a_header_that_would_break_the_request_is_refused_at_start_without_its_value(value: str) -> None:
    with pytest.raises(ConfigurationError) as stopped:
        Connection("http://host", headers={"authorization": value}, clock=SystemClock())

    assert value not in str(stopped.value)

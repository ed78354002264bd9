"""HTTP calls that end by a deadline, whatever the server does.

httpx counts a timeout per read, so a server that sends a byte now and then could hold a call for ever. Here every
connect, read and write may take what is left until the deadline and no more. The name lookup alone is the system's:
its resolver has limits of its own.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpcore
import httpx

#: Bytes of an answer that are read at most: no provider sends as much, a mad one would fill the memory.
MOST_BYTES = 16_000_000
#: Seconds that a connect, read or write may take where no deadline was set.
PATIENCE = 30.0

_deadline: ContextVar[float | None] = ContextVar("http_deadline", default=None)


@contextmanager
def ends_by(deadline: float) -> Iterator[None]:
    """Let calls made inside, in this thread, end by ``deadline`` (of ``time.monotonic()``), or by an earlier outer one.

    What is late raises ``httpx.TimeoutException``.
    """
    outer = _deadline.get()
    token = _deadline.set(deadline if outer is None else min(deadline, outer))
    try:
        yield
    finally:
        _deadline.reset(token)


def seconds_left() -> float:
    """The seconds until the deadline, 0 when it has passed; ``PATIENCE`` where none was set."""
    deadline = _deadline.get()
    return PATIENCE if deadline is None else max(deadline - time.monotonic(), 0.0)


def client(**options: Any) -> httpx.Client:
    """An ``httpx.Client`` (keep one; it is safe for threads) whose calls obey ``ends_by``."""
    return httpx.Client(transport=DeadlineTransport(), timeout=PATIENCE, **options)


class DeadlineTransport(httpx.BaseTransport):
    """A pool of connections that know the deadline."""

    def __init__(self, *, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._pool = httpcore.ConnectionPool(
            ssl_context=httpx.create_ssl_context(),
            max_connections=32,
            keepalive_expiry=30.0,
            network_backend=_Network(),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; the answer's body is read by whoever iterates it, under the same deadline."""
        left = _cap(None, httpx.ConnectTimeout)
        asked = httpcore.Request(
            method=request.method,
            url=httpcore.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions={"timeout": {"connect": left, "read": left, "write": left, "pool": left}},
        )
        with _httpx_errors():
            answer = self._pool.handle_request(asked)
        return httpx.Response(
            status_code=answer.status,
            headers=answer.headers,
            stream=_Body(answer, self._most_bytes),
            extensions=answer.extensions,
        )

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


class _Body(httpx.SyncByteStream):
    """An answer's body, read no further than ``most_bytes``."""

    def __init__(self, answer: httpcore.Response, most_bytes: int) -> None:
        self._answer = answer
        self._most_bytes = most_bytes

    def __iter__(self) -> Iterator[bytes]:
        read = 0
        with _httpx_errors():
            for part in self._answer.iter_stream():
                read += len(part)
                if read > self._most_bytes:
                    raise httpx.RemoteProtocolError(f"the answer is longer than {self._most_bytes} bytes")
                yield part

    def close(self) -> None:
        self._answer.close()


class _Network(httpcore.NetworkBackend):
    """Connects to the addresses of a name in turn, all within the deadline."""

    def __init__(self) -> None:
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        try:
            addresses = {str(row[4][0]): None for row in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        failure: httpcore.NetworkError | None = None
        for address in addresses:
            left = _cap(timeout, httpcore.ConnectTimeout)
            try:
                return _Stream(self._backend.connect_tcp(address, port, left, local_address, socket_options))
            except httpcore.ConnectError as error:
                failure = error
        raise failure or httpcore.ConnectError(f"{host} has no address")


class _Stream(httpcore.NetworkStream):
    """A connection whose every operation is capped by the time left."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _cap(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _cap(timeout, httpcore.WriteTimeout))

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left = _cap(timeout, httpcore.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def close(self) -> None:
        self._stream.close()


def _cap(timeout: float | None, late: type[Exception]) -> float:
    """The smaller of ``timeout`` and the time left; raises ``late`` when none is left."""
    left = seconds_left()
    if left <= 0:
        raise late("the deadline has passed")
    return left if timeout is None else min(timeout, left)


_ERRORS: tuple[tuple[type[Exception], type[httpx.TransportError]], ...] = (
    (httpcore.ConnectTimeout, httpx.ConnectTimeout),
    (httpcore.PoolTimeout, httpx.PoolTimeout),
    (httpcore.WriteTimeout, httpx.WriteTimeout),
    (httpcore.TimeoutException, httpx.ReadTimeout),
    (httpcore.NetworkError, httpx.NetworkError),
    (httpcore.RemoteProtocolError, httpx.RemoteProtocolError),
    (httpcore.ProtocolError, httpx.ProtocolError),
    (httpcore.UnsupportedProtocol, httpx.UnsupportedProtocol),
)


@contextmanager
def _httpx_errors() -> Iterator[None]:
    """Turn httpcore's errors into those that callers of httpx expect."""
    try:
        yield
    except tuple(ours for ours, _ in _ERRORS) as error:
        theirs = next(theirs for ours, theirs in _ERRORS if isinstance(error, ours))
        raise theirs(str(error)) from error

"""Kept connections over TLS: whose certificate nobody vouches for, or is another's, gets no request (PL-26)."""

import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from core.http import tls_context
from core.kept_http import KeptClient
from core.loops import run_coroutine

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
HERE = ipaddress.ip_address("127.0.0.1")
ELSEWHERE = ipaddress.ip_address("127.0.0.2")
NOW = datetime.now(UTC)


@pytest.fixture(autouse=True)
def _loopback_allowed(settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)


def certificate(of: ipaddress.IPv4Address, *, until: datetime = NOW + timedelta(days=1)) -> tuple[bytes, bytes]:
    """One that vouches for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - timedelta(days=2))
        .not_valid_after(until)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(of)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    kept = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    return made.public_bytes(serialization.Encoding.PEM), kept


@contextmanager
def server(folder: Path, shown: tuple[bytes, bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """Answers each request over TLS with this certificate; its address, and the requests that arrived."""
    paths = [folder / name for name in ("certificate.pem", "key.pem")]
    for path, content in zip(paths, shown, strict=True):
        path.write_bytes(content)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*paths)
    listener, requests = socket.create_server((str(HERE), 0)), []

    def serve() -> None:
        with suppress(OSError):
            while True:
                plain = listener.accept()[0]
                with plain, suppress(OSError), context.wrap_socket(plain, server_side=True) as connection:
                    while data := connection.recv(65536):
                        requests.append(data)
                        connection.sendall(OK)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"https://{HERE}:{listener.getsockname()[1]}/ask", requests
    finally:
        listener.close()


def vouched_for(monkeypatch: pytest.MonkeyPatch, shown: bytes) -> None:
    """Take this certificate for one of an authority; all else is checked as it is."""
    context = httpx2.create_ssl_context(trust_env=False)
    context.load_verify_locations(cadata=shown.decode())
    monkeypatch.setattr("core.kept_http.tls_context", lambda: context)


def posted(address: str, times: int = 1) -> list[bytes]:
    async def act() -> list[bytes]:
        async with KeptClient() as client:
            return [(await client.post(address, content=b"{}", headers=[])).content for _ in range(times)]

    return run_coroutine(act())


def test_certificates_and_the_names_in_them_are_checked() -> None:
    assert (tls_context().verify_mode, tls_context().check_hostname) == (ssl.CERT_REQUIRED, True)


def test_a_certificate_that_nobody_vouches_for_gets_no_request(tmp_path: Path) -> None:
    refused = pytest.raises(httpx2.ConnectError, match="certificate verify failed")
    with server(tmp_path, certificate(HERE)) as (address, requests), refused:
        posted(address)
    assert requests == []


@pytest.mark.parametrize(("of", "until"), [(ELSEWHERE, NOW + timedelta(days=1)), (HERE, NOW - timedelta(days=1))])
def test_a_certificate_of_another_host_or_of_earlier_days_gets_no_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of: ipaddress.IPv4Address, until: datetime
) -> None:
    shown = certificate(of, until=until)
    vouched_for(monkeypatch, shown[0])
    refused = pytest.raises(httpx2.ConnectError, match="certificate verify failed")
    with server(tmp_path, shown) as (address, requests), refused:
        posted(address)
    assert requests == []


def test_a_certificate_that_is_in_order_is_asked_over_one_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = certificate(HERE)
    vouched_for(monkeypatch, shown[0])
    with server(tmp_path, shown) as (address, requests):
        assert posted(address, 2) == [b"ok", b"ok"]
    assert len(requests) == 2
    assert requests[0].startswith(b"POST /ask HTTP/1.1\r\n")

"""An OpenID Connect issuer on loopback: discovery, a code, tokens and claims, as OpenID Connect Core says."""

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa


@dataclass
class Issuer:
    """`claims` is what the issuer says of whoever signs in; `codes` maps a code to what it was given for."""

    address: str
    claims: dict[str, Any]
    client_id: str = "casebook"
    client_secret: str = "issuer-secret-1"
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    key: rsa.RSAPrivateKey = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))

    def authorize(self, address: str) -> str:
        """What a browser brings back from the issuer's page: the callback's address with a code and the state."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert asked["client_id"] == self.client_id
        assert "openid" in asked["scope"]
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?code={code}&state={asked['state']}"

    def tokens(self, sent: dict[str, str]) -> dict[str, Any] | None:
        """The tokens of a code, which works once and for its client only."""
        asked = self.codes.pop(sent.get("code", ""), None)
        if asked is None or sent.get("client_secret") != self.client_secret:
            return None
        if "code_challenge" in asked and _challenge(sent.get("code_verifier", "")) != asked["code_challenge"]:
            return None
        now = int(time.time())
        claims = {"iss": self.address, "aud": self.client_id, "iat": now, "exp": now + 60, **self.claims}
        return {"access_token": "token-1", "token_type": "Bearer", "id_token": jwt.encode(claims, self.key, "RS256")}


@contextmanager
def running_issuer(**claims: Any) -> Iterator[Issuer]:
    """The issuer answers inside the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/.well-known/openid-configuration":
                self.answer(200, _configuration(issuer.address))
            elif self.path == "/userinfo" and self.headers.get("Authorization") == "Bearer token-1":
                self.answer(200, issuer.claims)
            else:
                self.answer(404, {})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            sent = {name: values[0] for name, values in parse_qs(body).items()}
            tokens = issuer.tokens(sent)
            self.answer(200 if tokens else 400, tokens or {"error": "invalid_grant"})

        def answer(self, status: int, body: dict[str, Any]) -> None:
            sent = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_args: Any) -> None:
            """Nothing on the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    issuer = Issuer(f"http://127.0.0.1:{server.server_port}", claims)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield issuer
    finally:
        server.shutdown()
        server.server_close()


def _configuration(address: str) -> dict[str, Any]:
    return {
        "issuer": address,
        "authorization_endpoint": f"{address}/authorize",
        "token_endpoint": f"{address}/token",
        "userinfo_endpoint": f"{address}/userinfo",
        "jwks_uri": f"{address}/keys",
        "token_endpoint_auth_methods_supported": ["client_secret_post"],
    }


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")

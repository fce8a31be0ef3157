"""An OpenID Connect provider on a real socket, for tests: RS256 signatures, keys that rotate, PKCE.

    with serving() as provider:
        provider.people["anna"] = {"groups": ["qa"]}
        back = provider.visit(address)   # what the provider's page does after "anna" signed in

It signs whatever it is told to: `provider.claims` stand over those of a right token. A code is good
once, for the client, the address and the verifier that it was made for. Each sign-in is a session
(`sid`) of its own, and `logout_token` is what it would send to end one.
"""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.sockets import Quiet, listening

CLIENT = "watchdog"
SECRET = "not very secret"
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"


def new_key(name: str) -> RSAKey:
    """Return a key pair that signs under this name."""
    return RSAKey.generate_key(2048, {"kid": name, "use": "sig", "alg": "RS256"})


@cache
def _first_key() -> RSAKey:
    """Return one key for all, since making one takes a second."""
    return new_key("first")


@dataclass(slots=True)
class Provider:
    """A running provider. `now` is the person at its page."""

    url: str
    people: dict[str, dict[str, Any]] = field(default_factory=dict)
    now: str = "anna"
    claims: dict[str, Any] = field(default_factory=dict)
    document: dict[str, Any] = field(default_factory=dict)
    in_userinfo: tuple[str, ...] = ()
    keys: list[RSAKey] = field(default_factory=lambda: [_first_key()])
    forger: RSAKey | None = None  # signs in place of a key that is published
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    sids: list[str] = field(default_factory=list)  # of each sign-in

    def describe(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "end_session_endpoint": f"{self.url}/logout",
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
            "code_challenge_methods_supported": ["S256"],
            "backchannel_logout_supported": True,
            "backchannel_logout_session_supported": True,
        } | self.document

    def visit(self, address: str) -> str:
        """Return the address that the provider's page sends the person back to, with a code."""
        query = dict(parse_qsl(urlsplit(address).query))
        missing = {"client_id", "redirect_uri", "state", "nonce", "code_challenge"} - set(query)
        if missing or query.get("response_type") != "code":
            raise AssertionError(f"not asked for: {sorted(missing)}")
        code = secrets.token_urlsafe(16)
        self.sids.append(secrets.token_urlsafe(16))
        self.codes[code] = query | {"person": self.now, "sid": self.sids[-1]}
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        """Return the answer of the token endpoint."""
        grant = self.codes.pop(form.get("code", ""), None)
        basic = base64.b64encode(f"{CLIENT}:{SECRET.replace(' ', '+')}".encode()).decode()
        plain = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if authorization not in (f"Basic {basic}", f"Basic {plain}"):
            return 401, {"error": "invalid_client"}
        verifier = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        right = grant and grant["code_challenge"] == challenge
        if not right or grant["redirect_uri"] != form.get("redirect_uri"):
            return 400, {"error": "invalid_grant"}
        access = f"access-{grant['person']}"
        token = {"access_token": access, "token_type": "Bearer", "expires_in": 60}
        return 200, token | {"id_token": self.id_token(grant)}

    def id_token(self, grant: dict[str, str]) -> str:
        """Return an ID token of the person who signed in."""
        now, person = int(time.time()), grant["person"]
        facts = self.facts_of(person)
        claims = {name: value for name, value in facts.items() if name not in self.in_userinfo} | {
            "iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 60,
            "nonce": grant["nonce"], "sid": grant["sid"],
        }  # fmt: skip
        return self.sign(claims | self.claims)

    def logout_token(self, **changes: Any) -> str:
        """Return the token that ends the last sign-in of the person; None leaves a claim out."""
        now = int(time.time())
        claims = {
            "iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 60,
            "jti": secrets.token_urlsafe(16), "events": {LOGOUT_EVENT: {}},
            "sub": self.facts_of(self.now)["sub"], "sid": self.sids[-1] if self.sids else None,
        }  # fmt: skip
        return self.sign(claims | changes, kind="logout+jwt")

    def sign(self, claims: dict[str, Any], kind: str = "JWT") -> str:
        """Return a token of the claims that are not None, signed with the newest key."""
        key = self.forger or self.keys[-1]
        present = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode({"alg": "RS256", "kid": key.kid, "typ": kind}, present, key)

    def facts_of(self, person: str) -> dict[str, Any]:
        return {
            "sub": f"subject-of-{person}", "preferred_username": person,
            "email": f"{person}@example.com",
        } | self.people[person]  # fmt: skip


class _Handler(Quiet):
    provider: Provider

    def do_GET(self) -> None:
        provider = self.provider
        provider.requests.append(self.path)
        if self.path == "/.well-known/openid-configuration":
            self._answer(200, provider.describe())
        elif self.path == "/jwks":
            keys = [key.as_dict(private=False) for key in provider.keys]
            self._answer(200, {"keys": keys})
        elif self.path == "/userinfo":
            bearer = self.headers.get("Authorization", "").removeprefix("Bearer access-")
            is_person = bearer in provider.people
            facts = provider.facts_of(bearer) if is_person else {"error": "invalid_token"}
            self._answer(200 if is_person else 401, facts)
        elif self.path.startswith("/authorize?"):
            self._lead(302, provider.visit(self.path))
        elif self.path.startswith("/logout?"):
            self._lead(204)  # a browser stays on the page that it came from
        else:
            self._answer(404, {})

    def do_POST(self) -> None:
        provider = self.provider
        provider.requests.append(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if self.path == "/token":
            form = dict(parse_qsl(body))
            self._answer(*provider.token(form, self.headers.get("Authorization", "")))
        else:
            self._answer(404, {})

    def _lead(self, status: int, address: str = "") -> None:
        self.send_response(status)
        self.send_header("Location", address)
        self.end_headers()

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def serving() -> Iterator[Provider]:
    """Serve a provider until the block ends."""

    class Handler(_Handler):
        provider = Provider("")

    with listening(Handler) as port:
        Handler.provider.url = f"http://127.0.0.1:{port}"
        yield Handler.provider

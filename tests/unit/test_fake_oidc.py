"""The fake provider, as any client sees it; its signatures are verified without its own library."""

import base64
import hashlib
import json
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

from tests.fake_oidc import CLIENT, LOGOUT_EVENT, SECRET, new_key, serving

VERIFIER = "v" * 43
BACK = "http://client.example/back"


def unpacked(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def verify(token: str, keys: dict) -> dict:
    """Return the claims of a token whose signature is right."""
    head, body, signature = token.split(".")
    name = json.loads(unpacked(head))["kid"]
    key = next(key for key in keys["keys"] if key["kid"] == name)
    numbers = [int.from_bytes(unpacked(key[part])) for part in ("e", "n")]
    public = rsa.RSAPublicNumbers(*numbers).public_key()
    public.verify(unpacked(signature), f"{head}.{body}".encode(), padding.PKCS1v15(), SHA256())
    return json.loads(unpacked(body))


def asked_for(**more: str) -> str:
    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest())
    given = {
        "response_type": "code", "client_id": CLIENT, "redirect_uri": BACK, "state": "s",
        "nonce": "n", "code_challenge": challenge.rstrip(b"=").decode(),
    }  # fmt: skip
    return f"/authorize?{urlencode(given | more)}"


def redeem(provider, code: str, **more: str) -> httpx.Response:
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK}
    return httpx.post(
        f"{provider.url}/token", data=form | {"code_verifier": VERIFIER} | more,
        auth=(CLIENT, SECRET),
    )  # fmt: skip


def code_of(provider) -> str:
    answer = dict(parse_qsl(urlsplit(provider.visit(asked_for())).query))
    assert answer["state"] == "s"
    return answer["code"]


def test_a_code_brings_a_signed_token_once():
    with serving() as provider:
        provider.people["anna"] = {"groups": ["qa"]}
        body = httpx.get(f"{provider.url}/.well-known/openid-configuration").json()
        code = code_of(provider)
        token = redeem(provider, code).json()
        claims = verify(token["id_token"], httpx.get(body["jwks_uri"]).json())
        assert claims["iss"] == body["issuer"] == provider.url
        assert (claims["aud"], claims["nonce"], claims["groups"]) == (CLIENT, "n", ["qa"])
        assert redeem(provider, code).json() == {"error": "invalid_grant"}


def test_a_code_without_its_verifier_or_address_is_refused():
    with serving() as provider:
        provider.people["anna"] = {}
        assert redeem(provider, code_of(provider), code_verifier="w" * 43).status_code == 400
        assert redeem(provider, code_of(provider), redirect_uri="http://x").status_code == 400
        without = httpx.post(f"{provider.url}/token", data={"code": code_of(provider)})
        assert without.status_code == 401


def test_a_token_of_a_new_key_is_not_the_old_ones():
    with serving() as provider:
        provider.people["anna"] = {}
        old = httpx.get(f"{provider.url}/jwks").json()
        provider.keys = [new_key("first")]
        token = redeem(provider, code_of(provider)).json()["id_token"]
        with pytest.raises(InvalidSignature):
            verify(token, old)
        assert verify(token, httpx.get(f"{provider.url}/jwks").json())["nonce"] == "n"


def test_a_logout_token_names_the_session_of_the_last_sign_in():
    with serving() as provider:
        provider.people["anna"] = {}
        keys = httpx.get(f"{provider.url}/jwks").json()
        signed_in = verify(redeem(provider, code_of(provider)).json()["id_token"], keys)
        claims = verify(provider.logout_token(), keys)
        assert (claims["sid"], claims["sub"]) == (signed_in["sid"], signed_in["sub"])
        assert claims["events"] == {LOGOUT_EVENT: {}}
        assert "nonce" not in claims
        other = verify(provider.logout_token(sid=None), keys)
        assert "sid" not in other
        assert other["jti"] != claims["jti"]


def test_userinfo_wants_the_access_token():
    with serving() as provider:
        provider.people["anna"] = {"groups": ["qa"]}
        address = f"{provider.url}/userinfo"
        body = httpx.get(address, headers={"Authorization": "Bearer access-anna"}).json()
        assert body["groups"] == ["qa"]
        assert httpx.get(address, headers={"Authorization": "Bearer x"}).status_code == 401


def test_a_visit_that_asks_for_too_little_is_noticed():
    with serving() as provider, pytest.raises(AssertionError, match="nonce"):
        provider.visit("/authorize?response_type=code&client_id=x&redirect_uri=y&state=z")

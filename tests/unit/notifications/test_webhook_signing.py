"""Signatures: by the published example of Standard Webhooks, and as our own client reads them."""

import pytest

from notifications import signing
from watchdog_client import WebhookError
from watchdog_client.webhooks import check_signature

# The example that the libraries of Standard Webhooks are tested with.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID, MOMENT, BODY = "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
SIGNED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
HEADERS = signing.headers([SECRET], ID, MOMENT, BODY)


def test_the_published_example() -> None:
    assert signing.signature(SECRET, ID, MOMENT, BODY) == SIGNED
    titled = {name.title(): value for name, value in HEADERS.items()}  # as a server may spell them
    assert check_signature(SECRET, titled, BODY, now=MOMENT + 299) == ID


@pytest.mark.parametrize(
    ("changes", "body", "now"),
    [
        ({"webhook-id": "msg_other"}, BODY, MOMENT),
        ({"webhook-timestamp": str(MOMENT + 1)}, BODY, MOMENT),
        ({"webhook-signature": SIGNED[:-2] + "A="}, BODY, MOMENT),
        ({"webhook-signature": SIGNED.replace("v1,", "v2,")}, BODY, MOMENT),
        ({"webhook-signature": ""}, BODY, MOMENT),
        ({"webhook-timestamp": "now"}, BODY, MOMENT),
        ({}, BODY + b" ", MOMENT),
        ({}, BODY, MOMENT + 301),  # replayed later
        ({}, BODY, MOMENT - 301),
    ],
)
def test_what_is_not_to_be_believed(changes, body, now) -> None:
    with pytest.raises(WebhookError):
        check_signature(SECRET, HEADERS | changes, body, now=now)


def test_one_of_several_signatures_is_enough_while_a_secret_is_changed() -> None:
    both = HEADERS | {"webhook-signature": f"v1,AAAA {SIGNED}"}
    assert check_signature(SECRET, both, BODY, now=MOMENT)


def test_a_secret_belongs_to_one_webhook_of_one_installation() -> None:
    secrets = {signing.secret_of(salt, root) for salt in ("00" * 16, "01" * 16) for root in "ab"}
    assert len(secrets) == 4
    assert signing.secret_of("00" * 16, "a") in secrets
    assert all(secret.startswith("whsec_") and len(secret) == 50 for secret in secrets)

"""The second factor: enrolled, asked for on every page, recovered, required of staff."""

import base64
import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from django_otp.oath import TOTP

from accounts.authenticator import Authenticator, RecoveryCodes
from audit.models import Event, TrailEntry
from tests.database import sql

PAGE, VERIFY = "/account/second-factor", "/account/second-factor/verify"
PASSWORD = "correct horse battery staple"
pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    return User.objects.create_superuser("anna", password=PASSWORD)


def code_of(device: Authenticator, *, steps_ahead: int = 0) -> str:
    return code_of_secret(device.bin_key, steps_ahead=steps_ahead)


def code_of_secret(secret: bytes, *, steps_ahead: int = 0) -> str:
    generator = TOTP(secret)
    generator.time = time.time() + steps_ahead * generator.step
    return f"{generator.token():06d}"


def reset_delays() -> None:
    for model in (Authenticator, RecoveryCodes):
        model.objects.update(throttling_failure_timestamp=timezone.now() - timedelta(days=1))


def enrol(client: Client, user: User) -> tuple[Authenticator, list[str]]:
    client.force_login(user)
    client.post(PAGE, {"do": "start", "password": PASSWORD})
    device = Authenticator.objects.get(user=user)
    form = {"do": "confirm", "password": PASSWORD, "code": code_of(device)}
    codes = client.post(PAGE, form).context["codes"]
    device.refresh_from_db()
    return device, codes


def log_in(user: User) -> Client:
    client = Client()
    client.post("/login", {"username": user.username, "password": PASSWORD})
    return client


def test_after_the_password_only_the_code_page_is_open(client, anna) -> None:
    device, codes = enrol(client, anna)
    assert len(set(codes)) == 10
    assert client.get("/admin/").status_code == 200  # who enrolled is verified
    half = log_in(anna)
    for address in ("/admin/", "/assistant/", PAGE, "/account/password", "/memory/"):
        assert half.get(address).url == VERIFY
    assert half.post(PAGE, {"do": "remove", "password": PASSWORD}).url == VERIFY
    assert Authenticator.objects.filter(confirmed=True).exists()
    half.post(VERIFY, {"code": code_of(device, steps_ahead=1)})
    assert half.get("/admin/").status_code == 200


def test_a_code_is_taken_once_and_a_guess_delays_the_next(client, anna, settings) -> None:
    settings.OTP_STATIC_THROTTLE_FACTOR = settings.OTP_TOTP_THROTTLE_FACTOR = 600
    _, codes = enrol(client, anna)
    first = log_in(anna)
    first.post(VERIFY, {"code": codes[0]})
    assert first.get("/admin/").status_code == 200
    second = log_in(anna)
    second.post(VERIFY, {"code": codes[0]})
    assert second.get("/admin/").url == VERIFY
    second.post(VERIFY, {"code": codes[1]})  # right, but too soon after a wrong one
    assert second.get("/admin/").url == VERIFY
    failed = TrailEntry.objects.filter(event=Event.SECOND_FACTOR_FAILED, actor="anna")
    assert failed.count() == 2
    reset_delays()
    second.post(VERIFY, {"code": codes[1]})
    assert second.get("/admin/").status_code == 200


def test_changes_ask_for_the_password(client, anna) -> None:
    enrol(client, anna)
    client.post(PAGE, {"do": "remove", "password": "wrong"})
    assert Authenticator.objects.filter(confirmed=True).exists()
    client.post(PAGE, {"do": "remove", "password": PASSWORD})
    assert not Authenticator.objects.exists()
    changes = TrailEntry.objects.filter(event=Event.SECOND_FACTOR_CHANGED).order_by("id")
    descriptions = [entry.data["change"] for entry in changes]
    assert descriptions == ["enrolled", "recovery codes made", "removed"]


def test_staff_without_a_device_enrol_first_where_it_is_required(client, anna, settings) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    client.force_login(anna)
    assert client.get("/admin/").url == PAGE
    assert client.get("/assistant/").url == PAGE
    manager = User.objects.create_user("mia", password=PASSWORD)
    client.force_login(manager)
    assert client.get("/assistant/").status_code == 200


def test_an_operator_takes_off_a_lost_second_factor(client, anna) -> None:
    enrol(client, anna)
    call_command("reset_second_factor", "anna")
    assert log_in(anna).get("/admin/").status_code == 200
    with pytest.raises(CommandError, match="no second factor"):
        call_command("reset_second_factor", "anna")


def test_secrets_of_devices_are_in_no_admin_page(client, anna) -> None:
    client.force_login(anna)
    assert client.get("/admin/otp_totp/totpdevice/").status_code == 404


def stored_secrets() -> str:
    """Return all that a copy of the database has of second factors."""
    rows = sql(
        "SELECT key FROM otp_totp_totpdevice UNION ALL SELECT token FROM otp_static_statictoken"
    )
    return " ".join(text for (text,) in rows)


def test_a_copy_of_the_database_holds_no_secret(client, anna) -> None:
    device, codes = enrol(client, anna)
    stored = stored_secrets()
    assert len(stored.split()) == 11
    assert not any(code in stored for code in codes)
    for secret in (device.bin_key.hex(), base64.urlsafe_b64encode(device.bin_key).decode()):
        assert secret not in stored


def test_a_secret_works_for_its_user_alone(client, anna) -> None:
    device, codes = enrol(client, anna)
    mallory = User.objects.create_superuser("mallory", password=PASSWORD)
    Authenticator.objects.update(user=mallory)
    RecoveryCodes.objects.update(user=mallory)
    stolen = log_in(mallory)
    for code in (code_of_secret(device.bin_key), codes[0]):
        reset_delays()
        stolen.post(VERIFY, {"code": code})
        assert stolen.get("/admin/").url == VERIFY


def test_after_a_new_secret_key_the_former_one_still_opens(client, anna, settings) -> None:
    device, codes = enrol(client, anna)
    secret, former = device.bin_key, settings.SECRET_KEY
    settings.SECRET_KEY = "new " * 20
    lost = log_in(anna)
    lost.post(VERIFY, {"code": code_of_secret(secret, steps_ahead=1)})
    assert lost.get("/admin/").url == VERIFY
    settings.SECRET_KEY_FALLBACKS = [former]
    for code in (code_of_secret(secret, steps_ahead=1), codes[3]):
        reset_delays()
        half = log_in(anna)
        half.post(VERIFY, {"code": code})
        assert half.get("/admin/").status_code == 200

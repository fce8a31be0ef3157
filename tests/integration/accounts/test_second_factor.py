"""The second factor: enrolled, asked for on every page, recovered, required of staff."""

import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django.fixtures import Settings

from audit.models import Event, TrailEntry

PAGE, VERIFY = "/account/second-factor", "/account/second-factor/verify"
PASSWORD = "correct horse battery staple"
pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    return User.objects.create_superuser("anna", password=PASSWORD)


def code_of(device: TOTPDevice, *, steps_ahead: int = 0) -> str:
    generator = TOTP(device.bin_key, device.step, device.t0, device.digits, device.drift)
    generator.time = time.time() + steps_ahead * device.step
    return f"{generator.token():06d}"


def enrol(client: Client, user: User) -> tuple[TOTPDevice, list[str]]:
    client.force_login(user)
    client.post(PAGE, {"do": "start", "password": PASSWORD})
    device = TOTPDevice.objects.get(user=user)
    form = {"do": "confirm", "password": PASSWORD, "code": code_of(device)}
    codes = client.post(PAGE, form).context["codes"]
    device.refresh_from_db()
    return device, codes


def log_in(user: User) -> Client:
    client = Client()
    client.post("/login", {"username": user.username, "password": PASSWORD})
    return client


def test_after_the_password_only_the_code_page_is_open(client: Client, anna: User) -> None:
    device, codes = enrol(client, anna)
    assert len(set(codes)) == 10
    assert client.get("/admin/").status_code == 200  # who enrolled is verified
    half = log_in(anna)
    for address in ("/admin/", "/assistant/", PAGE, "/account/password", "/memory/"):
        assert half.get(address).url == VERIFY
    assert half.post(PAGE, {"do": "remove", "password": PASSWORD}).url == VERIFY
    assert TOTPDevice.objects.filter(confirmed=True).exists()
    half.post(VERIFY, {"code": code_of(device, steps_ahead=1)})
    assert half.get("/admin/").status_code == 200


def test_a_code_is_taken_once_and_a_guess_delays_the_next(
    client: Client, anna: User, settings: Settings
) -> None:
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
    for device in (StaticDevice, TOTPDevice):
        device.objects.update(throttling_failure_timestamp=timezone.now() - timedelta(days=1))
    second.post(VERIFY, {"code": codes[1]})
    assert second.get("/admin/").status_code == 200


def test_changes_ask_for_the_password(client: Client, anna: User) -> None:
    enrol(client, anna)
    client.post(PAGE, {"do": "remove", "password": "wrong"})
    assert TOTPDevice.objects.filter(confirmed=True).exists()
    client.post(PAGE, {"do": "remove", "password": PASSWORD})
    assert not TOTPDevice.objects.exists()
    changes = TrailEntry.objects.filter(event=Event.SECOND_FACTOR_CHANGED).order_by("id")
    descriptions = [entry.data["change"] for entry in changes]
    assert descriptions == ["enrolled", "recovery codes made", "removed"]


def test_staff_without_a_device_enrol_first_where_it_is_required(
    client: Client, anna: User, settings: Settings
) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
    client.force_login(anna)
    assert client.get("/admin/").url == PAGE
    assert client.get("/assistant/").url == PAGE
    manager = User.objects.create_user("mia", password=PASSWORD)
    client.force_login(manager)
    assert client.get("/assistant/").status_code == 200


def test_an_operator_takes_off_a_lost_second_factor(client: Client, anna: User) -> None:
    enrol(client, anna)
    call_command("reset_second_factor", "anna")
    assert log_in(anna).get("/admin/").status_code == 200
    with pytest.raises(CommandError, match="no second factor"):
        call_command("reset_second_factor", "anna")


def test_secrets_of_devices_are_in_no_admin_page(client: Client, anna: User) -> None:
    client.force_login(anna)
    assert client.get("/admin/otp_totp/totpdevice/").status_code == 404

"""Secrets of authenticator apps are encrypted, recovery codes become digests."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from accounts.authenticator import encrypted_key, token_digests


def protect(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Each row as the models write new ones."""
    for device in apps.get_model("otp_totp", "TOTPDevice").objects.all():
        device.key = encrypted_key(device.key, device.user_id)
        device.save(update_fields=["key"])
    for code in apps.get_model("otp_static", "StaticToken").objects.select_related("device"):
        code.token = token_digests(code.token, code.device.user_id)[0]
        code.save(update_fields=["token"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_sessions_of_the_provider"),
        ("otp_static", "0003_add_timestamps"),
        ("otp_totp", "0003_add_timestamps"),
    ]

    operations = [
        migrations.CreateModel(
            name="Authenticator",
            fields=[],
            options={"proxy": True, "default_permissions": (), "indexes": [], "constraints": []},
            bases=("otp_totp.totpdevice",),
        ),
        migrations.CreateModel(
            name="RecoveryCodes",
            fields=[],
            options={"proxy": True, "default_permissions": (), "indexes": [], "constraints": []},
            bases=("otp_static.staticdevice",),
        ),
        migrations.RunPython(protect, migrations.RunPython.noop),
    ]

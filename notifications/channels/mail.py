"""E-mail over the configured SMTP server."""

import smtplib

from django.conf import settings
from django.core.mail import EmailMessage

from notifications.channels import Undelivered


def send(*, to: str, subject: str, body: str, message_id: str) -> None:
    """Hand a message to the server. Raises Undelivered.

    `message_id` stays the same when it is sent again, so that mail programs show it once.
    """
    if not settings.EMAIL_HOST:
        raise Undelivered("no mail server is configured (EMAIL_HOST)")
    headers = {"Message-ID": f"<{message_id}@watchdog>", "Auto-Submitted": "auto-generated"}
    message = EmailMessage(subject, body, to=[to], headers=headers)
    try:
        message.send()
    except smtplib.SMTPException as error:
        raise Undelivered(f"the mail server refused it ({type(error).__name__})") from error
    except OSError as error:
        raise Undelivered(f"the mail server did not answer ({type(error).__name__})") from error

"""A manager's briefings by e-mail: how they are scheduled, and the last that was made."""

from assistant.models import BriefingMail, BriefingSchedule
from memory.models import Manager


def schedule_of(manager: Manager) -> BriefingSchedule | None:
    """The manager's schedule, also one that was stopped; None where there never was one."""
    return BriefingSchedule.objects.filter(manager=manager).first()


def last_mail_of(manager: Manager) -> BriefingMail | None:
    """The newest briefing that was to be sent, whatever became of it."""
    briefing_mails = BriefingMail.objects.filter(conversation__manager=manager)
    return briefing_mails.select_related("conversation").order_by("-conversation_id").first()

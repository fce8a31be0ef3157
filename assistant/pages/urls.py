"""URLs below /assistant/."""

from django.urls import path

from assistant.pages import actions, schedule, stream, views

_CONVERSATION = "<uuid:manager_id>/<uuid:conversation_id>"
_TURN = f"{_CONVERSATION}/<uuid:turn_id>"
urlpatterns = [
    path("", views.home, name="assistant_page"),
    path("<uuid:manager_id>/", views.home, name="assistant_of"),
    path("<uuid:manager_id>/ask", actions.ask, name="assistant_ask"),
    path("<uuid:manager_id>/briefing", actions.briefing, name="assistant_briefing"),
    path("<uuid:manager_id>/schedule", schedule.briefings, name="assistant_schedule"),
    path("<uuid:manager_id>/schedule/stop", schedule.stop, name="assistant_schedule_stop"),
    path("<uuid:manager_id>/upload", actions.upload_file, name="assistant_upload"),
    path(f"{_CONVERSATION}/", views.conversation, name="assistant_talk"),
    path(f"{_CONVERSATION}/events", stream.events, name="assistant_events"),
    path(_TURN, views.turn, name="assistant_turn"),
    path(f"{_TURN}/passage/<int:number>", views.passage, name="assistant_passage"),
    path(f"{_TURN}/checked", actions.open_confidence, name="assistant_checked"),
    path(f"{_TURN}/undo/<uuid:entry_id>", actions.undo, name="assistant_undo"),
]

"""URLs under /memory/."""

from django.urls import path

from memory.pages import views

_ENTRY = "<uuid:manager_id>/<uuid:entry_id>"
urlpatterns = [
    path("", views.memory_page, name="memory_page"),
    path("<uuid:manager_id>/", views.memory_page, name="memory_of"),
    path("<uuid:manager_id>/say", views.say, name="memory_say"),
    path("<uuid:manager_id>/file/<str:target>", views.file, name="memory_download"),
    path(f"{_ENTRY}/correct", views.correct, name="memory_correct"),
    path(f"{_ENTRY}/delete", views.delete, name="memory_delete"),
    path(f"{_ENTRY}/undo", views.undo, name="memory_take_back"),
]

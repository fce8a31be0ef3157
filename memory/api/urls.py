"""URLs under /api/v1/."""

from django.urls import path

from memory.api import views

_ENTRY = "managers/<uuid:manager_id>/memory/<uuid:entry_id>"
urlpatterns = [
    path("managers", views.ManagersView.as_view(), name="managers"),
    path("managers/<uuid:manager_id>", views.ManagerView.as_view(), name="manager"),
    path("managers/<uuid:manager_id>/memory", views.EntriesView.as_view(), name="memory_entries"),
    path("managers/<uuid:manager_id>/memory/recall", views.RecallView.as_view(), name="recall"),
    path("managers/<uuid:manager_id>/memory/file", views.FileView.as_view(), name="memory_file"),
    path(_ENTRY, views.EntryView.as_view(), name="memory_entry"),
    path(f"{_ENTRY}/undo", views.UndoView.as_view(), name="memory_undo"),
]

"""URLs below `/api/v1/`."""

from django.urls import path

from documents.api import views

urlpatterns = [
    path("collections", views.CollectionsView.as_view(), name="collections"),
    path("collections/<slug:name>", views.CollectionView.as_view(), name="collection"),
    path("documents", views.DocumentListView.as_view(), name="documents"),
    path("documents/bulk", views.DocumentBulkView.as_view(), name="documents_bulk"),
    path("documents/<uuid:document_id>", views.DocumentView.as_view(), name="document"),
    path("search", views.SearchView.as_view(), name="search"),
]

"""The REST interface of collections, documents and search."""

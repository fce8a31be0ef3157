"""Reads of the analysis app, shared by the admin, the API and the services."""

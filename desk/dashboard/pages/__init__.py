"""The dashboard and the home page."""

"""Telling people and programs outside: an outbox in the database, e-mail and signed webhooks."""

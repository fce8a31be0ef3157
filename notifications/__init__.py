"""Notifications to people and programs: an outbox in the database, e-mail, signed webhooks."""

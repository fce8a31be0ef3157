"""The REST interface of managers and their memory."""

"""An OpenAI-compatible proxy that releases a model's text only after WATCHDOG's verdict.

An ASGI process of its own (`python -m proxy`): it needs no database and holds no web worker. It
checks through the product's API with `watchdog_client`.
"""

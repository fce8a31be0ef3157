"""The weather tool: reads a question, fetches the weather, analyses it in a sandbox, cites it.

`gather` is the only entry; docs/concepts/weather.md describes the rules.
"""

from assistant.weather.gathering import gather

__all__ = ["gather"]

"""The weather tool: what a question asks of the sky, fetched, analysed in a sandbox, cited.

`gather` is its one door; docs/concepts/weather.md tells its rules.
"""

from assistant.weather.gathering import gather
from assistant.weather.types import WeatherEvidence, WeatherFault, WeatherStatement, WeatherStatus

__all__ = ["WeatherEvidence", "WeatherFault", "WeatherStatement", "WeatherStatus", "gather"]

"""`python -m proxy`: serve the proxy with uvicorn."""

import sys

import uvicorn

from proxy import tracing
from proxy.app import create_app
from proxy.settings import Settings, SettingsError


def main() -> int:
    """Serve until stopped; return 2 if a setting is missing or wrong."""
    try:
        settings = Settings.read()
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    tracing.start()
    uvicorn.run(
        create_app(settings), host=settings.host, port=settings.port, log_config=tracing.LOGGING
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tools.launcher.process_manager -c FILE`: supervisord that survives a full disk.

supervisor prints an error of its log to standard error. That is a file of the same disk, so the
second error would end it, and with it everything that it runs.
"""

from supervisor import loggers, supervisord  # type: ignore[import-untyped]  # ships no types


def drop_record(_handler: loggers.Handler) -> None:
    """Drop a line of a log that cannot be written."""


if __name__ == "__main__":
    loggers.Handler.handleError = drop_record
    supervisord.main()

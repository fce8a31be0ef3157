"""Dates as the product writes them in German; numbers are Django's."""

DATE_FORMAT = "j. M Y"
DATETIME_FORMAT = "j. M Y, H:i"
TIME_FORMAT = "H:i"
MONTH_DAY_FORMAT = "j. M"

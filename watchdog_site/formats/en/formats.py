"""Dates as the product writes them in English: the day before the month, 24 hours."""

DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j M Y H:i"
TIME_FORMAT = "H:i"
MONTH_DAY_FORMAT = "j M"

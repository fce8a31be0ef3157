"""Statistics without a domain: intervals, detection metrics, calibration."""

"""Statistics that know no domain: intervals, detection metrics, calibration."""

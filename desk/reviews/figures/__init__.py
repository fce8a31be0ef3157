"""Links from figures of the dashboard to the lists of what they count."""

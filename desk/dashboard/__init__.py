"""The figures of the dashboard: what is asked, what is shown, and which list each figure counts."""

"""The pages where people work: review desk, verdict page, dashboard, policies, scoring."""

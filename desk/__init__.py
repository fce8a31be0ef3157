"""Where people work: the review desk, the page of a verdict, the dashboard, policies, scoring."""

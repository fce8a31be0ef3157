"""From a figure of the dashboard to the list of what it counted: addresses and list filters."""

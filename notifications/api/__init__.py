"""`/api/v1/webhooks`: an application's own addresses, and what was delivered to them."""

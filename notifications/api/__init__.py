"""`/api/v1/webhooks`: an application's own webhooks, and their deliveries."""

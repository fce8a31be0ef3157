"""The home page of the product, beside the admin."""

"""Pages of the product beside the admin: the home page and the playground."""

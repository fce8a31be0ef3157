"""Pages beside the admin's own."""

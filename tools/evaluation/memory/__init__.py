"""Written examples of what managers say, and how well what is stored agrees with them."""

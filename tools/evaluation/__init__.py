"""Development only: measures how accurate, how fast and how safe the product is."""

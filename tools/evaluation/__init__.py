"""Development only: how right, how fast and how safe the product is."""

"""Training of the base-size judge: rows to blocks, the torch model, the loop, the curve."""

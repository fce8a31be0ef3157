"""Makes and measures the embedded entailment model; the product never imports it."""

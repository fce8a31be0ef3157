"""Code that does not depend on the product: text, statistics, isolation, traces, the work queue."""

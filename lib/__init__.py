"""What knows nothing of the product: text, statistics, isolation, traces, the work queue."""

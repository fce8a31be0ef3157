"""`manage.py bench_retrieval`: a made-up corpus of any size, and the cost of searching it."""

"""`manage.py bench_retrieval`: a made-up corpus of any size, and what a search over it costs."""

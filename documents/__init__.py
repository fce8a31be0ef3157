"""Documents: collections, parsing, chunking, indexing, retrieval and the injection scan."""

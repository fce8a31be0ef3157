"""Questions to the assistant over documents that no rule was made for, and how it answered them."""

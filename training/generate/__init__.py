"""Examples made from passages: a sentence said again (entailed) or changed (not entailed)."""

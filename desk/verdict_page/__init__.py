"""The confidence view: an answer with its claims marked, and what each mark rests on.

One set of pages for two doors: the review desk in the admin, and a signed, expiring link that an
application shows its own users (`views`).
"""

"""The verdict page: an answer with its claims marked, and the basis of each mark.

It is reached in two ways: on the review desk in the admin, and by a signed, expiring link that an
application shows its own users (`views`).
"""

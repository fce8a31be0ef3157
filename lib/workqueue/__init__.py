"""The work queue: rows in PostgreSQL are the work, messages over Redis announce it.

`models.LeasedModel` adds the columns that a kind of work needs to its table, `queue.WorkQueue` is
the one way to claim, finish, retry and give up its rows, and `broker` sends the messages.
"""

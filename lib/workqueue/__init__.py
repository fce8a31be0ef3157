"""The work queue: rows in PostgreSQL are the work, messages over Redis announce it.

`models.LeasedModel` adds the columns that a kind of work needs to its table, `queue.WorkQueue` is
the one way to claim, finish, retry and give up its rows, and `broker` sends the messages.

`models.LeasedModel` is what a kind of work adds to its table, `queue.WorkQueue` the one way in
which its rows are claimed, finished, tried again and given up, and `broker` sends the messages.
"""

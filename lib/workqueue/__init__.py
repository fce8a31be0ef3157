"""The work queue: rows in PostgreSQL are the work, messages over Redis say that there is some.

`models.LeasedModel` is what a kind of work adds to its table, `queue.WorkQueue` the one way in
which its rows are claimed, finished, tried again and given up, and `broker` sends the messages.
"""

"""Search by meaning: a vector a passage and model, in ordinary PostgreSQL tables with pgvector (docs/decisions/0090).

``partitions`` makes and drops a model's table and its index; ``lifecycle`` makes, switches and drops models;
``batches`` says which passages lack a vector, ``filling`` makes them; ``active`` reads what search uses, ``arm`` asks
it, ``query_vectors`` embeds the query beside; ``tuning`` measures the index, ``coverage`` tells how far the filling
is.
"""

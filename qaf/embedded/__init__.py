"""A PostgreSQL of the checkout's own, started when somebody needs it (docs/decisions/0001-embedded-postgresql.md).

``binaries`` finds the programs, ``account`` the user they run as, ``cluster`` makes, starts and stops the server, and
``backend`` is the Django database backend that calls it.
"""

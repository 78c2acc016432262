"""A table on a server of Kibitz, as both ends speak of it and as the near end sees it.

    messages    what passes between the server and a table's people, every message as a type
    addresses   addresses that people paste: a server, a table, an invitation
    callers     asking a server over HTTP, and who one is there
    following   a table as its messages tell it

The server (``kibitz.web``) is the far end; ``kibitz join`` and the application on the terminal are the near one.
"""

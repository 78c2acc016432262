"""Kibitz in the browser: a server of tables, replays and the arena's pages.

    lobby       all tables of this server, and the people who are in it
    table_task  the one task that owns a table: it takes requests from an inbox, one after the other
    chair       who has a seat: a person, a computer player, a player file, or nobody yet
    journal     what has happened at a table, entry by entry; written before anybody is told
    line        one connection to a table, by WebSocket or by a stream: it takes messages for one seat
    wire        the messages and bodies as types, from which /openapi.json is made

``app.application`` is the whole as an ASGI application, ``serving.serve`` runs it.  Only this package imports
Starlette and uvicorn.
"""

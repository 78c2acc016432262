"""Kibitz in the browser: a server of tables, replays and the arena's pages.

    app         the server as an ASGI application; ``server.serve`` runs it, ``app_state`` is its state
    api         the operations over HTTP, from which the routes and /openapi.json are made
    live_tables tables while they are played: lobby, session, requests, computer players, WebSockets
    store       the server's data: tables with their journals, finished games, people
    jobs        long work, a few jobs at a time, each in a process of its own (``job_process``)
    processes   starts these processes, and those in which computer players think
    marking     marks for the pages; ``replay``: games step by step; ``season``: the arena behind the pages
    access      who sends a request, and how many they may send; ``guards``: headers, sizes, paths

Only this package imports Starlette and uvicorn.
"""

"""Kibitz in the browser: a server of tables, replays and the arena's pages.

    app         the server as an ASGI application; ``server.serve`` runs it, ``app_state`` is its state
    api         the operations over HTTP, from which the routes and /openapi.json are made
    live_tables tables while they are played: lobby, session, requests, computer players, WebSockets
    store       the server's data: tables with their journals, finished games, people
    jobs        long work, a few jobs at a time, each in a process of its own (``job_process``)
    processes   starts these processes, and those in which computer players think
    marking     marks of students' submissions, for the pages
    replay      games step by step
    season      the arena's tournaments, for the pages
    ratings     ratings of the people at tables
    access      who sends a request, and how many requests they may send
    guards      security headers, limits on sizes, the base path, host names
    problems    errors as HTTP answers

Only this package imports Starlette and uvicorn.
"""

"""The full-screen terminal application: menu, tables, replays.  It is imported only when it opens.

    canvas, panels, board               a table as text: pure functions from a scene to lines with regions, and a widget
    selection                           an action put together with cursor, keys and clicks
    plan                                the game to play, and what each seat has been told
    table_screen                        a table on the screen, local or remote
    local_table, server_table           a game played in this process, and one on a server
    application, dialogs, replay        the application with its menu, small windows, a record step by step

Only this package imports Textual.
"""

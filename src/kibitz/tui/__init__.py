"""The full-screen terminal application: menu, tables, replays.  It is imported only when it opens.

    canvas, panels, board               a table as text: pure functions from a scene to lines with regions, and a widget
    selection                           an action put together with cursor, keys and clicks
    table_screen                        a table on the screen, local or remote
    local_table, server_table           a game played in this process, and one on a server
    dialogs, replay                     small windows; a record step by step
    application                         the application with its menu
    threads                             work in threads

Only this package imports Textual.
"""

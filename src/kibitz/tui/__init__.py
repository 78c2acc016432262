"""The full-screen terminal application: menu, tables, replays. It is imported only when it opens.

    canvas, panels, board               a table drawn as text: functions from a scene to a canvas, and a widget
    selection                           an action that a person composes with cursor, keys and clicks
    table_screen                        the screen of a table: what it shows, and what keys and clicks do
    local_table, server_table           the screen of a game in this process, and of a game on a server
    dialogs                             small windows over a screen
    replay                              a record step by step
    application                         the application with its menu
    threads                             work in threads

Only this package imports Textual.
"""

"""Kibitz on a whole terminal: menu, table, replay; nothing here is imported before it is opened.

    canvas, layout, board               a table as text: pure functions from a scene to lines with regions, and a widget
    selection                           an action that is put together by cursor, keys and clicks
    driver                              a game with people in it that never stands still
    table_screen                        a table on the screen, local or remote
    local_table, server_table           a game played in this program, and one on a server
    app, dialogs, replay                the menu and the ways from it, small windows, a record step by step

Only this package imports Textual.
"""

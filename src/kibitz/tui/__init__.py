"""Kibitz on a whole terminal: menu, table, replay; nothing here is imported before it is opened.

    canvas, cards, layout, picture      a table as text: pure functions from a scene to lines with regions
    palette, board                      the colours, and the one widget that shows a picture
    selection                           an action that is put together by cursor, keys and clicks
    driving                             a game with people in it that never stands still
    local_table, replaying, menu, app   the screens and the ways between them
    dialogs, asking, helping, event_log windows, the questions before a game, help, what a seat has been told

Only this package imports Textual.
"""

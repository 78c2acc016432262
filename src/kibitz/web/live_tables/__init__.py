"""Tables on which people play in the browser, while they are played.

lobby           all tables of this server: made, found, let go of
table_task      the one task that owns a table
live_session    a game in progress: its session, what everybody is told of it, its seats and clocks
requests        what people ask for at a table, carried out by its task
bots            who chooses where no person does: computer players, player files, caretakers
seat_view       what one seat is shown of a table
connection      one connection to a table; ``websocket``: connections of browsers
"""

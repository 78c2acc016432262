"""Tables in progress, at which people play in the browser.

lobby           all tables of this server: made, found, closed
table_task      the one task that owns a table
live_session    a game in progress: its session, its log, its seats and clocks
requests        what people ask for at a table, carried out by its task
bots            choices by computer players, player files and caretakers
seat_view       what one seat sees of a table
connection      one connection to a table; ``websocket``: connections of browsers
"""

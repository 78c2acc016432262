"""Tables in progress, at which people play in the browser.

lobby           makes, finds and closes the tables of this server
table_task      the one task that owns a table
live_session    a game in progress: its session, its log, its seats and clocks
requests        carries out people's requests at a table
bots            choices by computer players, player files and caretakers
seat_view       what one seat sees of a table
connection      one connection to a table: a queue of messages
websocket       connections over WebSocket, as browsers make them
"""

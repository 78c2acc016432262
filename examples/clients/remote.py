"""A remote player in forty lines: python remote.py ADDRESS TOKEN TABLE [INVITATION]

It reads the stream of its seat, one JSON message a line, and posts a request whenever it is asked.  The token comes
from the page of your account; docs/server-api.md says what the messages hold.
"""

import json
import random
import sys
import urllib.error
import urllib.request

address, token, table, *invitation = sys.argv[1:]


def ask(path, body=None):
    """The answer to a request, still open; with a body it is posted."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return urllib.request.urlopen(urllib.request.Request(f"{address}/api/tables/{table}/{path}", data, headers))


def choose(state):
    """Your ideas go here; state["view"] is all that your seat may know."""
    return random.choice(state["legal"])["action"]


try:
    if invitation:
        ask("seat", {"invite": invitation[0], "name": "Remote"}).close()
    for line in ask("stream?views=true"):
        message = json.loads(line) if line.strip() else {"type": "still there"}
        if message["type"] == "events":
            print(*(event["text"] for event in message["events"]), sep="\n")
        if message["type"] == "state" and message["over"]:
            break
        if message["type"] == "state" and message["mine"]:
            turn = message["turn"]
            ask("requests", {"type": "act", "id": f"turn {turn}", "action": choose(message), "turn": turn}).close()
except urllib.error.HTTPError as error:
    sys.exit(json.load(error)["error"]["sentence"])

// A remote player in forty lines: node remote.mjs ADDRESS TOKEN TABLE [INVITATION]
//
// It reads the stream of its seat, one JSON message a line, and posts a request whenever it is asked. The token comes
// from the page of your account; docs/server-api.md says what the messages hold. It needs nothing but fetch.

const [address, token, table, invitation] = process.argv.slice(2);

async function ask(path, body) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const options = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(`${address}/api/tables/${table}/${path}`, options);
  if (!answer.ok) throw new Error((await answer.json()).error.sentence);
  return answer;
}

// Your ideas go here; state.view is all that your seat may know.
function choose(state) {
  return state.legal[Math.floor(Math.random() * state.legal.length)].action;
}

async function* messages(answer) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of answer.body) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop();
    for (const line of lines) if (line) yield JSON.parse(line);
  }
}

if (invitation) await ask("seat", { invite: invitation, name: "Remote" });
for await (const message of messages(await ask("stream?views=true"))) {
  if (message.type === "events") for (const event of message.events) console.log(event.text);
  if (message.type === "state" && message.over) process.exit();
  if (message.type === "state" && message.mine) {
    const { turn } = message;
    await ask("requests", { type: "act", id: `turn ${turn}`, action: choose(message), turn });
  }
}

// Forms that send one request to the server and then reload the page; the list of access tokens; and ratings.
import { withOffset } from "./deadline.js";
import { html, render } from "./html.js";
import { ask, base, listen } from "./server.js";
import "./page.js";

const WELCOME = /\/welcome\/([^/]+)$/;

/** The body of a form's request: FormData if the form has files, otherwise its non-empty fields, times with their UTC
 *  offset; none for DELETE. */
function body(form, method) {
  const fields = new FormData(form);
  if (form.querySelector("[type=file]")) return fields;
  const values = Object.fromEntries([...fields].filter(([, value]) => value !== ""));
  for (const { name } of form.querySelectorAll("[type=datetime-local]")) if (values[name]) values[name] = withOffset(values[name]);
  const welcome = WELCOME.exec(location.pathname)?.[1];
  if (welcome && "welcome" in form.dataset) values.welcome = welcome;
  return method === "DELETE" || !form.querySelector("[name]") ? undefined : values;
}

for (const form of document.querySelectorAll("form[data-ask]")) {
  listen(form, async () => {
    const [method, path] = form.dataset.ask.split(" ");
    const errorLine = form.querySelector("[role=alert]");
    errorLine.textContent = "";
    try {
      const response = await ask(method, path, body(form, method));
      if ("token" in form.dataset) form.querySelector(".token").textContent = response.token ?? response.link;
      else if (WELCOME.test(location.pathname)) location.assign(`${base}/account`);
      else location.reload();
    } catch (refusal) {
      errorLine.textContent = refusal.message;
    }
    showTokens();
  });
}

/** On the page of an invitation, which is for a name: say so, and fill the name in. */
function showInvitation() {
  const name = new URLSearchParams(location.search).get("name");
  const greeting = document.querySelector(".invited");
  if (!name || !greeting) return;
  document.querySelector(".lecturer").hidden = true;
  greeting.hidden = false;
  greeting.querySelector("b").textContent = name;
  for (const input of document.querySelectorAll("[data-welcome] [name=name]")) input.value = name;
}

/** Show the user's tokens, each with a button to revoke it. */
async function showTokens() {
  const container = document.getElementById("tokens");
  if (!container) return;
  const { tokens } = await ask("GET", "/api/tokens");
  const revoke = (id) => ask("DELETE", `/api/tokens/${encodeURIComponent(id)}`).then(showTokens);
  render(html`${tokens.map(({ id, label }) => html`<li key=${id}>${label} <button type="button" onClick=${() => revoke(id)}>Revoke</button></li>`)}`, container);
}

/** Show the user's ratings, or how to get one. */
async function showRatings() {
  const container = document.getElementById("ratings");
  if (!container) return;
  const { ratings } = await ask("GET", "/api/me/ratings");
  if (!ratings.length) {
    render(html`<h2>Your ratings</h2><p>No rating yet. <a href=${base + "/"}>Play a game</a> to the end without hints or undo to get one.</p>`, container);
    return;
  }
  const isOnly = (title) => ratings.filter((rating) => rating.title === title).length === 1;
  render(html`<h2>Your ratings</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Your ratings"><table>
      <thead><tr><th scope="col">Game</th><th scope="col" class="number">Rating</th><th scope="col" class="number">± 95 %</th><th scope="col" class="number">Games</th></tr></thead>
      <tbody>${ratings.map(({ game, title, points, margin, games }) => html`<tr key=${game}><th scope="row">${isOnly(title) ? title : `${title} (${game})`}</th><td class="number">${Math.round(points)}</td><td class="number">${Math.round(margin)}</td><td class="number">${games}</td></tr>`)}</tbody>
    </table></div>
    <p class="aside">These ratings compare you with people and computer players, over the games that you finished here without hints or undo. 1500 is average; 400 points more mean ten times the odds of winning.</p>`, container);
}

showInvitation();
showTokens();
showRatings();

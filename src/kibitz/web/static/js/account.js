// Forms that ask the server for one thing, and then show the page again; the tokens that programs have.
import { html, render } from "./html.js";
import { ask, base, listen } from "./server.js";
import "./page.js";

const WELCOME = /\/welcome\/([^/]+)$/;

/** The request body: FormData if the form has files, otherwise its non-empty fields. */
function body(form, method) {
  const fields = new FormData(form);
  if (form.querySelector("[type=file]")) return fields;
  const filled = Object.fromEntries([...fields].filter(([, value]) => value !== ""));
  const welcome = WELCOME.exec(location.pathname)?.[1];
  if (welcome && "welcome" in form.dataset) filled.welcome = welcome;
  return method === "DELETE" || !form.querySelector("[name]") ? undefined : filled;
}

for (const form of document.querySelectorAll("form[data-ask]")) {
  listen(form, async () => {
    const [method, path] = form.dataset.ask.split(" ");
    const errorLine = form.querySelector("[role=alert]");
    errorLine.textContent = "";
    try {
      const response = await ask(method, path, body(form, method));
      if ("token" in form.dataset) form.querySelector(".token").textContent = response.token;
      else if (WELCOME.test(location.pathname)) location.assign(`${base}/account`);
      else location.reload();
    } catch (refusal) {
      errorLine.textContent = refusal.message;
    }
    tokens();
  });
}

/** The tokens that there are, each with a button that ends it. */
async function tokens() {
  const container = document.getElementById("tokens");
  if (!container) return;
  const { tokens: known } = await ask("GET", "/api/tokens");
  const end = (id) => ask("DELETE", `/api/tokens/${encodeURIComponent(id)}`).then(tokens);
  render(html`${known.map(({ id, label }) => html`<li key=${id}>${label} <button type="button" onClick=${() => end(id)}>Revoke</button></li>`)}`, container);
}

/** The ratings, if there are any. */
async function ratings() {
  const container = document.getElementById("ratings");
  if (!container) return;
  const { ratings: known } = await ask("GET", "/api/me/ratings");
  if (!known.length) return;
  const isOnly = (title) => known.filter((one) => one.title === title).length === 1;
  render(html`<h2>Your ratings</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Your ratings"><table>
      <thead><tr><th scope="col">Game</th><th scope="col" class="number">Rating</th><th scope="col" class="number">± 95 %</th><th scope="col" class="number">Games</th></tr></thead>
      <tbody>${known.map(({ game, title, points, margin, games }) => html`<tr key=${game}><th scope="row">${isOnly(title) ? title : `${title} (${game})`}</th><td class="number">${Math.round(points)}</td><td class="number">${Math.round(margin)}</td><td class="number">${games}</td></tr>`)}</tbody>
    </table></div>
    <p class="aside">Among people and computer players, from games that you finished here without hints or undo. 1500 is average; 400 points more mean ten times the odds of winning.</p>`, container);
}

tokens();
ratings();

// The games that were finished in this browser: statistics, a list, and a file to take them elsewhere.
import { html, render, signal } from "./html.js";
import { exported, forgetAll, imported, played, statistics } from "./played.js";
import { base } from "./server.js";
import "./page.js";

const LARGEST = 5e6; // bytes of a file: a browser keeps no more
const AT_ONCE = 50;

const games = signal(played());
const message = signal({ text: "", kind: "" });
const shown = signal(AT_ONCE);

const day = (at) => new Date(at).toLocaleDateString([], { dateStyle: "short" });

/** Let the browser save the games as a file. */
function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([exported()], { type: "application/json" }));
  link.download = "kibitz-games.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Delete all games, if the reader means it. */
function forget() {
  if (confirm("Delete this list? The replays on the server stay.")) games.value = (forgetAll(), played());
}

/** Add the games of a file. */
async function load({ target }) {
  const [file] = target.files;
  if (!file) return;
  try {
    if (file.size > LARGEST) throw new Error("This file is larger than 5 MB: choose a file saved with Export.");
    const added = imported(await file.text());
    message.value = { text: added ? `${added} ${added === 1 ? "game" : "games"} imported.` : "All these games were already here.", kind: "" };
    games.value = played();
  } catch (refusal) {
    message.value = { text: refusal.message, kind: "refusal" };
  }
  target.value = "";
}

const Statistics = () => html`<h2>By game</h2>
  <div class="scroll" tabindex="0" role="region" aria-label="By game"><table>
    <thead><tr><th scope="col">Game</th><th scope="col" class="number">Won</th><th scope="col" class="number">Streak</th><th scope="col" class="number">Longest</th></tr></thead>
    <tbody>${statistics(games.value).map((one) => html`<tr key=${one.title}><th scope="row">${one.title}</th>
      <td class="number">${one.won} of ${one.played}</td><td class="number">${one.streak}</td><td class="number">${one.longest}</td></tr>`)}</tbody>
  </table></div>
  <p class="aside">A shared win counts as won. A streak is your current run of wins.</p>`;

const List = () => html`<h2>All games</h2>
  <div class="scroll" tabindex="0" role="region" aria-label="All games"><table>
    <thead><tr><th scope="col">Replay</th><th scope="col">Against</th><th scope="col">Result</th><th scope="col">Ended</th></tr></thead>
    <tbody>${games.value.slice(0, shown.value).map((one) => html`<tr key=${one.id}><td><a href=${`${base}/games/${one.id}`}>${one.title}</a></td><td>${one.opponents.join(", ")}</td><td>${one.result}</td><td><time dateTime=${new Date(one.at).toISOString()}>${day(one.at)}</time></td></tr>`)}</tbody>
  </table></div>
  ${games.value.length > shown.value && html`<p><button type="button" onClick=${() => (shown.value += AT_ONCE)}>Show more</button></p>`}`;

const Page = () => html`
  ${games.value.length > 0 ? html`<${Statistics} /><${List} />` : html`<p>No games yet. <a href=${base + "/"}>Games</a> that you finish are listed here.</p>`}
  <h2>Export and import</h2>
  ${games.value.length > 0 && html`<p><button type="button" onClick=${save}>Export</button> <button type="button" class="quiet" onClick=${forget}>Delete</button></p>`}
  <label class="field">Import a file saved with Export <input type="file" accept=".json,application/json" onChange=${load} /></label>
  <p class=${message.value.kind} role=${message.value.kind ? "alert" : "status"}>${message.value.text}</p>`;

render(html`<${Page} />`, document.getElementById("profile"));

// The games that were finished in this browser: statistics, a list, and a file to take them elsewhere.
import { html, render, signal } from "./html.js";
import { exportGames, forgetAll, importGames, played, statistics } from "./played.js";
import { base } from "./server.js";
import "./page.js";

const LARGEST = 5e6; // bytes of a file: browsers store no more
const PAGE_SIZE = 50; // games shown at first, and with each press of "Show more"

const games = signal(played());
const message = signal({ text: "", kind: "" });
const shownCount = signal(PAGE_SIZE);

const day = (at) => new Date(at).toLocaleDateString([], { dateStyle: "short" });

/** Let the browser save the games as a file. */
function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([exportGames()], { type: "application/json" }));
  link.download = "kibitz-games.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Delete all games, if the user confirms it. */
function forget() {
  if (confirm("Delete this list? The replays on the server stay.")) games.value = (forgetAll(), played());
}

/** Add the games of a file. */
async function load({ target }) {
  const [file] = target.files;
  if (!file) return;
  try {
    if (file.size > LARGEST) throw new Error("This file is larger than 5 MB: choose a file saved with Export.");
    const added = importGames(await file.text());
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
    <tbody>${statistics(games.value).map(({ title, won, played, streak, longest }) => html`<tr key=${title}><th scope="row">${title}</th>
      <td class="number">${won} of ${played}</td><td class="number">${streak}</td><td class="number">${longest}</td></tr>`)}</tbody>
  </table></div>
  <p class="aside">A shared win counts as won. A streak is your current run of wins.</p>`;

const List = () => html`<h2>All games</h2>
  <div class="scroll" tabindex="0" role="region" aria-label="All games"><table>
    <thead><tr><th scope="col">Replay</th><th scope="col">Against</th><th scope="col">Result</th><th scope="col">Ended</th></tr></thead>
    <tbody>${games.value.slice(0, shownCount.value).map((game) => html`<tr key=${game.id}><td><a href=${`${base}/games/${game.id}`}>${game.title}</a></td><td>${game.opponents.join(", ")}</td><td>${game.result}</td><td><time dateTime=${new Date(game.at).toISOString()}>${day(game.at)}</time></td></tr>`)}</tbody>
  </table></div>
  ${games.value.length > shownCount.value && html`<p><button type="button" onClick=${() => (shownCount.value += PAGE_SIZE)}>Show more</button></p>`}`;

const Page = () => html`
  ${games.value.length > 0 ? html`<${Statistics} /><${List} />` : html`<p>No games yet. <a href=${base + "/"}>Games</a> that you finish are listed here.</p>`}
  <h2>Export and import</h2>
  ${games.value.length > 0 && html`<p><button type="button" onClick=${save}>Export</button> <button type="button" class="quiet" onClick=${forget}>Delete</button></p>`}
  <label class="field">Import a file saved with Export <input type="file" accept=".json,application/json" onChange=${load} /></label>
  <p class=${message.value.kind} role=${message.value.kind ? "alert" : "status"}>${message.value.text}</p>`;

render(html`<${Page} />`, document.getElementById("profile"));

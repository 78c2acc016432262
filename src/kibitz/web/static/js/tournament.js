// A tournament's page: its ranking, refreshed as games end; matches in progress; and jobs started here.
import { html, render } from "./html.js";
import { ask, base, listen } from "./server.js";
import { follow, Progress, Proofs } from "./job.js";
import "./account.js";

const POLL_EVERY = 5000;
const { tournament, matches } = document.querySelector("[data-matches]").dataset;
const path = `/api/arena/${encodeURIComponent(tournament)}`;
const soFar = document.querySelector("[data-so-far]");
const live = document.getElementById("live");
const container = document.getElementById("job");
let isBusy = false; // whether a job that was started here is running: the page is reloaded after its end

/** The progress of the latest round, the matches in progress, and the latest matches. */
function Live({ state }) {
  if (!state.round) return html`<p>Nothing has been played yet.</p>`;
  const going = state.going.map((match) => html`<li key=${match.match}><a href=${match.path}>Match ${match.match}</a>: ${match.players.join(", ")}, ${match.steps} moves so far</li>`);
  return html`<p>${state.running ? `Round ${state.round}: ${state.done} of ${state.of} deals played.` : `Round ${state.round} is complete (${state.of} ${state.of === 1 ? "deal" : "deals"}).`}</p>
    <p><a class="button" href=${`${base}/arena/${encodeURIComponent(tournament)}/watch`}>Watch move by move</a></p>
    ${going.length > 0 && html`<h3>In progress</h3><ul class="latest">${going}</ul><h3>Finished</h3>`}
    <ul class="latest">${state.matches.map((match) => html`<li key=${match.match}><a href=${match.path}>Match ${match.match}</a>: ${match.players.map((player, seat) => `${player} ${match.scores[seat]}`).join(", ")}</li>`)}</ul>`;
}

/** Show the latest matches; reload the page for a new ranking once a round is complete. */
async function refresh() {
  if (document.hidden) return;
  const state = await ask("GET", `${path}/live`);
  render(html`<${Live} state=${state} />`, live);
  soFar.textContent = state.so_far;
  if (isBusy || document.activeElement?.closest("form") || state.running) return;
  const { matches: played } = await ask("GET", path);
  if (String(played) !== matches) location.reload();
}
const poll = () => refresh().catch(() => {}); // the next poll tries again
poll();
setInterval(poll, POLL_EVERY);

/** Start a job and poll it; `then(answer, work)` is called with the first answer and the job's last state once it is done. */
async function startJob(form, method, where, body, then) {
  const errorLine = form.querySelector("[role=alert]");
  const button = form.querySelector("button:not([type=button])");
  errorLine.textContent = "";
  button.disabled = isBusy = true;
  container.scrollIntoView({ block: "center" });
  try {
    const answer = await ask(method, where, body);
    const lastState = await follow(answer.job?.path ? answer.job : answer, (work) => render(html`<${Progress} work=${work} /><${Proofs} proofs=${work.proofs} />`, container));
    if (lastState.state === "done") then(answer, lastState);
  } catch (refusal) {
    errorLine.textContent = refusal.message;
  }
  button.disabled = isBusy = false;
}

/** The numbers in a form's fields, without empty fields. */
const numbers = (form) => Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== "").map(([name, value]) => [name, Number(value)]));

for (const form of document.querySelectorAll("[data-work]")) {
  const [method, where] = form.dataset.work.split(" ");
  const fields = () => (form.querySelector("[type=file]") ? new FormData(form) : numbers(form));
  listen(form, () => startJob(form, method, where, fields(), (_, work) => work.proofs.length || work.file || location.reload()));
}

const custom = document.querySelector("[data-custom]");
if (custom) {
  listen(custom, () => {
    const fields = new FormData(custom);
    const body = { players: fields.getAll("players"), deals: Number(fields.get("deals")) };
    startJob(custom, "POST", `${path}/custom`, body, (answer) => location.assign(`${base}/arena/${encodeURIComponent(answer.tournament)}`));
  });
}

/** The control for one seat of a table that the user wants to watch. */
function Seat({ seat, players, computers }) {
  return html`<label>Seat ${seat + 1} <select name="seat">
    ${players.map((player, index) => html`<option value=${JSON.stringify({ kind: "file", tournament, player })} selected=${index === seat}>${player}</option>`)}
    <optgroup label="Computer players">${computers.map((player, index) => html`<option value=${JSON.stringify({ kind: "computer", player })} selected=${seat >= players.length && index === computers.length - 1}>${player}</option>`)}</optgroup>
  </select></label>`;
}

const watch = document.querySelector("[data-watch]");
if (watch) {
  ask("GET", path).then(({ lines, computers }) => {
    const players = lines.filter((line) => !line.out && !line.built_in).map((line) => line.player);
    const seats = Array.from({ length: Number(watch.dataset.seats) }, (_, seat) => seat);
    render(html`${seats.map((seat) => html`<${Seat} key=${seat} seat=${seat} players=${players} computers=${computers} />`)}`, watch.querySelector(".seats"));
  }, () => {});
  listen(watch, async () => {
    const errorLine = watch.querySelector("[role=alert]");
    errorLine.textContent = "";
    try {
      const chairs = new FormData(watch).getAll("seat").map((seat) => JSON.parse(seat));
      const table = await ask("POST", "/api/tables", { game: watch.dataset.game, chairs, settings: { open_hands: true, watching: "listed" } });
      location.assign(table.path);
    } catch (refusal) {
      errorLine.textContent = refusal.message;
    }
  });
}

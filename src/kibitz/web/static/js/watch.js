// Matches of a tournament as they are played: each move at a pace that people can follow, then the next match.
//
//   going    the matches that a runner is still playing: their moves are shown as they are made
//   matches  the latest finished matches, the newest first, shown from their records: most matches end in a moment
import { html, render, pageData, signal, useEffect } from "./html.js";
import { ask, base } from "./server.js";
import { Stage, GameLog } from "./stage.js";
import { Summary } from "./summary.js";
import "./page.js";

const POLL_EVERY = 1000;
const PAUSE = 900; // milliseconds for which a move is shown
const READING = 4; // how many times longer a move is shown if a hand or round has ended
const RESULT_PAUSE = 4000; // milliseconds for which a result is shown
const TIMEOUT = 15000; // milliseconds without news after which the next match is shown
const MAX_STEPS = 100; // steps that are fetched at once
const AHEAD = 20; // steps that are fetched before they are shown
const BEFORE = 12; // steps before the current one in the log
const SPEEDS = [0.5, 1, 2, 4, 8];

const { tournament, family, ...first } = pageData();
const path = `/api/arena/${encodeURIComponent(tournament)}`;
const live = signal(first);
const match = signal(Number(location.hash.slice(1)) || 0);
const latest = signal(null); // the latest answer on the match, without its steps
const steps = signal(new Map());
const step = signal(0);
const view = signal("spectator");
const speed = signal(1);
const running = signal(true);
const error = signal("");
const seen = new Set();
let lastNews = Date.now(); // when there was last news of this match, or a new move was shown

/** Show a match from its first move, or a match in progress from its current move. */
function showMatch(number) {
  seen.add(number);
  steps.value = new Map();
  latest.value = null;
  step.value = live.value.going.find((each) => each.match === number)?.steps ?? 0;
  match.value = number;
  lastNews = Date.now();
  history.replaceState(null, "", `#${number}`);
}

/** The number of the match to show next: a match in progress, or else the newest that hasn't been shown; 0 if none. */
function nextMatch() {
  const { going, matches } = live.value;
  return [...going, ...matches].find((each) => !seen.has(each.match))?.match ?? 0;
}

/** Fetch the next steps of the match. */
async function fetchSteps() {
  const number = match.value;
  if (!number) return;
  const viewer = view.value;
  const last = latest.value?.last ?? Infinity;
  if (latest.value?.over && steps.value.has(Math.min(step.value + AHEAD, last))) return;
  let from = latest.value ? step.value : Math.max(0, step.value - BEFORE);
  while (steps.value.has(from) && from < last) from += 1;
  try {
    const answer = await ask("GET", `${path}/matches/${number}?view=${viewer}&from=${from}&count=${MAX_STEPS}`);
    if (number !== match.value || viewer !== view.value) return;
    if (latest.value && answer.last < latest.value.last) steps.value = new Map(); // the match was started again
    if (answer.last > (latest.value?.last ?? -1)) lastNews = Date.now();
    if (step.value > answer.last) step.value = answer.last;
    steps.value = new Map([...steps.value, ...answer.steps.map((each) => [each.step, each])]);
    latest.value = answer;
    error.value = "";
  } catch (refusal) {
    error.value = latest.value ? "" : refusal.message; // no error: a match is missing between its last move and its record
  }
}

async function refresh() {
  if (document.hidden) return;
  try {
    live.value = await ask("GET", `${path}/live`);
  } catch (refusal) {
    error.value = refusal.message;
  }
  const isWaiting = latest.value && !latest.value.over && step.value >= latest.value.last;
  if (!match.value || (isWaiting && Date.now() - lastNews > TIMEOUT)) {
    const number = nextMatch();
    if (number) showMatch(number);
  }
  await fetchSteps();
}

/** Show the next move, or the next match. */
function advance() {
  if (!latest.value) return;
  if (steps.value.has(step.value + 1)) {
    step.value += 1;
    lastNews = Date.now();
  } else if (step.value < latest.value.last) {
    fetchSteps();
  } else if (latest.value.over && Date.now() - lastNews > RESULT_PAUSE / speed.value) {
    const number = nextMatch();
    if (number) showMatch(number), fetchSteps();
  }
}

function setView(viewer) {
  view.value = viewer;
  steps.value = new Map();
  const currentStep = step.value;
  latest.value = null;
  fetchSteps().then(() => (step.value = Math.min(currentStep, latest.value?.last ?? currentStep)));
}

const showNext = () => (showMatch(nextMatch() || match.value), fetchSteps());
const toTheEnd = () => latest.value && ((step.value = latest.value.last), fetchSteps());

/** The state of the match, in a sentence. */
function matchStatus() {
  if (!match.value) return live.value.round ? "No match has been played in this round yet." : "Nothing has been played yet.";
  if (!latest.value) return `Match ${match.value}.`;
  if (latest.value.over && step.value >= latest.value.last) return `Match ${match.value} is over. ${latest.value.result}`;
  if (latest.value.over) return `Match ${match.value} is already over; this is its replay.`;
  return `Match ${match.value} is being played now.`;
}

function Controls() {
  return html`<div class="controls"><div class="buttons">
    <button type="button" aria-label=${running.value ? "Pause" : "Play"} onClick=${() => (running.value = !running.value)}>${running.value ? "❚❚" : "▶"}</button>
    <button type="button" aria-label="Latest move" onClick=${toTheEnd}>›|</button>
    <output>${step.value} of ${latest.value?.last ?? 0}</output>
    <label>Speed <select value=${speed.value} onChange=${(event) => (speed.value = Number(event.target.value))}>${SPEEDS.map((each) => html`<option value=${each} selected=${each === speed.value}>${each}×</option>`)}</select></label>
    <label>View <select value=${view.value} onChange=${(event) => setView(event.target.value)}>
      <option value="spectator" selected=${view.value === "spectator"}>spectators</option><option value="open" selected=${view.value === "open"}>all hands</option>
    </select></label>
    <button type="button" class="later" disabled=${!nextMatch()} onClick=${showNext}>Next match</button>
  </div></div>`;
}

/** The matches that can be shown, as links. */
function Matches() {
  const { round, done, of, going, matches } = live.value;
  const link = ({ match: number, players, scores }) => html`<li key=${number}><a href=${`#${number}`} aria-current=${number === match.value ? "true" : null}>Match ${number}</a>: ${players.map((player, seat) => (scores ? `${player} ${scores[seat]}` : player)).join(", ")}</li>`;
  return html`<section><h2>Matches</h2>
    ${round > 0 && html`<p class="aside">Round ${round}: ${done} of ${of} deals played.</p>`}
    ${going.length > 0 && html`<h3>In progress</h3><ul class="latest">${going.map(link)}</ul>`}
    ${matches.length > 0 && html`<h3>Finished</h3><ul class="latest">${matches.map(link)}</ul>`}
    ${latest.value?.over && html`<p><a class="button" href=${`${base}/games/${encodeURIComponent(`${tournament}.${match.value}`)}`}>Replay and record</a></p>`}
  </section>`;
}

function Page() {
  const summary = steps.value.get(step.value)?.summary;
  useEffect(() => {
    if (!running.value) return undefined;
    const timer = setInterval(advance, ((summary ? READING : 1) * PAUSE) / speed.value);
    return () => clearInterval(timer);
  }, [running.value, speed.value, summary]);
  const lines = [];
  for (let number = Math.max(0, step.value - BEFORE); number <= step.value; number += 1) {
    for (const text of steps.value.get(number)?.sentences ?? []) lines.push({ text, number });
  }
  const over = latest.value?.over && step.value === latest.value.last;
  return html`<div class="replay">
    <div class="stage"><p class="standing" role="status">${matchStatus()}</p>
      <${Stage} position=${steps.value.get(step.value)} names=${latest.value?.names ?? []} family=${family} winners=${over ? latest.value.winners : []} placeholder=${match.value ? "Loading the match ..." : "The next match will be shown here."} />
      <${Controls} /><p class="refusal" role="alert">${error.value}</p></div>
    <div class="beside">${summary && html`<div class="felt"><${Summary} key=${step.value} summary=${summary} /></div>`}<${GameLog} lines=${lines} now=${step.value} /><${Matches} /></div>
  </div>`;
}

addEventListener("hashchange", () => {
  const number = Number(location.hash.slice(1));
  if (number && number !== match.value) showMatch(number), fetchSteps();
});
if (match.value) showMatch(match.value);
else if (nextMatch()) showMatch(nextMatch());
render(html`<${Page} />`, document.getElementById("watch"));
fetchSteps();
setInterval(refresh, POLL_EVERY);

// The replay of a finished game: the table after every choice, as any seat saw it or with open hands.
//
//   step     how many choices have been made; the page's address ends in it (#12), so that a link can lead to a moment
//   view     "open" for all hands, "spectator", or a seat's number
import { Favourite } from "./favourite.js";
import { html, render, pageData, signal, useEffect, useState } from "./html.js";
import { listed } from "./listing.js";
import { ask, base } from "./server.js";
import { pictureOf } from "./picture.js";
import { Review, startReview, Verdict } from "./review.js";
import { Stage, GameLog } from "./stage.js";
import { Summary } from "./summary.js";
import { PlayerCalls } from "./player_calls.js";
import "./page.js";

const CHUNK = 40; // steps that are fetched at once
const SPEEDS = [0.5, 1, 2, 4, 8];
const PAUSE = 1200; // milliseconds for which a step is shown
const READING = 4; // how many times longer a step is shown if a hand or round has ended
const BEFORE = 12; // steps before the current one in the log

const game = pageData();
const last = game.steps;
const step = signal(0);
const view = signal("open");
const running = signal(false);
const speed = signal(1);
const loaded = signal(new Map());
const error = signal("");
const pending = new Set();

const id = encodeURIComponent(game.id);
const keyOf = (number) => `${view.value}/${number}`;
const at = (number) => loaded.value.get(keyOf(number));

/** Fetch the steps around a step, unless they have been fetched. */
async function load(number) {
  const from = Math.floor(number / CHUNK) * CHUNK;
  const chunk = keyOf(from);
  if (number < 0 || number > last || at(number) || pending.has(chunk)) return;
  pending.add(chunk);
  const viewer = view.value;
  try {
    const { steps } = await ask("GET", `/api/played/${id}/steps?view=${viewer}&from=${from}&count=${CHUNK}`);
    loaded.value = new Map([...loaded.value, ...steps.map((each) => [`${viewer}/${each.step}`, each])]);
    error.value = "";
  } catch (refusal) {
    error.value = refusal.message;
    running.value = false;
  }
  pending.delete(chunk);
}

/** The step that the end of an address names, such as "#12", or "#end" or "#review" for the last step. */
const stepIn = (hash) => (hash === "#end" || hash === "#review" ? last : Number(hash.slice(1)) || 0);

/** Go to a step. */
function go(number) {
  step.value = Math.max(0, Math.min(last, number));
  history.replaceState(null, "", `#${step.value}`);
  load(step.value);
  load(step.value + CHUNK / 2);
  if (step.value === last) running.value = false;
}

/** Go to a step that is named further down the page, and scroll the table into view. */
function show(number) {
  go(number);
  document.querySelector(".stage .felt")?.scrollIntoView({ block: "nearest" });
}

const moments = game.moments.map((moment) => moment.step);
const nextMoment = () => go(moments.find((each) => each > step.value) ?? last);
const previousMoment = () => go(moments.filter((each) => each < step.value).at(-1) ?? 0);
const changeSpeed = (by) => (speed.value = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(speed.value) + by))]);
const playOrPause = () => {
  if (step.value === last) go(0);
  running.value = !running.value;
};

function setView(viewer) {
  view.value = viewer;
  load(step.value);
}

const views = ["open", "spectator", ...game.names.map((_, seat) => String(seat))];
const KEYS = {
  ArrowLeft: () => go(step.value - 1),
  ArrowRight: () => go(step.value + 1),
  Home: () => go(0),
  End: () => go(last),
  " ": playOrPause,
  n: nextMoment,
  p: previousMoment,
  "+": () => changeSpeed(1),
  "-": () => changeSpeed(-1),
  v: () => setView(views[(views.indexOf(view.value) + 1) % views.length]),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input:not([type=range]), select, textarea")) return;
  if (event.key === " " && event.target.closest("button, a, summary")) return;
  const action = KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
addEventListener("hashchange", () => show(stepIn(location.hash)));

/** The table at a step. */
const Table = () =>
  html`<${Stage} position=${at(step.value)} names=${game.names} family=${game.family} winners=${step.value === last ? game.outcome.winners : []} placeholder=${error.value || "Loading the game ..."} />`;

/** The controls for moving through the game. */
function Controls() {
  const button = (label, sign, action) => html`<button type="button" aria-label=${label} onClick=${action}>${sign}</button>`;
  return html`<div class="controls">
    <input type="range" min="0" max=${last} value=${step.value} aria-label="Step" aria-valuetext=${`Step ${step.value} of ${last}`} onInput=${(event) => go(Number(event.target.value))} />
    <div class="buttons">
      ${button("First step", "|‹", () => go(0))} ${button("Previous key moment", "«", previousMoment)} ${button("Previous step", "‹", () => go(step.value - 1))}
      ${button(running.value ? "Pause" : "Play", running.value ? "❚❚" : "▶", playOrPause)}
      ${button("Next step", "›", () => go(step.value + 1))} ${button("Next key moment", "»", nextMoment)} ${button("Last step", "›|", () => go(last))}
      <output>${step.value} of ${last}</output>
      <label>Speed <select value=${speed.value} onChange=${(event) => (speed.value = Number(event.target.value))}>${SPEEDS.map((each) => html`<option value=${each} selected=${each === speed.value}>${each}×</option>`)}</select></label>
      <label>View <select value=${view.value} onChange=${(event) => setView(event.target.value)}>
        ${views.map((each) => html`<option value=${each} selected=${each === view.value}>${{ open: "all hands", spectator: "spectators" }[each] ?? game.names[each]}</option>`)}
      </select></label>
    </div>
  </div>`;
}

/** The log up to the current step, with the notes on this step. */
function StepLog() {
  const lines = [];
  for (let number = Math.max(0, step.value - BEFORE); number <= step.value; number += 1) {
    for (const text of at(number)?.sentences ?? []) lines.push({ text, number });
  }
  const notes = game.notes.filter((note) => note.step === step.value);
  return html`<${GameLog} lines=${lines} now=${step.value}>${notes.map((note) => html`<li><em>${note.text}</em></li>`)}<//>`;
}

const Moments = () =>
  game.moments.length > 0 &&
  html`<section><h2>Key moments</h2><ol class="moments">${game.moments.map(
    (moment) => html`<li><a href=${`#${moment.step}`} aria-current=${moment.step === step.value ? "step" : null}>${moment.text}</a></li>`,
  )}</ol></section>`;

/** The second line of a picture: the result, or before the end who plays. */
const caption = () => (step.value === last ? game.result : `${listed(game.names)}, step ${step.value} of ${last}`);

/** What the user can do from this step: play on against computer players, copy a link to it, or save a picture. */
function FromHere() {
  const [seat, setSeat] = useState(null);
  const [level, setLevel] = useState(game.levels[0]);
  const [message, setMessage] = useState("");
  const chosen = seat ?? (view.value in game.names ? Number(view.value) : Math.max(0, at(step.value + 1)?.seat ?? 0));
  const playOn = () =>
    ask("POST", `/api/played/${id}/table`, { step: step.value, seat: chosen, level }).then(
      ({ path }) => location.assign(path),
      (refusal) => setMessage(refusal.message),
    );
  const copy = () =>
    navigator.clipboard.writeText(location.href).then(
      () => setMessage("Link copied."),
      () => setMessage(`Copy this address: ${location.href}`),
    );
  const save = async () => {
    const link = document.createElement("a");
    try {
      link.href = URL.createObjectURL(await pictureOf(document.querySelector(".replay .felt"), `${game.title} · Kibitz`, caption()));
      link.download = `kibitz-${game.id}-${step.value}.png`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch {
      setMessage("This browser can't make a picture of the table.");
    }
  };
  const isOver = step.value === last;
  return html`<section class="from-here"><h2>From here</h2>
    ${isOver ? html`<p>The game is over here. To play on, go back at least one step.</p>` : html`<p><label>Play as <select value=${chosen} onChange=${(event) => setSeat(Number(event.target.value))}>${game.names.map((name, each) => html`<option value=${each} selected=${each === chosen}>${name}</option>`)}</select></label>
      <label>against <select value=${level} onChange=${(event) => setLevel(event.target.value)}>${game.levels.map((each) => html`<option value=${each} selected=${each === level}>${each}</option>`)}</select></label></p>`}
    <p>${!isOver && html`<button type="button" onClick=${playOn}>Play on from step ${step.value}</button>`}
      <button type="button" class="quiet" onClick=${copy}>Copy a link to this moment</button>
      <button type="button" class="quiet" onClick=${save}>Save a picture</button></p>
    <p role="status">${message}</p>
  </section>`;
}

/** The result, the seed with its commitment, and the record. */
function Deal() {
  const [verdict, setVerdict] = useState(null);
  const verify = () => {
    setVerdict({ sentence: "Replaying the game ..." });
    ask("POST", `/api/played/${id}/verify`, {}).then(setVerdict, (refusal) => setVerdict({ sentence: refusal.message }));
  };
  const { names, outcome } = game;
  return html`<section><h2>The result</h2>
    <p>${outcome.reason}</p>
    <table><thead><tr><th scope="col">Player</th><th scope="col" class="number">${outcome.counted}</th></tr></thead>
      <tbody>${names.map((name, seat) => html`<tr><td>${name}${outcome.winners.includes(seat) ? " ♛" : ""}</td><td class="number">${outcome.losses ? 0 - outcome.scores[seat] : outcome.scores[seat]}</td></tr>`)}</tbody></table>
    <h2>The deal</h2>
    <p>${game.kinds.includes("record") ? "This game was uploaded as a record. Its seed determines every card." : "Every player was given the SHA-256 of the seed before the first card was dealt. The seed determines every card."}</p>
    <dl class="seed"><dt>Seed</dt><dd><code>${game.seed}</code></dd><dt>SHA-256</dt><dd><code>${game.commitment}</code></dd></dl>
    <p><button type="button" onClick=${verify}>Verify</button></p>
    <p role="status" class=${verdict && verdict.true === false ? "refusal" : ""}>${verdict?.sentence ?? ""}</p>
    <p><a class="button" href=${`${base}/api/played/${id}/record.game`} download>Download the record</a>
      ${game.phh && html` <a class="button" href=${`${base}/api/played/${id}/record.phh`} download>Download the hand history (PHH)</a>`}
      ${game.favourite !== null && html` <${Favourite} id=${game.id} title=${game.title} marked=${game.favourite} text=" Favourite" />`}</p>
  </section>`;
}

function Page() {
  const summary = at(step.value)?.summary;
  useEffect(() => {
    if (!running.value) return undefined;
    const timer = setTimeout(() => at(step.value + 1) && go(step.value + 1), ((summary ? READING : 1) * PAUSE) / speed.value);
    return () => clearTimeout(timer);
  }, [running.value, speed.value, step.value, loaded.value]);
  return html`<div class="replay">
    <div class="stage"><${Table} /><${Controls} /><${Verdict} step=${step.value} names=${game.names} /><p class="refusal" role="alert">${error.value}</p>
      <${FromHere} /><div id="review"><${Review} id=${id} names=${game.names} kinds=${game.kinds} last=${last} step=${step.value} go=${show} /></div></div>
    <div class="beside">${summary && html`<div class="felt"><${Summary} key=${step.value} summary=${summary} /></div>`}<${StepLog} /><${PlayerCalls} id=${game.id} step=${step.value} names=${game.names} go=${show} /><${Moments} /><${Deal} /></div>
  </div>
  <p class="aside">Keys: ← and → go one step, Home and End go to the first and last step, Space plays or pauses, n and p go to the next and previous key moment, + and − change the speed, v changes the view.</p>`;
}

const isReview = location.hash === "#review";
go(stepIn(location.hash));
render(html`<${Page} />`, document.getElementById("replay"));
if (isReview) {
  startReview(id);
  document.getElementById("review").scrollIntoView();
}

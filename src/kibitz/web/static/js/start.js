// The start page: choose a game, then set up its table in a dialog.  With the default settings, this takes two clicks.
import { html, render, useEffect, useRef, useState } from "./html.js";
import { ask, base } from "./server.js";
import { levels } from "./levels.js";
import { listed } from "./listing.js";
import { store, stored } from "./preferences.js";
import { Dialog, Rules, TIME_IS_UP } from "./menu.js";
import { moveTo } from "./page.js";

const POLL_EVERY = 5000;
const MAX_SHOWN = 3; // of the user's own tables; the others are shown by a click on "more"

const HIDDEN = "hidden"; // the storage key of the ids of own tables that the user has hidden
const MAX_HIDDEN = 50;

let shownTables = "[]"; // JSON of the tables in the lobby
let catalogue = null; // all games with their options, loaded on first use
const dialogContainer = document.getElementById("setup");
const close = () => render(null, dialogContainer);

/** The body of the request for a table; computer players are named after their levels. */
function tableRequest({ game, name, options, opponent, seats, settings }) {
  const changed = Object.fromEntries(game.options.filter(({ name, value }) => options[name] !== value).map(({ name }) => [name, options[name]]));
  const computer = opponent ? { kind: "computer", player: opponent } : { kind: "computer" };
  const withLevelName = (seat) => ({ ...seat, name: levels(game).find(({ name }) => name === seat.player)?.level });
  const seatHolder = (seat) => (seat.kind === "same" ? computer : seat.kind === "open" ? { ...computer, kind: "open" } : seat);
  const chairs = seats.map(seatHolder).map((seat) => (["computer", "open"].includes(seat.kind) ? withLevelName(seat) : seat));
  return { game: game.name, options: changed, chairs, settings, name };
}

/** How many seats the table has. */
const seatCount = (game, options) => options.players ?? game.seats;

/** The holders of `count` seats: those of `seats`, then computer players; seat 0 is the user's if `seats` is empty. */
const seatsFor = (count, seats) => Array.from({ length: count }, (_, number) => seats[number] ?? { kind: number ? "same" : "me" });

/** The seats after opening some for friends, from the first computer player on; unchanged if there are open seats. */
function invite(seats, friends) {
  let left = seats.some((seat) => seat.kind === "open") ? 0 : friends;
  return seats.map((seat) => (seat.kind !== "me" && left-- > 0 ? { kind: "open" } : seat));
}

/** The ways to play with people: the text of the button, a sentence for the dialog, the path of the request, and a
 *  function that gives the seats. */
const WITH_PEOPLE = {
  friend: { button: "Get the link", sentence: "Only people with the link can sit down. The table is not listed.", path: "/api/tables", seats: invite },
  quick: {
    button: "Find a table",
    sentence: "You join people who are waiting for this game, or wait for them at a table that is listed on this page.",
    path: "/api/tables/quick",
    seats: (seats) => seats.map((_, number) => ({ kind: number ? "open" : "me" })),
  },
};

/** The control for one option. */
function Option({ option, value, set }) {
  const { asks: question, choices, parts, low, high, no_limit: endless } = option;
  const isOptional = option.value < low; // the default isn't a number in the range: an empty field
  if (parts.length) {
    return html`<fieldset><legend>${question}</legend>${parts.map((part, bit) => html`<p><label><input type="checkbox" checked=${Boolean(value & (1 << bit))}
      onChange=${() => set(value ^ (1 << bit))} /> ${part}</label></p>`)}</fieldset>`;
  }
  return html`<label class="option">${question}
    ${choices.length
      ? html`<select value=${value} onChange=${(event) => set(Number(event.target.value))}>
          ${choices.map((choice) => html`<option value=${choice.value} selected=${choice.value === value}>${choice.sentence}</option>`)}
        </select>`
      : html`<input type="number" min=${low} max=${endless ? null : high} value=${isOptional && value === option.value ? "" : value}
          placeholder=${option.sentence} required=${!isOptional} onInput=${({ target }) => (isOptional || target.value !== "") && set(target.value === "" ? option.value : Number(target.value))} />`}
  </label>`;
}

/** The control for who holds one seat; `entered` are the players of tournaments. */
function Seat({ number, seat, game, entered, set }) {
  const offered = levels(game);
  const others = game.computers.filter(({ name }) => !offered.some((each) => each.name === name));
  const value = JSON.stringify(seat);
  const holderOption = (holder, text) => html`<option value=${JSON.stringify(holder)} selected=${JSON.stringify(holder) === value}>${text}</option>`;
  return html`<label>Seat ${number + 1}
    <select onChange=${(event) => set(JSON.parse(event.target.value))}>
      ${holderOption({ kind: "me" }, "You")} ${holderOption({ kind: "open" }, "A person")} ${holderOption({ kind: "same" }, "The level chosen above")}
      <optgroup label="Computer players">${offered.map(({ name, level }) => holderOption({ kind: "computer", player: name }, level))}</optgroup>
      ${others.length > 0 && html`<optgroup label="Other computer players">${others.map(({ name, title, line }) => holderOption({ kind: "computer", player: name }, `${title}: ${line}`))}</optgroup>`}
      ${entered.map(({ tournament, players }) => html`<optgroup label=${`Players of ${tournament}`}>${players.map((player) => holderOption({ kind: "file", tournament, player }, player))}</optgroup>`)}
    </select>
  </label>`;
}

/** The players of this game's tournaments on this server: `{tournament, players}` for each tournament with players. */
async function enteredFor(game) {
  const { tournaments } = await ask("GET", "/api/arena");
  const ofGame = tournaments.filter((each) => each.game.split(":")[0] === game.name);
  const tables = await Promise.all(ofGame.map(({ name }) => ask("GET", `/api/arena/${encodeURIComponent(name)}`)));
  return tables.map(({ name, lines }) => ({ tournament: name, players: lines.filter((line) => !line.built_in).map((line) => line.player) })).filter((each) => each.players.length);
}

/** The computer player of the level that was last chosen for a family of games, else of the first level. */
function lastLevel(family, game) {
  const offered = levels(game);
  return (offered.find(({ level }) => level === stored(`level.${family.family}`)) ?? offered[0])?.name ?? "";
}

/** Show a new table in place of this page. Its data came with the answer to the request for it, so that this needs no
 *  second request; the elements are those of table.html. */
async function showTable({ table, path, page }) {
  const { layout } = document.querySelector(`.tile[data-family="${page.hello.family}"]`).dataset;
  const local = (name) => new URL(`../css/${name}.css`, import.meta.url).href;
  const sheets = [local("cards"), local("table"), layout].filter(Boolean).map((href) => Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
  const loaded = sheets.map((sheet) => new Promise((done) => (sheet.onload = sheet.onerror = done)));
  document.head.append(...sheets);
  await Promise.all(loaded);
  clearInterval(polling);
  close();
  document.querySelector("link[href$='/start.css']").remove();
  const main = Object.assign(document.createElement("main"), { id: "table", className: "page-table", tabIndex: -1 });
  main.dataset.table = table;
  const data = Object.assign(document.createElement("script"), { id: "data", type: "application/json", textContent: JSON.stringify(page) });
  document.documentElement.dataset.page = "table";
  document.body.replaceChildren(main, data);
  moveTo(path);
  scrollTo(0, 0);
  await import("./table.js");
  main.focus(); // so that screen readers notice the new page
}

/** The dialog that sets up a table. */
function Setup({ family }) {
  const [game, setGame] = useState(family.games[0]);
  const [options, setOptions] = useState(valuesOf(game));
  const [opponent, setOpponent] = useState(lastLevel(family, game));
  const [seats, setSeats] = useState(seatsFor(game.seats, []));
  const [settings, setSettings] = useState({});
  const [entered, setEntered] = useState([]);
  const [error, setError] = useState("");
  const [rules, setRules] = useState(false);
  const [friends, setFriends] = useState(1);
  const [mode, setMode] = useState(null); // one of `WITH_PEOPLE`, or null to play without other people
  const play = useRef(null);
  const called = useRef(null);
  useEffect(() => (called.current ?? play.current).focus(), [mode]);
  const choose = (name) => {
    const other = family.games.find((each) => each.name === name);
    setGame(other);
    setOptions(valuesOf(other));
    setSeats(seatsFor(other.seats, []));
    if (!levels(other).some((each) => each.name === opponent)) setOpponent(lastLevel(family, other));
  };
  const option = (name, value) => {
    const changed = { ...options, [name]: value };
    setOptions(changed);
    if (name === "players" && value >= game.least_seats && value <= game.most_seats) setSeats(seatsFor(seatCount(game, changed), seats).slice(0, seatCount(game, changed)));
  };
  const sit = (number, seat) => setSeats(seats.map((each, other) => (other === number ? seat : seat.kind === "me" && each.kind === "me" ? { kind: "same" } : each)));
  const start = async (event) => {
    event.preventDefault();
    setError("");
    const name = event.target.elements.called?.value.trim() || undefined;
    if (name) store("called", name);
    store(`level.${family.family}`, levels(game).find(({ name }) => name === opponent)?.level ?? "");
    try {
      const table = await ask("POST", mode?.path ?? "/api/tables", tableRequest({ game, name, options, opponent, settings: mode ? { ...settings, joining: undefined } : settings, seats: mode?.seats(seats, friends) ?? seats }));
      await showTable(table);
    } catch (refusal) {
      setError(refusal.message);
    }
  };
  const learn = async () => {
    const computer = { kind: "computer", player: levels(game)[0].name, name: "Easy" };
    const chairs = Array.from({ length: game.lesson.seats }, (_, number) => (number ? computer : { kind: "me" }));
    try {
      await showTable(await ask("POST", "/api/tables", { game: game.lesson.game, chairs, settings: { lesson: true } }));
    } catch (refusal) {
      setError(refusal.message);
    }
  };
  const more = (event) => event.target.open && enteredFor(game).then(setEntered, () => setEntered([]));
  const several = new Set(family.games.map(({ title }) => title)).size > 1; // then the choice of the game comes first
  const variants = family.games.length > 1 && html`<label class="option">${several ? "Game" : "Variant"} <select onChange=${(event) => choose(event.target.value)}>
    ${family.games.map(({ name, called, summary }) => html`<option value=${name} selected=${name === game.name}>${called}: ${summary}</option>`)}</select></label>`;
  if (rules) return html`<${Rules} game=${game.name} title=${game.title} close=${() => setRules(false)} />`;
  return html`<${Dialog} title=${game.title} close=${close}>
    <form onSubmit=${start}>
      ${several && variants}
      <p>${game.summary}</p>
      <fieldset class="strengths">
        <legend>Computer players</legend>
        ${levels(game).map(({ name, level, line }) => html`<label><input type="radio" name="opponent" value=${name} checked=${name === opponent} onChange=${() => setOpponent(name)} />
          <span><b>${level}</b><small>${line}</small></span></label>`)}
        ${game.notice && html`<p><small>${game.notice}</small></p>`}
      </fieldset>
      <p class="play"><span class="refusal" role="alert">${error}</span>${mode && html`<label>Your name <input name="called" required pattern=".*\\S.*" title="Not only spaces" maxlength="80" autocomplete="nickname" defaultValue=${stored("called") ?? ""} ref=${called} /></label>${mode === WITH_PEOPLE.friend && html`<${Friends} game=${game} seats=${seats} friends=${Math.min(friends, seats.length - 1)} set=${setFriends} />`}<small>${mode.sentence}</small>`}
        <button class="primary" ref=${play}>${mode?.button ?? "Play"}</button>${!mode && html`<button type="button" onClick=${() => setMode(WITH_PEOPLE.friend)}>Play with a friend</button><button type="button" onClick=${() => setMode(WITH_PEOPLE.quick)}>Quick match</button>`}${game.lesson && !mode && html`<button type="button" onClick=${learn}>Learn by playing</button>`}<button type="button" onClick=${() => setRules(true)}>Rules</button></p>
      <details onToggle=${more}>
        <summary>More: variants, options, who sits where</summary>
        ${!several && variants}
        ${game.options.filter((each) => !each.seldom).map((each) => html`<${Option} key=${game.name + each.name} option=${each} value=${options[each.name]} set=${(value) => option(each.name, value)} />`)}
        <fieldset class="seats"><legend>Who sits where</legend>
          ${seats.map((seat, number) => html`<${Seat} key=${number} number=${number} seat=${seat} game=${game} entered=${entered} set=${(other) => sit(number, other)} />`)}
        </fieldset>
        <${TableSettings} settings=${settings} set=${setSettings} open=${seats.some((seat) => seat.kind === "open")} watching=${!seats.some((seat) => seat.kind === "me" || seat.kind === "open")} />
        ${game.options.some((each) => each.seldom) && html`<details><summary>Less common options</summary>
          ${game.options.filter((each) => each.seldom).map((each) => html`<${Option} key=${game.name + each.name} option=${each} value=${options[each.name]} set=${(value) => option(each.name, value)} />`)}</details>`}
      </details>
    </form>
  <//>`;
}

/** The control for how many friends are invited, and a note on the other seats; nothing if seats are already open. */
function Friends({ game, seats, friends, set }) {
  if (seats.length < 3 || seats.some((seat) => seat.kind === "open")) return null;
  const left = seats.length - 1 - friends;
  const fewer = game.options.some(({ name }) => name === "players") ? " or play with fewer people" : "";
  return html`<label>Friends <select onChange=${(event) => set(Number(event.target.value))}>
      ${seats.slice(1).map((_, index) => html`<option value=${index + 1} selected=${index + 1 === friends}>${index + 1}</option>`)}
    </select></label>
    ${left > 0 && html`<small>Computer players take the other ${left === 1 ? "seat" : `${left} seats`}. Under ‘More’ you can change that${fewer}.</small>`}`;
}

/** The settings of the table. */
function TableSettings({ settings, set, open, watching }) {
  const choice = (name, question, values) => html`<label class="option">${question}<select onChange=${(event) => set({ ...settings, [name]: JSON.parse(event.target.value) })}>
    ${values.map(([value, words]) => html`<option value=${JSON.stringify(value)}>${words}</option>`)}</select></label>`;
  return html`<fieldset><legend>The table</legend>
    ${choice("pace", "How fast do computer players play?", [["usual", "At a normal pace."], ["faster", "As fast as possible."]])}
    ${choice("auto", "When you have only one choice:", [[true, "Play it for me."], [false, "Wait for me."]])}
    ${choice("bank", "Is there a clock?", [[0, "No clock."], [300, "5 minutes each."], [900, "15 minutes each."]])}
    ${settings.bank > 0 && choice("topup", "How much time does each move add?", [[0, "Nothing."], [5, "5 seconds."], [10, "10 seconds."], [30, "30 seconds."]])}
    ${settings.bank > 0 && html`<p><small>${TIME_IS_UP}</small></p>`}
    ${choice("watching", "Who can watch?", [["link", "Anyone with the link."], ["nobody", "Nobody."], ["listed", "Anyone: the table is listed."]])}
    ${open && choice("joining", "Who can take the open seats?", [["link", "Anyone with the link."], ["listed", "Anyone: the table is listed on the start page."]])}
    ${watching && choice("open_hands", "Show all hands? (only if every player is a computer)", [[false, "No."], [true, "Yes."]])}
  </fieldset>`;
}

const valuesOf = (game) => Object.fromEntries(game.options.map(({ name, value }) => [name, value]));

/** A table's title with the names of the others there. */
const described = ({ title, others }) => (others.length ? `${title} with ${others.join(", ")}` : `${title} (nobody else yet)`);
const address = (table) => `${base}/tables/${table.table}`;

/** The lobby: tables to resume, open tables, and tables that anyone can watch. */
function Lobby({ tables }) {
  const [hidden, setHidden] = useState((stored(HIDDEN) ?? "").split(" "));
  const hide = ({ table }) => {
    const all = [...hidden, table].slice(-MAX_HIDDEN);
    store(HIDDEN, all.join(" "));
    setHidden(all);
  };
  const own = tables.filter((each) => each.mine || each.seat >= 0);
  const mine = own.filter((each) => !hidden.includes(each.table));
  const waiting = tables.filter((each) => !own.includes(each) && each.open);
  const watched = tables.filter((each) => !own.includes(each) && !each.open);
  const link = (table) => html`<li key=${table.table}><a class="button" href=${address(table)}>${described(table)}</a>
    ${own.includes(table) && html`<button type="button" class="quiet" onClick=${() => hide(table)} aria-label=${`Hide ${described(table)}`}>✕</button>`}</li>`;
  return html`
    ${mine.length > 0 && html`<h2>Continue</h2><ul class="going">${mine.slice(0, MAX_SHOWN).map(link)}</ul>`}
    ${mine.length > MAX_SHOWN && html`<details class="more"><summary>${mine.length - MAX_SHOWN} more</summary><ul class="going">${mine.slice(MAX_SHOWN).map(link)}</ul></details>`}
    ${waiting.length > 0 && html`<h2>Open tables</h2><ul class="open-tables">${waiting.map((each) => html`<${OpenTable} key=${each.table} table=${each} />`)}</ul>`}
    ${watched.length > 0 && html`<h2>Watch</h2><ul class="going">${watched.map(link)}</ul>`}
  `;
}

/** A table where everybody may sit down: its game, who waits there, its computer players, and the number of free seats. */
const OpenTable = ({ table }) => html`<li>
  <span><b>${table.title}</b> <small>${table.people.length ? `${listed(table.people)} ${table.people.length === 1 ? "is" : "are"} waiting` : "Nobody is at this table yet"}</small></span>
  <small>${table.computers.length ? `Computer players: ${listed(table.computers)}` : "People only"} · ${table.open === 1 ? "1 seat free" : `${table.open} seats free`}</small>
  <a class="button primary" href=${address(table)} aria-label=${`Sit down: ${described(table)}`}>Sit down</a>
</li>`;

/** Refresh the list of tables. */
async function refreshTables() {
  const { tables } = await ask("GET", "/api/tables");
  const section = document.getElementById("going");
  const running = tables.filter((each) => !each.over);
  section.hidden = !running.length;
  if (JSON.stringify(running) !== shownTables) render(html`<${Lobby} tables=${running} />`, section);
  shownTables = JSON.stringify(running);
}

for (const tile of document.querySelectorAll(".tile")) {
  tile.addEventListener("click", async () => {
    const { layout } = tile.dataset;
    if (layout) document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href: layout })); // for the table
    try {
      catalogue ??= await ask("GET", "/api/games");
      const family = catalogue.families.find((each) => each.family === tile.dataset.family);
      render(html`<${Setup} key=${family.family} family=${family} />`, dialogContainer);
    } catch (refusal) {
      render(html`<p class="refusal" role="alert">${refusal.message}</p>`, dialogContainer);
    }
  });
  tile.disabled = false; // only now, because an earlier click would be lost
}
const poll = () => document.hidden || refreshTables().catch(() => {}); // if the list fails, tables can still be made
poll();
const polling = setInterval(poll, POLL_EVERY);

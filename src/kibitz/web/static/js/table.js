// The page of a table: the board, the unfinished choice, the log, and everything around a game.
import { effect, html, render, pageData, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { base } from "./server.js";
import { Board, OwnHands } from "./board.js";
import { Choice, Prompt } from "./choice.js";
import { listenToDrags } from "./drag.js";
import { Caption } from "./lesson.js";
import { Log, Chat } from "./log.js";
import { GamePanel, RemovePlayer, RulesInShort, Invitations, TakeSeat, RulesPanel, Settings } from "./menu.js";
import { listed } from "./listing.js";
import { preferences, lowScreen } from "./preferences.js";
import { Session } from "./session.js";
import { Next, Summary } from "./summary.js";
import { listen } from "./keys.js";
import { addFinished, played, statistics } from "./played.js";
import { places, travel } from "./travel.js";

const TICK = 1000;

/** Name, status and clock of every seat, for the board; the host may remove people with `remove(seat)`. */
function seatInfo({ hello, now, seat: me }, remove) {
  const { waiting = [], present = [], caretakers = [], out = [], outcome, clocks = [] } = now.value;
  return hello.value.chairs.map(({ name, kind }, seat) => ({
    name,
    you: seat === me,
    waited: waiting.includes(seat),
    out: out[seat],
    clock: time(clocks?.find((each) => each.seat === seat)?.bank),
    remove: hello.value.mine && hello.value.started && !outcome && kind === "person" && seat !== me && (() => remove(seat)),
    marks: [
      outcome?.winners.includes(seat) && winText(outcome.winners.length > 1, seat === me),
      out[seat] && "has forfeited",
      !out[seat] && caretakers[seat] && (seat === me ? "the computer is playing for you" : "computer plays"),
      kind === "open" && "not here yet",
      kind === "person" && present[seat] === false && seat !== me && !caretakers[seat] && "away",
      !outcome && waiting.includes(seat) && (seat === me ? "your turn" : kind === "person" ? "to move" : "thinking"),
    ].filter(Boolean),
  }));
}

/** The text beside a winner's name. */
const winText = (several, mine) => (several ? (mine ? "share the win" : "shares the win") : mine ? "win" : "wins");

const time = (seconds) => (seconds === undefined ? undefined : `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`);

/** The table, the choice and the hand; cards travel between them. */
function GameArea({ session, rules, remove, reading, close }) {
  const root = useRef(null);
  const previous = useRef(null);
  const { scene } = session.now.value;
  if (root.current && previous.current?.scene !== scene) previous.current = { scene, ...places(root.current) };
  useLayoutEffect(() => {
    if (previous.current) travel(root.current, previous.current);
  }, [scene]);
  useEffect(() => scrollToHighlights(root.current), [session.chosen.value, session.hint.value]);
  const { seat: me, controlOf } = session;
  const summary = session.summary.value;
  const { game, title, options } = session.hello.value;
  const panel = reading && html`<${RulesPanel} game=${game} title=${title} options=${game.includes(":") ? options : []} close=${close} />`;
  const caption = html`<${Caption} session=${session} />`;
  if (summary) {
    previous.current = null;
    return html`<div class="playing">
      <div class="felt"><${Summary} key=${summary} summary=${summary} /></div>
      ${lowScreen.value && caption}
      <div class="foot">${!lowScreen.value && caption}<${Next} session=${session} /></div>
      ${panel}
      <aside><${Log} session=${session} /><${Chat} session=${session} /></aside>
    </div>`;
  }
  return html`<div class="playing" data-over=${session.now.value.over ? "" : null} data-lesson=${session.hello.value.captions?.length ? "" : null} ref=${root}>
    <div class="felt" role="group" aria-label="Table" tabindex="0" onClick=${session.clickBeside}><${Board} scene=${scene} family=${session.hello.value.family} me=${me} who=${seatInfo(session, remove)} controlOf=${controlOf} /></div>
    ${lowScreen.value && !panel && caption}
    <div class="foot" data-family=${session.hello.value.family}>
      ${!lowScreen.value && caption}
      <${Result} session=${session} />
      <${Prompt} session=${session} />
      <${Choice} session=${session} />
      <${OwnHands} scene=${scene} family=${session.hello.value.family} me=${me} controlOf=${controlOf} order=${preferences.order.value} />
    </div>
    ${panel || html`<${RulesInShort} session=${session} rules=${rules} />`}
    <aside><${Log} session=${session} /><${Chat} session=${session} /></aside>
  </div>`;
}

/** Scroll the places of a hint into view, or else all targets of the chosen cards as far as they fit.  If the felt scrolls
 *  by itself, it is scrolled, otherwise the page. */
function scrollToHighlights(playing) {
  if (!playing) return;
  const all = (mark) => [...playing.querySelectorAll(`.felt [data-${mark}]`)];
  const hinted = all("hint");
  const places = (hinted.length ? hinted : all("target")).map((place) => place.getBoundingClientRect());
  if (!places.length) return;
  const [felt, foot, others] = [".felt", ".foot", ".others"].map((part) => playing.querySelector(part));
  const { top, bottom } = felt.getBoundingClientRect();
  const scrolls = getComputedStyle(felt).overflowY === "auto";
  const pinned = getComputedStyle(others).position === "sticky" ? others.offsetHeight : 0;
  const [visibleTop, visibleBottom] = scrolls ? [top, bottom] : [pinned, foot.getBoundingClientRect().top];
  const [highest, lowest] = [Math.min(...places.map((place) => place.top)), Math.max(...places.map((place) => place.bottom))];
  const distance = Math.max(lowest + 4 - visibleBottom, 0) || Math.min(highest - 4 - visibleTop, 0);
  (scrolls ? felt : window).scrollBy(0, Math.min(distance, highest - 4 - visibleTop));
}

/** The result of the game, and what the user can do next. */
function Result({ session }) {
  const { outcome } = session.now.value;
  if (!outcome) return null;
  const { names } = session.hello.value;
  const scores = outcome.scores.map((score) => (outcome.losses ? 0 - score : score));
  return html`<section class="over notice" aria-label="The end">
    <div role="status"><h2>${resultText(outcome, names, session.seat)}</h2> <p>${outcome.reason}</p></div>
    <p class="scores"><span>${outcome.counted}:</span> ${names.map((name, seat) => html`<span>${seat === session.seat ? "You" : name} <b>${signedScore(scores[seat], scores)}</b></span>`)}</p>
    <${Rematch} session=${session} />
    <p class="next">
      <a class="button" href=${outcome.path + "#end"}>Replay</a>
      ${session.seat >= 0 && html`<a class="button" href=${outcome.path + "#review"}>Review my play</a>`}
      <a class="button" href=${base + "/"}>Another game</a>
    </p>
    <${Tally} session=${session} />
    ${outcome.rated === false && session.account && !session.hello.value.settings.lesson && html`<p class="aside">Unrated. Games with hints or undo aren't rated, and some servers keep no ratings.</p>`}
  </section>`;
}

/** How often the user has won this game in this browser. */
function Tally({ session }) {
  const { title, settings } = session.hello.value;
  const tally = statistics(played()).find((each) => each.title === title);
  if (session.seat < 0 || settings.lesson || !tally || tally.played < 2) return null;
  const streak = tally.streak > 1 ? `, the last ${tally.streak} in a row` : "";
  return html`<p class="aside"><a href=${base + "/profile"}>You have won ${tally.won} of ${tally.played} games of ${title}${streak}.</a></p>`;
}

/** The state of a rematch, and the buttons to ask for it, accept it or decline it. */
function Rematch({ session }) {
  const rematch = session.rematch.value;
  const { names } = session.hello.value;
  const mine = session.seat >= 0;
  const canAccept = rematch && rematch.by !== names[session.seat];
  const declined = rematch?.declined.includes(names[session.seat]);
  const others = rematch?.declined.filter((name) => name !== names[session.seat]) ?? [];
  const sentences = rematch && [`${rematch.by} wants a rematch.`, declined && "You have declined.", others.length && `${listed(others)} ${others.length === 1 ? "has" : "have"} declined.`];
  return html`<p role="status">${sentences?.filter(Boolean).join(" ") ?? ""}</p>
    <p class="next">
      ${mine && html`<button type="button" class=${declined ? "" : "primary"} onClick=${() => session.askRematch()}>${declined ? "Accept after all" : canAccept ? "Accept" : session.hello.value.settings.lesson ? "Play on your own" : "Rematch"}</button>`}
      ${mine && canAccept && !declined && html`<button type="button" onClick=${() => session.ask("decline_rematch")}>Decline</button>`}
      ${!mine && rematch && html`<a class="button" href=${rematch.path}>Watch the rematch</a>`}
    </p>`;
}

/** A score, with a plus sign if it is positive and another score is below zero. */
const signedScore = (score, all) => (score > 0 && all.some((each) => each < 0) ? `+${score}` : `${score}`);

function resultText({ winners }, names, me) {
  if (winners.length === 1) return winners[0] === me ? "You win" : `${names[winners[0]]} wins`;
  return winners.length ? `${listed(winners.map((seat) => (seat === me ? "you" : names[seat])))} share the win`.replace(/^y/, "Y") : "Nobody wins";
}

/** The bar at the top: the game, the state of the connection, and the buttons for rules and settings. */
function TopBar({ session, rules, settings }) {
  const { title, options, chairs: seats } = session.hello.value;
  const { mine, over, waiting = [] } = session.now.value;
  const { state, sentence } = session.connection.value;
  const skip = !over && !mine && session.seat >= 0 && waiting.some((seat) => seats[seat].kind !== "person");
  return html`<header class="top">
    <a class="home" href=${base + "/"} aria-label="Kibitz, all games">♠</a>
    <${GamePanel} title=${title}><ul>${options.map((each) => html`<li>${each}</li>`)}${seats.filter(({ kind, line }) => kind === "computer" && line).map(({ name, line }) => html`<li><b>${name}:</b> ${line}</li>`)}</ul>
      <p class="aside">The deal was fixed before the first card was dealt. SHA-256 of its seed: <code>${session.hello.value.commitment}</code></p><//>
    ${state !== "open" && html`<p class="link-lost" role="alert">${sentence || "Connecting ..."}</p>`}
    <button type="button" class="quiet skip" aria-label="Skip to my turn" disabled=${!skip} onClick=${() => session.ask("pace", { pace: "skip" })}><span class="long">Skip to my turn</span><span class="brief">Skip</span></button>
    <button type="button" class="quiet" onClick=${rules} aria-label="Rules"><span class="long">Rules</span><span class="brief">?</span></button>
    <button type="button" class="quiet" onClick=${settings} aria-keyshortcuts="?" aria-label="Settings and keys">⚙</button>
  </header>`;
}

/** The whole page. */
function Page({ session, code, refused }) {
  const [shown, setShown] = useState("");
  const [removed, setRemoved] = useState(-1); // the seat of the person whom the host may remove
  const [, tick] = useState(0);
  useLayoutEffect(() => listen(session, () => document.querySelector(".playing"), { help: () => setShown("settings") }), []);
  useEffect(() => listenToDrags(session), []);
  useEffect(() => {
    const skipWait = () => session.skipWait();
    for (const type of ["click", "keydown"]) addEventListener(type, skipWait); // runs after the clicked element's own handler, which sees the old state
  }, []);
  useEffect(() => {
    const timer = setInterval(() => tickClocks(session) && tick((count) => count + 1), TICK);
    return () => clearInterval(timer);
  }, []);
  if (!session.hello.value) return html`<p class="notice" role="status">${session.connection.value.sentence || "Joining the table ..."}</p>`;
  return html`
    <${TopBar} session=${session} rules=${() => setShown(shown === "rules" ? "" : "rules")} settings=${() => setShown("settings")} />
    <${TakeSeat} session=${session} code=${code} refused=${refused} />
    <${Invitations} session=${session} />
    <${GameArea} session=${session} rules=${() => setShown("rules")} remove=${setRemoved} reading=${shown === "rules"} close=${() => setShown("")} />
    ${shown === "settings" && html`<${Settings} session=${session} close=${() => setShown("")} />`}
    ${removed >= 0 && html`<${RemovePlayer} session=${session} seat=${removed} close=${() => setRemoved(-1)} />`}
  `;
}

/** Count running clocks down; returns whether there are any. */
function tickClocks(session) {
  const running = session.now.value.clocks?.filter((clock) => clock.running) ?? [];
  for (const clock of running) clock.bank = Math.max(0, clock.bank - TICK / 1000);
  return running.length > 0;
}

/** The name of the sound for a new state, or "": for the end, the user's turn, a deal, or a card that has moved. */
function soundFor(previous, now, me) {
  if (now.outcome) return previous.outcome ? "" : now.outcome.winners.includes(me) ? "win" : "card";
  const cards = ({ scene }) => scene.zones.filter((zone) => zone.seat === me && zone.form === "hand").reduce((sum, zone) => sum + zone.spots.length, 0);
  if (cards(now) > cards(previous) + 1) return "deal";
  if (now.mine && !previous.mine) return "turn";
  return previous.events === now.events ? "" : "card";
}

/** Show in title and icon that it is the user's turn, and in a notification if they want one. */
function announceTurn(session) {
  let previous = false;
  effect(() => {
    const mine = session.myTurn.value;
    if (!session.hello.value) return;
    const { title } = session.hello.value;
    document.title = (mine ? "Your turn · " : "") + title + " · Kibitz";
    icon.href = new URL(`../pictures/${mine ? "turn" : "kibitz"}.svg`, import.meta.url);
    if (mine && !previous && document.hidden && preferences.notify.peek() === "on") notify(title, session.table);
    previous = mine;
  });
}

/** Show a notification of the browser that leads to this page. */
function notify(title, tag) {
  try {
    const shown = new Notification("Your turn", { body: title, tag, icon: icon.href });
    shown.onclick = () => (focus(), shown.close());
  } catch {
    // The browser has no notifications for pages, such as on phones: title and icon still show the turn.
  }
}

/** Play sounds, if the user has turned them on. */
function playSounds(session) {
  let previous = null;
  effect(() => {
    const now = session.state.value;
    const sound = previous && now && preferences.sound.peek() === "on" ? soundFor(previous, now, session.seat) : "";
    previous = now;
    if (sound) import("./sounds.js").then(({ play }) => play(sound));
  });
}

const icon = document.querySelector("link[rel=icon]");
const container = document.getElementById("table");
const initial = pageData();
const session = new Session(container.dataset.table, initial);
playSounds(session);
announceTurn(session);
effect(() => addFinished(session));
render(html`<${Page} session=${session} code=${new URLSearchParams(location.search).get("invite")} refused=${initial.refused} />`, container);

// A cribbage hand that is put together card by card, and what it scores.
//
//   chosen   the codes of the cards so far: four of the hand, then the starter
import { html, render, signal } from "./html.js";
import { ask } from "./server.js";
import { Face, rank, symbol } from "./card.js";
import "./page.js";

const SUITS = { H: "hearts", D: "diamonds", C: "clubs", S: "spades" };
const RANKS = "A234567890JQK";
const HAND = 4;

const chosen = signal([]);
const crib = signal(false);
const found = signal(null);
const said = signal("");

const called = (code) => `${rank(code)} of ${SUITS[code[1]]}`;

/** Take a card, or put it back; with the fifth one the hand is counted. */
async function turn(code) {
  const has = chosen.value.includes(code);
  if (!has && chosen.value.length > HAND) return;
  chosen.value = has ? chosen.value.filter((each) => each !== code) : [...chosen.value, code];
  await count();
}

async function count() {
  found.value = null;
  said.value = "";
  const cards = chosen.value;
  if (cards.length <= HAND) return;
  const query = new URLSearchParams({ hand: cards.slice(0, HAND).join(" "), starter: cards[HAND], crib: String(crib.value) });
  try {
    const answer = await ask("GET", `/api/cribbage/count?${query}`);
    if (cards === chosen.value) found.value = answer;
  } catch (refusal) {
    said.value = refusal.message;
  }
}

const Spot = ({ code, label }) => html`<button type="button" class="spot" data-code=${code} aria-label=${label} aria-pressed=${chosen.value.includes(code) ? "true" : "false"} onClick=${() => turn(code)}><${Face} code=${code} /></button>`;

/** What is chosen, with places for what is missing. */
const Row = ({ title, cards, room }) => html`<section aria-label=${title}><h2>${title}</h2><div class="row">
  ${cards.map((code) => html`<${Spot} key=${code} code=${code} label=${`Put back the ${called(code)}`} />`)}
  ${Array.from({ length: room - cards.length }, (_, index) => html`<span key=${index} class="spot outline"></span>`)}
</div></section>`;

/** The points of the chosen cards, or what to choose next. */
function Score() {
  const { value } = found;
  const missing = HAND + 1 - chosen.value.length;
  if (!value) return html`<p role="status">${said.value || (missing > 1 ? `Choose four cards, then the starter: ${missing} more.` : "Choose the starter.")}</p>`;
  return html`<div role="status"><p><b>${value.points} ${value.points === 1 ? "point" : "points"}</b>${value.counting && `: ${value.counting}.`}</p></div>
    ${value.items.length > 0 && html`<table class="items"><thead><tr><th scope="col">Combination</th><th scope="col">Cards</th><th scope="col" class="number">Points</th></tr></thead>
      <tbody>${value.items.map((item, index) => html`<tr key=${index}><td>${item.name}</td><td>${item.cards.map(symbol).join(" ")}</td><td class="number">${item.points}</td></tr>`)}</tbody></table>`}`;
}

function Count() {
  const cards = chosen.value;
  const change = (event) => ((crib.value = event.target.checked), count());
  return html`<div class="chosen"><${Row} title="Hand" cards=${cards.slice(0, HAND)} room=${HAND} /><${Row} title="Starter" cards=${cards.slice(HAND)} room=${1} /></div>
    <p><label><input type="checkbox" checked=${crib.value} onChange=${change} /> This is the crib (a flush counts only with the starter)</label>
      <button type="button" onClick=${() => ((chosen.value = []), count())} disabled=${!cards.length}>Start again</button></p>
    <${Score} />
    <div class="pack" role="group" aria-label="The pack">${Object.keys(SUITS).map((suit) => html`<div key=${suit}>${[...RANKS].map((each) => html`<${Spot} key=${each} code=${each + suit} label=${called(each + suit)} />`)}</div>`)}</div>`;
}

render(html`<${Count} />`, document.getElementById("count"));

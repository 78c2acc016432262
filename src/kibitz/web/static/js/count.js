// A cribbage hand that the user chooses card by card, and its score.
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
const score = signal(null); // the server's count, or null
const message = signal("");

const nameOf = (code) => `${rank(code)} of ${SUITS[code[1]]}`;

/** Choose a card, or deselect it; the fifth card completes the hand, which is then counted. */
async function toggle(code) {
  const isChosen = chosen.value.includes(code);
  if (!isChosen && chosen.value.length > HAND) return;
  chosen.value = isChosen ? chosen.value.filter((each) => each !== code) : [...chosen.value, code];
  await count();
}

async function count() {
  score.value = null;
  message.value = "";
  const cards = chosen.value;
  if (cards.length <= HAND) return;
  const query = new URLSearchParams({ hand: cards.slice(0, HAND).join(" "), starter: cards[HAND], crib: String(crib.value) });
  try {
    const answer = await ask("GET", `/api/cribbage/count?${query}`);
    if (cards === chosen.value) score.value = answer;
  } catch (refusal) {
    message.value = refusal.message;
  }
}

const Spot = ({ code, label }) => html`<button type="button" class="spot" data-code=${code} aria-label=${label} aria-pressed=${chosen.value.includes(code) ? "true" : "false"} onClick=${() => toggle(code)}><${Face} code=${code} /></button>`;

/** The chosen cards, with an outline for each missing card. */
const Row = ({ title, cards, room }) => html`<section aria-label=${title}><h2>${title}</h2><div class="row">
  ${cards.map((code) => html`<${Spot} key=${code} code=${code} label=${`Deselect the ${nameOf(code)}`} />`)}
  ${Array.from({ length: room - cards.length }, (_, index) => html`<span key=${index} class="spot outline"></span>`)}
</div></section>`;

/** The points of the chosen cards, or what to choose next. */
function Score() {
  const { value } = score;
  const missing = HAND + 1 - chosen.value.length;
  if (!value) return html`<p role="status">${message.value || (missing > 1 ? `Choose four cards, then the starter: ${missing} more.` : "Choose the starter.")}</p>`;
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
    <div class="pack" role="group" aria-label="The pack">${Object.keys(SUITS).map((suit) => html`<div key=${suit}>${[...RANKS].map((each) => html`<${Spot} key=${each} code=${each + suit} label=${nameOf(each + suit)} />`)}</div>`)}</div>`;
}

render(html`<${Count} />`, document.getElementById("count"));

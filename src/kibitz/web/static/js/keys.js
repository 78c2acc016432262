// The keys of a table: the same as in the terminal.
//
//   ← → ↑ ↓     move among cards, places and buttons     Enter   choose the focused one, or play the complete choice
//   Space       choose it, or deselect it                1 … 9 0 choose the nth offered part; 0 is the tenth
//   kh, 0d      choose a card by its name                Esc     deselect
//   Enter, Space continue after a hand or round
//   u undo   h hint   l the last line again   s the table in words   n the next caption   ? all keys
import { symbol } from "./card.js";

const SUITS = "shdc";
const RANKS = "a234567890jqkt";
const TIMEOUT = 700; // milliseconds within which a suit may follow a rank

/** Listen for the keys of a table; returns a function that stops this.  `board()` is the element of the table, and
 *  `actions.help()` shows all keys. */
export function listen(session, board, actions) {
  let typed = "";
  let timer = null;
  const wait = (key) => {
    clearTimeout(timer);
    typed = key;
    timer = setTimeout(() => {
      typed = "";
      if (/\d/.test(key)) byNumber(session, Number(key));
    }, TIMEOUT);
  };
  const onKey = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select, dialog")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (typed && SUITS.includes(key)) {
      clearTimeout(timer);
      takeCard(session, (typed === "t" ? "0" : typed).toUpperCase() + key.toUpperCase());
      typed = "";
    } else if (/^\d$/.test(key) && !mayBeCard(session, key)) byNumber(session, Number(key));
    else if (RANKS.includes(key)) wait(key);
    else if (!runKey(key, event, session, board, actions)) return;
    event.preventDefault();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

/** Carry out a key that doesn't type a card; returns whether the key has a meaning. */
function runKey(key, event, session, board, actions) {
  if (session.summary.value && (key === "Enter" || key === " ") && !event.target.closest("button, a, summary")) return session.closeSummary(), true;
  if (key.startsWith("Arrow")) return move(board(), key.slice(5));
  if (key === "Enter") return playComplete(event, session);
  if (key === "Escape") return session.deselect(), true;
  if (key === "h") return session.askHint(), true;
  if (key === "u") return session.now.value.mine ? session.ask("undo") : session.tellToWait(), true;
  if (key === "l") return session.tell(session.lines.value.at(-1)?.text ?? "Nothing has happened yet."), true;
  if (key === "s") return session.tell(inWords(session)), true;
  if (key === "n" && session.lesson.shown) return session.lesson.next(), true;
  if (key === "?") return actions.help(), true;
  return false;
}

/** Play the complete choice on Enter, unless the key is meant for a focused button or link; returns whether it did. */
function playComplete(event, session) {
  const { complete } = session.picking.value;
  const focused = event.target.closest("button, a, summary");
  const isForOther = focused && focused.getAttribute("aria-pressed") !== "true"; // but a chosen card may be focused
  if (isForOther || !complete || !session.hasChosen) return false;
  session.act(complete);
  return true;
}

/** Whether one of the offered cards, or of the user's own, has a rank that is typed with this digit. */
const mayBeCard = (session, digit) => [...session.offered.value, ...session.ownKeySet.value].some((key) => codeOf(session, key)?.[0] === digit);

const codeOf = (session, key) => {
  for (const zone of session.now.value.scene.zones) {
    const spot = zone.spots.find((each) => each.key === key);
    if (spot) return spot.card;
  }
  return "";
};

/** Choose the offered part with a number; 0 is the tenth. */
function byNumber(session, number) {
  const key = [...session.offered.value][(number || 10) - 1];
  if (key) session.take(key);
  else session.tell(session.now.value.mine ? "There are not that many choices." : session.waitingFor());
}

/** Choose a card by its code: an offered card, or else one of the user's own (which shows why it can't be played), or
 *  else a chosen card, which is deselected. */
function takeCard(session, code) {
  const unchosen = (keys) => [...keys].find((key) => codeOf(session, key) === code && !session.chosen.value.includes(key));
  const key = unchosen(session.offered.value) ?? unchosen(session.ownKeySet.value) ?? session.chosen.value.find((each) => codeOf(session, each) === code);
  if (key) session.take(key);
  else session.tell(`You can't play ${symbol(code)}: it isn't in your hand.`, "why");
}

/** Move the focus to the nearest button in a direction; at first, to one of the user's own cards. */
function move(board, direction) {
  const buttons = [...board.querySelectorAll("button:not([disabled])")];
  const from = buttons.includes(document.activeElement) ? document.activeElement : null;
  if (!from) return (board.querySelector(".me .spot[aria-pressed]:not([aria-disabled])") ?? board.querySelector(".me .spot[aria-pressed]") ?? buttons[0])?.focus(), true;
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  const along = { Left: [-1, 0], Right: [1, 0], Up: [0, -1], Down: [0, 1] }[direction];
  const distance = (element) => {
    const [u, v] = middle(element);
    const ahead = (u - x) * along[0] + (v - y) * along[1];
    const aside = Math.abs((u - x) * along[1]) + Math.abs((v - y) * along[0]);
    return ahead > 4 ? ahead + 3 * aside : Infinity;
  };
  const best = buttons.reduce((nearest, element) => (distance(element) < distance(nearest) ? element : nearest), from);
  if (distance(best) < Infinity) best.focus();
  return true;
}

/** The table in words: the prompt, then every zone with its cards, then the facts. */
function inWords(session) {
  const { scene } = session.now.value;
  const places = scene.zones.map((zone) => {
    const cards = zone.spots.map((spot) => (spot.card ? symbol(spot.card) : "a card face down")).join(" ");
    return `${zone.title}: ${[cards, zone.hidden ? `${zone.hidden} unseen` : ""].filter(Boolean).join(", ") || "empty"}.`;
  });
  const facts = scene.facts.map((fact) => `${fact.seat < 0 ? "" : session.hello.value.names[fact.seat] + ", "}${fact.label}: ${fact.value}.`);
  return [scene.prompt, ...places, ...facts].join(" ");
}

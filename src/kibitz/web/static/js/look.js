// How the pages look, as this browser's user likes it: kept in the browser, and put on <html> for the style sheets.
import { effect, signal } from "./html.js";

const LIKED = {
  theme: ["auto", "light", "dark"],
  cards: ["art", "text"],
  deck: ["four", "two"],
  back: ["blue", "red"],
  felt: ["green", "blue"],
  size: ["usual", "large"],
  motion: ["usual", "none"],
  confirm: ["no", "yes"],
  sound: ["off", "on"],
  notify: ["off", "on"],
  order: ["dealt", "suit", "rank"],
  speed: ["usual", "faster"],
};

/** What this browser keeps under a name, or null. */
export const kept = (name) => {
  try {
    return localStorage.getItem(`kibitz.${name}`);
  } catch {
    return null; // a browser that keeps nothing
  }
};

/** Keep a text under a name; whether the browser keeps it beyond this page. */
export const keep = (name, text) => {
  try {
    localStorage.setItem(`kibitz.${name}`, text);
    return true;
  } catch {
    return false;
  }
};

/** The storage key that marks a game as known to this browser's user. */
export const knownAs = ({ family, game }) => `known.${family}.${game.split(/[-:]/)[0]}`;

/** One signal for each thing that can be liked, the first value unless another was chosen before. */
export const look = Object.fromEntries(
  Object.entries(LIKED).map(([name, values]) => [name, signal(values.includes(kept(name)) ? kept(name) : values[0])]),
);

for (const name of Object.keys(LIKED)) {
  effect(() => {
    document.documentElement.dataset[name] = look[name].value;
    keep(name, look[name].value);
  });
}

effect(() => {
  if (look.deck.value === "two" && look.cards.value === "art") import("./recolour.js");
});

/** Turn to the next value of one thing. */
export const turn = (name) => {
  const values = LIKED[name];
  look[name].value = values[(values.indexOf(look[name].value) + 1) % values.length];
};

/** Whether cards may travel. */
export const moving = () => look.motion.value === "usual" && !matchMedia("(prefers-reduced-motion: reduce)").matches;

const veryLow = matchMedia("(max-height: 30rem) and (min-width: 30rem)");

/** Whether the screen is very low, as a phone's on its side: what is asked and held stands beside the table. */
export const low = signal(veryLow.matches);
veryLow.addEventListener("change", () => (low.value = veryLow.matches));

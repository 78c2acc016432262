// The reader's preferences on the look of pages and on play: stored in the browser, and set on <html> for style sheets.
import { effect, signal } from "./html.js";

const OPTIONS = {
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

/** What this browser has stored under a name, or null. */
export const stored = (name) => {
  try {
    return localStorage.getItem(`kibitz.${name}`);
  } catch {
    return null; // a browser that stores nothing
  }
};

/** Store a text under a name; returns whether the browser keeps it beyond this page. */
export const store = (name, text) => {
  try {
    localStorage.setItem(`kibitz.${name}`, text);
    return true;
  } catch {
    return false;
  }
};

/** The storage key under which this browser notes that its user knows a game. */
export const knownKey = ({ family, game }) => `known.${family}.${game.split(/[-:]/)[0]}`;

/** A signal for each preference, with its stored value, or else the first of its values. */
export const preferences = Object.fromEntries(
  Object.entries(OPTIONS).map(([name, values]) => [name, signal(values.includes(stored(name)) ? stored(name) : values[0])]),
);

for (const name of Object.keys(OPTIONS)) {
  effect(() => {
    document.documentElement.dataset[name] = preferences[name].value;
    store(name, preferences[name].value);
  });
}

effect(() => {
  if (preferences.deck.value === "two" && preferences.cards.value === "art") import("./recolour.js");
});

/** Switch a preference to its next value. */
export const cycle = (name) => {
  const values = OPTIONS[name];
  preferences[name].value = values[(values.indexOf(preferences[name].value) + 1) % values.length];
};

/** Whether cards may be animated. */
export const animationsOn = () => preferences.motion.value === "usual" && !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A signal that says whether a media query matches. */
function matches(query) {
  const list = matchMedia(query);
  const isMatch = signal(list.matches);
  list.addEventListener("change", () => (isMatch.value = list.matches));
  return isMatch;
}

/** Whether the screen is very low, such as a phone's in landscape: then the prompt and the hand are beside the table. */
export const lowScreen = matches("(max-height: 30rem) and (min-width: 30rem)");

/** Whether the screen is a phone's, or as small: then the log has two lines, and the chat and the rules are closed. */
export const smallScreen = matches("(max-width: 59.9rem), (max-height: 30rem)");

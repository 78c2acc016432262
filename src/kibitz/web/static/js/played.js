// The games that were finished in this browser, which keeps them; the server knows nothing of this list.
//
//   game    `{id, at, title, opponents, result}`: the table's id, when the game ended in milliseconds, its title, the
//           names of the others, and one of RESULTS
import { store, stored } from "./preferences.js";

export const RESULTS = ["Won", "Shared", "Lost"];
const NAME = "played";
const LONGEST = 200;
const FORMAT = "kibitz-games-1";

const isText = (value) => typeof value === "string" && value.length > 0 && value.length <= LONGEST;
const isGame = (one) =>
  isText(one?.id) && /^[\w.-]+$/.test(one.id) && typeof one.at === "number" && !Number.isNaN(new Date(one.at).getTime()) && isText(one.title) &&
  RESULTS.includes(one.result) && Array.isArray(one.opponents) && one.opponents.length < 16 && one.opponents.every(isText);
const onlyKnown = ({ id, at, title, opponents, result }) => ({ id, at, title, opponents, result });

/** The games, the latest first. */
export function played() {
  try {
    return JSON.parse(stored(NAME) ?? "[]").filter(isGame);
  } catch {
    return [];
  }
}

/** Keep games besides those that are kept; how many are new, or -1 if the browser has no room for them. */
function add(games) {
  const before = played();
  const known = new Map(before.map((one) => [one.id, one]));
  for (const one of games) if (!known.has(one.id)) known.set(one.id, onlyKnown(one));
  const all = [...known.values()].sort((a, b) => b.at - a.at);
  return store(NAME, JSON.stringify(all)) ? all.length - before.length : -1;
}

/** Keep a game that is over, unless the reader had no seat or the deal was a lesson's. */
export function addFinished({ hello, now, seat }) {
  const { table: id, title, names, settings } = hello.value ?? {};
  const { outcome } = now.value;
  if (!outcome || seat < 0 || settings.lesson) return;
  const { winners } = outcome;
  const result = RESULTS[winners.includes(seat) ? Number(winners.length > 1) : 2];
  add([{ id, at: Date.now(), title, opponents: names.filter((_, other) => other !== seat), result }]);
}

/** By game, the most played first: `{title, played, won, streak, longest}`; streaks are of games won or shared. */
export function statistics(games) {
  const found = new Map();
  for (const { title, result } of [...games].reverse()) {
    const before = found.get(title) ?? { played: 0, won: 0, streak: 0, longest: 0 };
    const won = result !== "Lost";
    const streak = won ? before.streak + 1 : 0;
    found.set(title, { title, played: before.played + 1, won: before.won + Number(won), streak, longest: Math.max(before.longest, streak) });
  }
  return [...found.values()].sort((a, b) => b.played - a.played);
}

/** Delete all games. */
export const forgetAll = () => store(NAME, "[]");

/** The games as the text of a file. */
export const exported = () => JSON.stringify({ format: FORMAT, games: played() }, null, 1);

/** Add the games in the text of a file; how many are new.  Throws an Error whose message is the sentence to show, and
 *  then nothing has changed. */
export function imported(text) {
  let games;
  try {
    const told = JSON.parse(text);
    games = told.format === FORMAT && told.games;
  } catch {
    games = null;
  }
  if (!Array.isArray(games)) throw new Error("This is not a file of games: choose a file saved with Export.");
  const wrong = games.findIndex((one) => !isGame(one));
  if (wrong >= 0) throw new Error(`Game ${wrong + 1} in this file is damaged, so nothing was imported: export the file again.`);
  const added = add(games);
  if (added < 0) throw new Error("This browser's storage is too small for these games: nothing was imported.");
  return added;
}

// The games that were finished in this browser. The list is stored only in the browser, not on the server.
//
//   game    `{id, at, title, opponents, result}`: the table's id, when the game ended in milliseconds, its title, the
//           names of the others, and one of RESULTS
import { store, stored } from "./preferences.js";

export const RESULTS = ["Won", "Shared", "Lost"];
const NAME = "played";
const LONGEST = 200; // characters of a text
const FORMAT = "kibitz-games-1";

const isText = (value) => typeof value === "string" && value.length > 0 && value.length <= LONGEST;
const isGame = (game) =>
  isText(game?.id) && /^[\w.-]+$/.test(game.id) && typeof game.at === "number" && !Number.isNaN(new Date(game.at).getTime()) && isText(game.title) &&
  RESULTS.includes(game.result) && Array.isArray(game.opponents) && game.opponents.length < 16 && game.opponents.every(isText);
const withoutOtherFields = ({ id, at, title, opponents, result }) => ({ id, at, title, opponents, result });

/** The games, the latest first. */
export function played() {
  try {
    return JSON.parse(stored(NAME) ?? "[]").filter(isGame);
  } catch {
    return [];
  }
}

/** Add games to the list; returns how many of them are new, or -1 if the browser's storage is full. */
function add(games) {
  const previous = played();
  const byId = new Map(previous.map((game) => [game.id, game]));
  for (const game of games) if (!byId.has(game.id)) byId.set(game.id, withoutOtherFields(game));
  const all = [...byId.values()].sort((a, b) => b.at - a.at);
  return store(NAME, JSON.stringify(all)) ? all.length - previous.length : -1;
}

/** Add a session's game to the list once it is over, unless the user had no seat or it was a guided first hand. */
export function addFinished({ hello, now, seat }) {
  const { table: id, title, names, settings } = hello.value ?? {};
  const { outcome } = now.value;
  if (!outcome || seat < 0 || settings.lesson) return;
  const { winners } = outcome;
  const result = RESULTS[winners.includes(seat) ? Number(winners.length > 1) : 2];
  add([{ id, at: Date.now(), title, opponents: names.filter((_, other) => other !== seat), result }]);
}

/** Statistics by title, the most played first: `{title, played, won, streak, longest}`; a shared win counts as won. */
export function statistics(games) {
  const byTitle = new Map();
  for (const { title, result } of [...games].reverse()) {
    const previous = byTitle.get(title) ?? { played: 0, won: 0, streak: 0, longest: 0 };
    const won = result !== "Lost";
    const streak = won ? previous.streak + 1 : 0;
    byTitle.set(title, { title, played: previous.played + 1, won: previous.won + Number(won), streak, longest: Math.max(previous.longest, streak) });
  }
  return [...byTitle.values()].sort((a, b) => b.played - a.played);
}

/** Delete all games. */
export const forgetAll = () => store(NAME, "[]");

/** The games as the text of a file. */
export const exportGames = () => JSON.stringify({ format: FORMAT, games: played() }, null, 1);

/** Add the games in the text of a file; returns how many of them are new.  If that fails, throws an Error whose message is
 *  the sentence to show, and changes nothing. */
export function importGames(text) {
  let games;
  try {
    const content = JSON.parse(text);
    games = content.format === FORMAT && content.games;
  } catch {
    games = null;
  }
  if (!Array.isArray(games)) throw new Error("This is not a file of games: choose a file saved with Export.");
  const damaged = games.findIndex((game) => !isGame(game));
  if (damaged >= 0) throw new Error(`Game ${damaged + 1} in this file is damaged, so nothing was imported: export the file again.`);
  const added = add(games);
  if (added < 0) throw new Error("This browser's storage is too small for these games: nothing was imported.");
  return added;
}

// The levels at which computer players are offered: some of those that a game has, the weakest first.
//
// Records, commands and programs know them by their own names; `PICKED` says by game or family which ones are a level:
// each beats the one before in three of five games or more, but for the strongest, where luck may leave it fewer.  Of
// other games they are taken evenly.
const CALLED = [[], ["Easy"], ["Easy", "Hard"], ["Easy", "Medium", "Hard"], ["Easy", "Medium", "Hard", "Expert"]];
const PICKED = {
  bo: ["first", "quick", "greedy", "best"],
  cribbage: ["random", "quick", "greedy", "best"],
  draw: ["caller", "greedy"],
  eights: ["random", "greedy"],
  go: ["first", "quick", "greedy", "best"],
  hearts: ["random", "quick", "greedy", "best"],
  huxxy: ["first", "quick", "greedy", "best"],
  kuhn: ["random", "solved"],
  poker: ["caller", "quick", "best", "solved"],
  president: ["lowest", "quick", "steady", "best"],
};

/** The levels of a game: its computer players (`{name, line, ...}`) with what people call them, as `level`. */
export function levels(family, { name, computers }) {
  const picked = PICKED[name] ?? PICKED[family];
  const some = picked ? computers.filter((computer) => picked.includes(computer.name)) : evenly(computers);
  return some.slice(-4).map((computer, index, all) => ({ ...computer, level: CALLED[all.length][index] }));
}

/** Four of them, with the first and the last. */
const evenly = (all) => (all.length <= 4 ? all : [0, 1, 2, 3].map((index) => all[Math.round((index * (all.length - 1)) / 3)]));

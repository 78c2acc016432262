// The levels at which computer players are offered, as the server picks them (`kibitz.players.built_in`).

/** The computer players of a game that have a level, the weakest first. */
export const levels = ({ computers }) => computers.filter(({ level }) => level);

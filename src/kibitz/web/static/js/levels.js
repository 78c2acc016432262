// The levels at which computer players are offered to people; the server decides which players have one.

/** The computer players of a game that have a level, the weakest first. */
export const levels = ({ computers }) => computers.filter(({ level }) => level);

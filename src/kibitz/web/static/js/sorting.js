// The order of a hand: as it is dealt, by suit or by rank.
const SUITS = "SHCD"; // black and red in turn
const ACE_HIGH = "234567890JQKA";
const RANKS = { hearts: ACE_HIGH, poker: ACE_HIGH, president: "34567890JQKA2" };
const ACE_LOW = "A234567890JQK";

/** Cards in an order ("dealt", "suit" or "rank"); jokers come last. */
export function sorted(spots, order, family) {
  if (order === "dealt") return spots;
  const ranks = RANKS[family] ?? ACE_LOW;
  const place = (among, one) => (among.includes(one) ? among.indexOf(one) : among.length);
  const value = ({ card }) => {
    const [suit, rank] = [place(SUITS, card[1]), place(ranks, card[0])];
    return order === "suit" ? 20 * suit + rank : 20 * rank + suit;
  };
  return spots.every(({ card }) => card) ? [...spots].sort((a, b) => value(a) - value(b)) : spots;
}

/** The order that a press of the button turns to. */
export const nextOrder = (order) => (order === "suit" ? "rank" : "suit");

/** Whether sorting means anything: some cards, of several suits and ranks. */
export function sortable(spots) {
  const different = (at) => new Set(spots.map(({ card }) => card[at])).size > 1;
  return spots.length > 2 && spots.every(({ card }) => card) && different(0) && different(1);
}

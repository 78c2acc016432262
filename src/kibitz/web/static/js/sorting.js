// The order of a hand: as it was dealt, by suit or by rank.
const SUITS = "CDSH"; // black and red suits alternate
const ACE_HIGH = "234567890JQKA";
const RANKS = { hearts: ACE_HIGH, poker: ACE_HIGH, president: "34567890JQKA2" };
const ACE_LOW = "A234567890JQK";

/** Spots in an order ("dealt", "suit" or "rank"); jokers come last.  Spots with hidden cards stay as dealt. */
export function sorted(spots, order, family) {
  if (order === "dealt") return spots;
  const ranks = RANKS[family] ?? ACE_LOW;
  const place = (characters, character) => (characters.includes(character) ? characters.indexOf(character) : characters.length);
  const sortKey = ({ card }) => {
    const [suit, rank] = [place(SUITS, card[1]), place(ranks, card[0])];
    return order === "suit" ? 20 * suit + rank : 20 * rank + suit;
  };
  return spots.every(({ card }) => card) ? [...spots].sort((a, b) => sortKey(a) - sortKey(b)) : spots;
}

/** The order to which the next press of the button changes a hand; one that is dealt by suit is sorted by rank first. */
export function nextOrder(order, spots, family) {
  const isBySuit = order === "suit" || (order === "dealt" && sorted(spots, "suit", family).every((spot, i) => spot === spots[i]));
  return isBySuit ? "rank" : "suit";
}

/** Whether sorting is useful: the cards are visible, and differ in suit and in rank. */
export function sortable(spots) {
  const differ = (position) => new Set(spots.map(({ card }) => card[position])).size > 1;
  return spots.length > 2 && spots.every(({ card }) => card) && differ(0) && differ(1);
}

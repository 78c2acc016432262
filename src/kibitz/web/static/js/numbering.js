// The numbers by which what is offered is taken: the very rule of `kibitz.engine.scene.numbering`, which says why.
//
//   tells   for each thing that is offered, in order, the number that its words tell, or null; the server reads the words

/** The numbers of what is offered, in order; each is there once. */
export function numbered(tells) {
  const known = tells.filter((number) => number !== null);
  if (new Set(known).size < known.length) return tells.map((_, index) => index + 1);
  if (known.length === tells.length) return known;
  const found = [];
  for (const own of tells) {
    let number = found.length ? found.at(-1) + 1 : 1;
    while (known.includes(number) && number !== own) number += 1;
    found.push(number);
  }
  return found;
}

/** The place of what a number means, its own or the one that it alone tells; -1 if it means nothing. */
export function meant(number, tells) {
  const numbers = numbered(tells);
  if (numbers.includes(number)) return numbers.indexOf(number);
  return tells.filter((each) => each === number).length === 1 ? tells.indexOf(number) : -1;
}

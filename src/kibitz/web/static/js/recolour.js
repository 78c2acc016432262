// The pictures of the two-colour deck, made from those of the four-colour deck: clubs become black, diamonds red.
const COLOURS = { C: ["#354ef0", "#0d0d0d"], D: ["#e83f09", "#a70107"] };
const RANKS = "A234567890JQK";
const folder = new URL("../vendor/cards/", import.meta.url);

async function rule(code) {
  const picture = await (await fetch(new URL(`${code}.svg`, folder))).text();
  const [from, to] = COLOURS[code[1]];
  return `:root[data-deck="two"] .face[data-card="${code}"]::after { background-image: url("data:image/svg+xml,${encodeURIComponent(picture.replaceAll(from, to))}"); }`;
}

const rules = await Promise.all([..."CD"].flatMap((suit) => [...RANKS].map((rank) => rule(rank + suit))));
const sheet = new CSSStyleSheet();
sheet.replaceSync(rules.join("\n"));
document.adoptedStyleSheets.push(sheet);

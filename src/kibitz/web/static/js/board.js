// Draws the table of any game from its scene: seats with their zones and facts around the middle.
//
//   side    a seat's distance from the user's own seat in order of play: 0 is the user's seat (for spectators, the
//           first seat), at the bottom; on wide screens the others sit around the felt from left to right
//   controlOf  `controlOf(key)`: what can be done with a spot or zone (`{offered, chosen, target, hinted, take, look}`),
//           or null
import { classes, html } from "./html.js";
import { Face, Spot } from "./card.js";
import { PeggingBoard } from "./pegging.js";
import { sorted } from "./sorting.js";

const PHONE_ROW = 10; // the most cards in a row of a hand on phones: they overlap by less than half of their width
const DESK_ROW = 18; // and on wide screens
const BACKS_DRAWN = 3; // the most card backs that are drawn under a pile
const MANY = 6; // with more seats than this, low screens show a seat's name and facts in two lines
const SELF_EVIDENT = /^(?!yes$|no$)[^\d+-][^\d]*$/; // a fact's value in words, such as "dealer": it needs no label
const LABELS = { button: "Dealer" };

/** How many of `count` cards go into each row, at most `most`, so that rows are as even as possible. */
const perRow = (count, most) => Math.max(1, Math.ceil(count / Math.ceil(Math.max(count, 1) / most)));

const kindOf = (zone) => zone.key.replace(/[\d._]+$/, "");

/** A zone's title without its owner, whose name is shown above it: "Ann's discard pile 1" becomes "Discard pile 1". */
function shortTitle(zone, owner) {
  const title = zone.title.replace(/^Your /, "");
  const rest = title.startsWith(`${owner}'s `) ? title.slice(owner.length + 3) : title;
  return rest[0]?.toUpperCase() + rest.slice(1);
}

/** Zones in groups: neighbours of one kind are a group, which gets one title, and a number for each zone. */
function groupByKind(zones) {
  const groups = [];
  for (const zone of zones) {
    const last = groups.at(-1);
    if (last && kindOf(last[0]) === kindOf(zone)) last.push(zone);
    else groups.push([zone]);
  }
  return groups;
}

/** All zones of one owner, in groups. */
export function Zones({ zones, owner = "", controlOf }) {
  return html`<div class="zones">
    ${groupByKind(zones).map((group) => {
      const titles = group.map((zone) => shortTitle(zone, owner));
      const common = titles[0].replace(/ \d+$/, "");
      const numbered = group.length > 1 && titles.every((title) => title.startsWith(common + " ") && title.length < common.length + 4);
      const drawnZones = group.map((zone, index) => html`<${Zone} key=${zone.key} zone=${zone} controlOf=${controlOf} title=${numbered ? titles[index].slice(common.length + 1) : titles[index]} />`);
      return numbered ? html`<div class="kin" key=${group[0].key} data-kind=${kindOf(group[0])}><span class="title" aria-hidden="true">${common.replace(/s?$/, "s")}</span><div>${drawnZones}</div></div>` : drawnZones;
    })}
  </div>`;
}

/** A zone and its cards, under a `title`. */
function Zone({ zone, title, controlOf }) {
  const control = controlOf(zone.key);
  const stacked = zone.form === "pile" || zone.form === "backs";
  const spots = stacked ? zone.spots.slice(-1) : zone.spots;
  const count = zone.spots.length;
  const below = stacked ? zone.hidden + count - spots.length : zone.hidden;
  return html`<div
    class=${classes({ zone: true, empty: !count && !zone.hidden })}
    role="group"
    aria-label=${zone.title}
    data-zone=${zone.key}
    data-kind=${kindOf(zone)}
    data-form=${zone.form}
    data-held=${count + zone.hidden}
    style=${{ "--count": count, "--phone": perRow(count, PHONE_ROW), "--desk": perRow(count, DESK_ROW) }}
  >
    ${control && html`<button type="button" class="place" data-place=${zone.key} aria-label=${control.label} aria-pressed=${control.chosen ? "true" : "false"}
      aria-disabled=${control.offered || control.chosen ? null : "true"} data-target=${control.target ? "" : null} data-can=${control.can && !control.target ? "" : null}
      data-hint=${control.hinted ? "" : null} onClick=${control.take} onFocus=${control.look}></button>`}
    <h3>${title}${zone.note && html` <span class="aside">· ${zone.note}</span>`}</h3>
    <div class="cards" data-below=${Math.min(below, BACKS_DRAWN)}>
      ${!spots.length && html`<${TopOrOutline} zone=${zone} below=${below} />`}
      ${spots.map((spot, index) => html`<${Spot} key=${spot.key} spot=${spot} control=${controlOf(spot.key)} index=${index} />`)}
      ${below > 0 && html`<span class="count">${count > 0 && "+"}${below}<span class="unseen"> ${count ? "more" : "cards"}</span></span>`}
    </div>
  </div>`;
}

/** A zone without visible cards: a card back if it has cards, an outline if it has none. */
const TopOrOutline = ({ zone, below }) =>
  below > 0 ? html`<span class="spot" data-backs=${zone.key}><${Face} code="" /></span>` : html`<span class="spot outline"></span>`;

/** A name that doesn't break before its number, such as "Easy-1". */
function unbroken(name) {
  const [numbered] = name.match(/\S{1,8}-\d+$/) ?? [""];
  return numbered ? html`${name.slice(0, -numbered.length)}<span class="numbered">${numbered}</span>` : name;
}

/** A seat: its name, facts and zones. */
function Seat({ seat, side, who, zones, facts, controlOf }) {
  return html`<section
    class=${classes({ seat: true, me: side === 0, waited: who.waited, out: who.out })}
    data-side=${side}
    data-seat=${seat}
    aria-label=${who.you ? "You" : who.name}
  >
    <header>
      <h2 title=${who.you ? null : who.name}>${who.you ? "You" : who.remove ? html`<button type="button" class="quiet" aria-haspopup="dialog" title=${`Remove ${who.name}`} onClick=${who.remove}>${who.name}</button>` : unbroken(who.name)}</h2>
      ${who.marks.map((mark) => html`<span class="mark">${mark}</span>`)}
      ${who.clock !== undefined && html`<span class="clock" role="timer">${who.clock}</span>`}
      <${Facts} facts=${facts} />
    </header>
    <${Zones} zones=${zones} owner=${who.name} controlOf=${controlOf} />
  </section>`;
}

/** Facts as label and value; self-evident values show no label. */
const Facts = ({ facts }) =>
  facts.length > 0 &&
  html`<dl class="facts">
    ${facts.map(({ label, value }) => html`<div data-label=${label.toLowerCase()}><dt class=${SELF_EVIDENT.test(value) ? "unseen" : null}>${label}</dt>
      ${SELF_EVIDENT.test(value) ? value.split(", ").map((each) => html`<dd class="tag" data-is=${each}>${LABELS[each] ?? each[0].toUpperCase() + each.slice(1)}</dd>`) : html`<dd>${value}</dd>`}</div>`)}
  </dl>`;

/** Whether a zone is one of the user's own hands, which are shown below the table. */
const isOwnHand = (zone, me) => zone.seat === me && zone.form === "hand";

/** The reader's own hands, each as a fan in the order that the user prefers. */
export const OwnHands = ({ scene, family, me, controlOf, order }) =>
  html`<div class="held"><${Zones} zones=${scene.zones.filter((zone) => isOwnHand(zone, me)).map((zone) => ({ ...zone, spots: sorted(zone.spots, order, family) }))} controlOf=${controlOf} /></div>`;

/** A zone of the table, in which each card that a seat has played gets the side that it came from. */
function withOrigins(zone, who, first) {
  const spots = zone.spots.map((spot) => {
    const seat = spot.note ? who.findIndex(({ name, you }) => spot.note === name || (you && spot.note === "You")) : -1;
    return seat < 0 ? spot : { ...spot, note: who[seat].you ? "You" : spot.note, side: (seat - first + who.length) % who.length };
  });
  return { ...zone, spots };
}

/** The other seats, in order of play, in groups: those at the left, at the top and at the right of the felt. */
function aroundTheFelt(seats) {
  const perSide = seats.length < 3 ? 0 : seats.length < 6 ? 1 : seats.length < 8 ? 2 : 3;
  const right = seats.length - perSide;
  return [["left", seats.slice(0, perSide)], ["across", seats.slice(perSide, right)], ["right", seats.slice(right)]].filter(([, group]) => group.length);
}

/** The whole table, without the user's own hands.  `who[seat]` is `{name, you, marks, waited, out, clock, remove}`, where
 *  `remove()` asks the host whether to remove somebody; `me` is the reader's seat, or -1. */
export function Board({ scene, family, me, who, controlOf }) {
  const seats = who.map((_, seat) => seat);
  const first = Math.max(me, 0);
  const order = [...seats.slice(first + 1), ...seats.slice(0, first), first];
  const ofSeat = (list, seat) => list.filter((each) => each.seat === seat);
  const seatOf = (seat) => {
    const side = (seat - first + seats.length) % seats.length;
    const zones = ofSeat(scene.zones, seat).filter((zone) => !isOwnHand(zone, me));
    return html`<${Seat} key=${seat} seat=${seat} side=${side} who=${who[seat]} controlOf=${controlOf} facts=${ofSeat(scene.facts, seat)} zones=${zones} />`;
  };
  return html`<div class="board" data-family=${family} data-seats=${seats.length} data-many=${seats.length > MANY ? "" : null} data-looking-on=${me < 0 ? "" : null}>
    <div class="others">
      ${aroundTheFelt(order.slice(0, -1)).map(([where, group]) => html`<div key=${where} class=${where}>${group.map(seatOf)}</div>`)}
    </div>
    <section class="middle" aria-label="The table">
      <${Facts} facts=${ofSeat(scene.facts, -1)} />
      ${family === "cribbage" && html`<${PeggingBoard} facts=${scene.facts} who=${who} me=${me} />`}
      <${Zones} zones=${ofSeat(scene.zones, -1).map((zone) => withOrigins(zone, who, first))} controlOf=${controlOf} />
    </section>
    ${seatOf(first)}
  </div>`;
}

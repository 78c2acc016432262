// A game in progress, as the browser knows it: the server's messages and the reader's unfinished choice, as signals.
//
//   hello, state   the last messages of these types; the state alone is true of the game
//   lines          what has happened, in sentences: `{text, note}`
//   chosen         the keys of the parts taken so far; a draft, kept when it is refused
//   said           what to tell the reader now: `{text, kind}`, kind one of "info", "why", "refused", "hint"
//   hint           the parts of the last hint, by key
//   busy           the id of the choice that is on its way, or ""
//   newcomer       whether this browser has never played this game; until the first choice is made
//   asked          whether it is the reader's turn, also while they read a summary
//   summary        what the hand or round came to that has just ended, until it is read; what is heard after it waits
import { batch, computed, signal } from "./html.js";
import { Live } from "./live.js";
import { picking, plain } from "./picking.js";
import { keep, kept, knownAs, look } from "./look.js";
import { listed } from "./listing.js";
import { Lesson } from "./lesson.js";

const NOTHING = { parts: [], legal: [], scene: { zones: [], facts: [], prompt: "" }, mine: false, amounts: null };
const QUIET = { text: "", kind: "info" };
const LOOK_AFTER = 150;
const CATCH_UP = 400; // between two states that were kept waiting, so that each is seen

export class Session {
  hello = signal(null);
  state = signal(null);
  lines = signal([]);
  chats = signal([]);
  chosen = signal([]);
  said = signal(QUIET);
  hint = signal([]);
  busy = signal("");
  link = signal({ state: "lost", sentence: "" });
  next = signal(null);
  summary = signal(null);
  newcomer = signal(false);
  asked = signal(false);

  /** `opened` is what the page was sent with: the table can be seen before the connection is open. */
  constructor(table, opened) {
    this.table = table;
    this.later = []; // messages that wait until the summary is read
    const [last, read] = (kept("read") ?? "").split(" "); // a reload shows a summary again that was not read to its end
    this.read = last === table ? Number(read) : null;
    this.now = computed(() => this.state.value ?? NOTHING);
    this.legal = computed(() => this.now.value.legal);
    this.indices = computed(() => new Map(this.now.value.parts.map((part, index) => [part.key, index])));
    this.taken = computed(() => this.chosen.value.map((key) => this.indices.value.get(key)));
    this.picking = computed(() => picking(this.legal.value, this.taken.value));
    this.offered = computed(() => new Set([...this.picking.value.offered].map((index) => this.now.value.parts[index].key)));
    this.twins = computed(() => twins(this.now.value.scene, this.indices.value));
    this.own = computed(() => this.ownKeys());
    this.forced = computed(() => shared(this.now.value));
    this.greying = computed(() => this.now.value.mine && (this.legal.value.length === 1 || this.now.value.parts.some((part) => part.kind === "card")));
    this.why = new Map();
    this.timer = null;
    this.lesson = new Lesson(this);
    this.live = this.connect();
    if (last !== table) for (const message of [opened.hello, opened.state]) this.hear(message);
  }

  connect() {
    return new Live(this.table, (message) => this.hear(message), (state, sentence) => {
      this.link.value = { state, sentence };
    });
  }

  get seat() {
    return this.hello.value?.seat ?? -1;
  }

  /** Whether the reader has taken anything, beyond what every choice has. */
  get begun() {
    return this.chosen.value.length > this.forced.value.length;
  }

  /** The spots of the reader's own hands: they can be pointed at even when it is not their turn. */
  ownKeys() {
    const zones = this.now.value.scene.zones.filter((zone) => zone.seat === this.seat && zone.form === "hand");
    return new Set(zones.flatMap((zone) => zone.spots.map((spot) => spot.key)));
  }

  // ------------------------------------------------------------ what is heard

  hear(message) {
    if (message.type === "state") this.asked.value = message.mine;
    if (["events", "state"].includes(message.type) && (this.summary.value || this.later.length)) this.later.push(message);
    else this[`hear_${message.type}`]?.(message);
  }

  hear_hello(message) {
    this.newcomer.value = kept(knownAs(message)) === null;
    this.hello.value = message;
  }

  hear_events({ since, events }) {
    const ends = events.findLastIndex((line) => line.summary);
    const number = since + ends;
    this.read ??= ends < 0 ? -1 : number;
    const shown = ends >= 0 && number > this.read;
    const told = shown ? events.slice(0, ends + 1) : events;
    this.lines.value = [...this.lines.value.slice(0, since), ...told];
    this.remember(shown ? this.read : Math.max(this.read, number));
    if (shown) this.sum(events[ends].summary, { type: "events", since: number + 1, events: events.slice(ends + 1) });
  }

  /** Show what a hand or round came to; until it is read nothing can be chosen, and nothing else is heard. */
  sum(summary, rest) {
    batch(() => {
      this.later.unshift(rest);
      this.summary.value = summary;
      this.state.value = { ...this.now.value, mine: false, waiting: [], parts: [], legal: [], amounts: null, undo: false };
    });
  }

  /** The summary is read: what was heard meanwhile follows. */
  goOn() {
    this.remember(this.later[0].since - 1);
    this.summary.value = null;
    this.catchUp();
  }

  catchUp() {
    while (this.later.length && !this.summary.value) {
      const message = this.later.shift();
      this[`hear_${message.type}`](message);
      if (message.type === "state" && this.later.length && message.pace === "usual") return setTimeout(() => this.catchUp(), CATCH_UP);
    }
  }

  /** Up to which line of the log summaries were read. */
  remember(number) {
    this.read = number;
    keep("read", `${this.table} ${number}`);
  }

  hear_state(message) {
    batch(() => {
      const other = message.turn !== this.state.value?.turn || message.epoch !== this.state.value?.epoch;
      const keys = new Set(message.parts.map((part) => part.key));
      if (other || !message.mine) {
        this.busy.value = "";
        this.hint.value = [];
      }
      if (other || message.mine !== this.now.value.mine) this.said.value = QUIET;
      this.why.clear();
      this.state.value = { ...message, scene: message.scene ?? NOTHING.scene };
      const kept = other ? [] : this.chosen.value.filter((key) => keys.has(key));
      this.chosen.value = [...new Set([...this.forced.value, ...kept])];
    });
  }

  hear_done({ id }) {
    if (id === this.busy.value) batch(() => ((this.busy.value = ""), (this.chosen.value = [])));
    if (id === this.accepting) location.assign(this.next.value.path);
  }

  hear_refused({ id, sentence }) {
    if (this.why.delete(id)) return;
    if (id === this.busy.value) this.busy.value = "";
    this.tell(sentence, "refused");
  }

  hear_why_not({ id, sentence }) {
    const asked = this.why.get(id);
    if (sentence && asked && asked === this.looking) this.tell(sentence, "why");
  }

  hear_hint({ parts, reason }) {
    this.hint.value = parts.map((index) => this.now.value.parts[index].key);
    this.tell(reason, "hint");
  }

  hear_chat(message) {
    this.chats.value = [...this.chats.value, message];
  }

  hear_rematch(message) {
    this.next.value = message;
  }

  tell(text, kind = "info") {
    const again = this.said.value.text === text;
    this.said.value = { text: again ? text + "\u00a0" : text, kind };
  }

  // ------------------------------------------------------------ what is done

  /** What can be done with a spot or zone, for the board; null where it is only to be seen. */
  at = (key) => {
    const real = this.twins.value.get(key) ?? key;
    const index = this.indices.value.get(real);
    if (index === undefined && !this.own.value.has(key)) return null;
    const chosen = this.chosen.value;
    const offered = this.offered.value.has(real) && !this.busy.value;
    return {
      label: index === undefined ? "" : this.now.value.parts[index].label,
      offered,
      chosen: chosen.includes(real),
      target: offered && chosen.length > 0,
      can: offered && !this.own.value.has(key),
      greyed: this.greying.value && !offered && this.own.value.has(key) && !this.mayReplace(index),
      hinted: this.hint.value.includes(real),
      take: () => this.take(key),
      look: () => this.lookAt(key),
    };
  };

  /** Take a part, or put it back if it is taken; carry the choice out if that made it plain. */
  take(key) {
    const real = this.twins.value.get(key) ?? key;
    if (this.busy.value) return;
    if (this.chosen.value.includes(real)) return this.drop(real);
    if (!this.offered.value.has(real)) return this.takeInstead(real, key);
    this.said.value = QUIET;
    this.chosen.value = [...this.chosen.value, real];
    const { complete } = this.picking.value;
    const sure = look.confirm.value === "no" && plain(this.now.value.parts, this.taken.value, this.picking.value);
    if (complete && sure) this.act(complete);
  }

  /** Whether a card may be dragged: one that is offered or taken, or one's own, of which a drop says why it stays. */
  mayDrag(key) {
    const at = this.at(key);
    return !this.now.value.over && Boolean(at?.offered || at?.chosen || this.own.value.has(key));
  }

  /** Whether what is taken needs a place. */
  get placing() {
    return [...this.picking.value.offered].some((index) => this.now.value.parts[index].kind === "place");
  }

  /** Take a card to drag it, which carries nothing out; whether it could be taken. */
  lift(key) {
    const real = this.twins.value.get(key) ?? key;
    if (!this.chosen.value.includes(real)) {
      if (this.offered.value.has(real)) this.chosen.value = [...this.chosen.value, real];
      else if (this.mayReplace(this.indices.value.get(real))) this.chosen.value = [...this.forced.value, real];
      else return false;
    }
    this.said.value = QUIET;
    return true;
  }

  /** A card is dropped on the table, in a zone or beside all: whether that carries a choice out, and whether what is
   *  taken is kept. */
  dropOn(key, zone, taken) {
    if (!taken) return this.lookAt(key, 0), { carried: false, kept: false };
    if (this.placing) {
      if (this.offered.value.has(zone)) return this.take(zone), { carried: Boolean(this.busy.value), kept: true };
      if (zone) this.lookAt(zone, 0);
      else this.tell("Drop it on a highlighted pile.", "why");
      return { carried: false, kept: false };
    }
    const { complete } = this.picking.value;
    if (complete && look.confirm.value === "no") this.act(complete);
    return { carried: Boolean(this.busy.value), kept: true };
  }

  /** Something that does not go with what is taken: it is taken in its place, where it can be begun with. */
  takeInstead(real, key) {
    if (!this.mayReplace(this.indices.value.get(real))) return this.lookAt(key, 0);
    this.chosen.value = this.forced.value;
    this.take(real);
  }

  /** Whether a part can be taken in the place of the only one that is: a card, or one place for another. */
  mayReplace(index) {
    const kind = (part) => this.now.value.parts[part]?.kind;
    return this.chosen.value.length === this.forced.value.length + 1 && ["card", kind(this.taken.value.at(-1))].includes(kind(index));
  }

  /** A click beside all that can be taken: why the card it lies on cannot, or why what is taken cannot go there. */
  beside = ({ target }) => {
    const { spot, backs, zone } = target.closest(this.placing && this.chosen.value.length ? "[data-zone]" : "[data-spot], [data-backs]")?.dataset ?? {};
    const key = spot ?? backs ?? zone;
    if (key && !target.closest("button")) this.take(key);
  };

  /** Put a part back, unless every choice has it. */
  drop(key) {
    if (this.forced.value.includes(key)) return;
    this.chosen.value = this.chosen.value.filter((taken) => taken !== key);
  }

  putBack() {
    batch(() => ((this.chosen.value = this.forced.value), (this.said.value = QUIET), (this.hint.value = [])));
  }

  /** Carry out a legal choice, or an amount. */
  act({ action }) {
    if (this.busy.value) return;
    if (this.lesson.shown) this.lesson.next();
    this.busy.value = this.live.request({ type: "act", action, turn: this.state.value.turn });
    this.newcomer.value = false;
    keep(knownAs(this.hello.value), "yes");
  }

  /** Carry out an amount, listed or not. */
  bet(amount) {
    const { amounts, parts } = this.now.value;
    const index = parts.findIndex((part) => part.key === `amount:${amount}`);
    const listed = this.picking.value.open.find((choice) => choice.parts.includes(index));
    if (listed) this.act(listed);
    else if (amounts) this.act({ action: amounts.first + amount });
  }

  /** Ask for a hint. */
  askHint() {
    if (!this.now.value.mine) return this.tellWait("You can ask for a hint on your turn.");
    this.ask("hint");
    this.tell("Looking for a hint ...");
  }

  /** Say that something must wait for the reader's turn; the prompt above says whom the table waits for. */
  tellWait(text = "It is not your turn yet.") {
    this.tell(this.now.value.over ? "The game is over." : text, "why");
  }

  /** Ask for a rematch, or accept it, and go there. */
  askRematch() {
    this.accepting = this.ask("rematch");
  }

  ask(type, more = {}) {
    return this.live.request({ type, ...more });
  }

  /** Say why something on the table cannot be taken, if it cannot. */
  lookAt(key, after = LOOK_AFTER) {
    clearTimeout(this.timer);
    this.looking = key;
    const { mine, over } = this.now.value;
    if (over || this.at(key)?.offered || this.chosen.value.includes(key)) return;
    if (!mine) return after === 0 && this.tellWait();
    const why = () => this.why.set(this.ask("why_not", { taken: this.chosen.value, key }), key);
    if (after) this.timer = setTimeout(why, after);
    else why();
  }

  /** Whom the table waits for, as a sentence. */
  waitingFor() {
    const { names } = this.hello.value;
    const { waiting = [], over, held } = this.now.value;
    if (over) return "The game is over.";
    const others = waiting.filter((seat) => seat !== this.seat).map((seat) => names[seat]);
    const waited = others.length ? `Waiting for ${listed(others)}.` : "A moment ...";
    return held ? `${waited} You chose: ${held}.` : waited;
  }
}

/** The keys that every one of several choices has: they are taken from the beginning. */
function shared({ legal, parts }) {
  if (legal.length < 2) return [];
  return legal[0].parts.filter((part) => legal.every((choice) => choice.parts.includes(part))).map((part) => parts[part].key);
}


/** By key, cards that no choice names because it names one that looks like them in the same zone. */
function twins(scene, indices) {
  const found = new Map();
  for (const zone of scene.zones) {
    const named = new Map(zone.spots.filter((spot) => indices.has(spot.key)).map((spot) => [spot.card, spot.key]).reverse());
    for (const spot of zone.spots) {
      if (!indices.has(spot.key) && named.has(spot.card)) found.set(spot.key, named.get(spot.card));
    }
  }
  return found;
}

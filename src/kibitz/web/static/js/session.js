// A game in progress, as the browser knows it: the server's messages and the user's unfinished choice, as signals.
//
//   hello, state   the last messages of these types
//   lines          the lines of the log: `{text, note}`
//   chosen         the keys of the parts chosen so far; they stay chosen if the server refuses the choice
//   feedback       a sentence for the user: `{text, kind}`, where the kind is "info", "why", "refused" or "hint"
//   hint           the keys of the parts of the last hint
//   busy           the id of the choice that was sent and isn't answered yet, or ""
//   newcomer       whether this browser has never played this game; until the first choice is made
//   myTurn         whether it is the user's turn, also while they read a summary
//   summary        the result of the hand or round that has just ended, until the user closes it; later messages wait
import { symbol } from "./card.js";
import { batch, computed, effect, signal } from "./html.js";
import { Live } from "./live.js";
import { collecting, picking, playsAtOnce } from "./picking.js";
import { store, stored, knownKey, preferences } from "./preferences.js";
import { listed } from "./listing.js";
import { Lesson } from "./lesson.js";

const EMPTY_STATE = { parts: [], legal: [], scene: { zones: [], facts: [], prompt: "" }, mine: false, amounts: null };
const NO_FEEDBACK = { text: "", kind: "info" };
const EXPLAIN_DELAY = 150; // milliseconds
const CATCH_UP_DELAY = 400; // between two states that have waited, so that the user sees each of them
const TRICK_DELAY = 1000; // for which a complete trick is shown at least

export class Session {
  hello = signal(null);
  state = signal(null);
  lines = signal([]);
  chats = signal([]);
  chatsReadAt = signal(0); // the time of the latest chat message that the user has seen
  chatOpen = signal(false);
  muted = signal([]);
  chosen = signal([]);
  feedback = signal(NO_FEEDBACK);
  hint = signal([]);
  busy = signal("");
  connection = signal({ state: "lost", sentence: "" });
  rematch = signal(null);
  summary = signal(null);
  newcomer = signal(false);
  myTurn = signal(false);

  /** `initial` has the messages that were served with the page, so that the table is visible before the connection is
   *  open. */
  constructor(table, initial) {
    this.table = table;
    this.account = initial.account;
    this.queued = []; // messages that wait until the summary is closed, or until the shown state has been seen
    this.shownAt = 0; // the time at which the state was shown
    const [lastTable, read] = (stored("read") ?? "").split(" "); // after a reload, a summary that wasn't closed is shown again
    this.read = lastTable === table ? Number(read) : null;
    const [chatTable, readAt] = (stored("chat") ?? "").split(" ");
    if (chatTable === table) this.chatsReadAt.value = Number(readAt);
    this.now = computed(() => this.state.value ?? EMPTY_STATE);
    this.legal = computed(() => this.now.value.legal);
    this.indices = computed(() => new Map(this.now.value.parts.map((part, index) => [part.key, index])));
    this.chosenIndices = computed(() => this.chosen.value.map((key) => this.indices.value.get(key)));
    this.planned = []; // the keys of choices that belong together and are not sent yet
    this.picking = computed(() => (this.together > 1 ? collecting(this.legal.value, this.chosenIndices.value, this.together) : picking(this.legal.value, this.chosenIndices.value)));
    this.offered = computed(() => new Set([...this.picking.value.offered].map((index) => this.now.value.parts[index].key)));
    this.lookalikes = computed(() => lookalikes(this.now.value.scene, this.indices.value));
    this.ownKeySet = computed(() => this.findOwnKeys());
    this.commonKeys = computed(() => commonKeys(this.now.value));
    this.greysUnplayable = computed(() => this.now.value.mine && (this.legal.value.length === 1 || this.now.value.parts.some((part) => part.kind === "card")));
    this.reasonRequests = new Map();
    this.timer = null;
    this.lesson = new Lesson(this);
    effect(() => this.now.value.mine && store("chosen", JSON.stringify([momentOf(table, this.now.value), ...this.chosen.value])));
    this.live = this.connect();
    if (lastTable !== table) for (const message of [initial.hello, initial.state]) this.receive(message);
  }

  connect() {
    return new Live(this.table, (message) => this.receive(message), (state, sentence) => {
      this.connection.value = { state, sentence };
    });
  }

  get seat() {
    return this.hello.value?.seat ?? -1;
  }

  /** Whether the user has chosen a part, apart from the parts that all choices have in common. */
  get hasChosen() {
    return this.chosen.value.length > this.commonKeys.value.length;
  }

  /** How many choices belong together now, such as cards to pass: they are chosen first and then sent one by one. */
  get together() {
    return this.now.value.mine ? (this.now.value.scene.together ?? 1) : 1;
  }

  /** The spots of the user's own hands, which can be focused even when it is not their turn. */
  findOwnKeys() {
    const zones = this.now.value.scene.zones.filter((zone) => zone.seat === this.seat && zone.form === "hand");
    return new Set(zones.flatMap((zone) => zone.spots.map((spot) => spot.key)));
  }

  // ------------------------------------------------------------ messages from the server

  receive(message) {
    if (message.type === "state") this.myTurn.value = message.mine;
    if (!["events", "state"].includes(message.type)) return this[`on_${message.type}`]?.(message);
    this.queued.push(message);
    if (this.queued.length === 1) this.catchUp();
  }

  on_hello(message) {
    this.newcomer.value = stored(knownKey(message)) === null;
    this.hello.value = message;
  }

  on_events({ since, events }) {
    const ends = events.findLastIndex((line) => line.summary);
    const number = since + ends;
    this.read ??= ends < 0 ? -1 : number;
    const hasSummary = ends >= 0 && number > this.read;
    const shownEvents = hasSummary ? events.slice(0, ends + 1) : events;
    this.lines.value = [...this.lines.value.slice(0, since), ...shownEvents];
    this.markRead(hasSummary ? this.read : Math.max(this.read, number));
    if (!hasSummary) return;
    const rest = { type: "events", since: number + 1, events: events.slice(ends + 1) };
    const scene = withLastCard(this, shownEvents);
    this.shownAt = scene ? performance.now() : 0;
    this.queued.unshift({ type: "summary", summary: events[ends].summary, rest });
    this.state.value = { ...this.now.value, scene: scene ?? this.now.value.scene, mine: false, waiting: [], parts: [], legal: [], amounts: null, undo: false };
  }

  /** Show the result of a hand or round; until the user closes it, nothing can be chosen, and messages wait. */
  on_summary(message) {
    this.queued.unshift(message.rest);
    this.summary.value = message.summary;
  }

  /** Close the summary and handle the messages that have waited. */
  closeSummary() {
    this.markRead(this.queued[0].since - 1);
    this.summary.value = null;
    this.catchUp();
  }

  catchUp() {
    clearTimeout(this.waiting);
    while (this.queued.length && !this.summary.value) {
      const wait = this.waitBefore(this.queued[0]);
      if (wait > 0) return this.catchUpIn(wait);
      const message = this.queued.shift();
      this[`on_${message.type}`](message);
      if (message.type === "state" && this.queued.length && message.pace === "usual") return this.catchUpIn(CATCH_UP_DELAY);
    }
  }

  catchUpIn(time) {
    this.waiting = setTimeout(() => this.catchUp(), time);
  }

  /** How many milliseconds a message must wait, so that the trick that it removes is seen; none if the user
   *  has removed it. */
  waitBefore({ type, pace, scene }) {
    const { mine, scene: shown } = this.now.value;
    if (type === "summary") return this.shownAt + TRICK_DELAY - performance.now();
    return type === "state" && pace === "usual" && !mine && trickGone(shown, scene) ? this.shownAt + TRICK_DELAY - performance.now() : 0;
  }

  /** End the wait, as a click or key does. */
  skipWait() {
    this.shownAt = 0;
    if (this.queued.length) this.catchUp();
  }

  /** Note the number of the log's line up to which the user has closed summaries. */
  markRead(number) {
    this.read = number;
    store("read", `${this.table} ${number}`);
  }

  on_state(received) {
    const isSent = this.planned.length && received.turn === this.sentAt; // another's choice has come before the answer to ours
    const next = !isSent && this.nextPlanned(received);
    const message = next || isSent ? { ...received, mine: false, parts: [], legal: [], amounts: null, undo: false } : received;
    this.shownAt = performance.now();
    batch(() => {
      const changed = message.turn !== this.state.value?.turn || message.epoch !== this.state.value?.epoch;
      const keys = new Set(message.parts.map((part) => part.key));
      if (changed || !message.mine) {
        this.busy.value = "";
        this.hint.value = [];
      }
      if (changed || message.mine !== this.now.value.mine) this.feedback.value = NO_FEEDBACK;
      this.reasonRequests.clear();
      this.state.value = { ...message, scene: message.scene ?? EMPTY_STATE.scene };
      const stillThere = (changed ? storedChoice(this.table, message) : this.chosen.value).filter((key) => keys.has(key));
      this.chosen.value = this.planned.length ? this.planned : [...new Set([...this.commonKeys.value, ...stillThere])];
    });
    if (next) this.sendPlanned(next);
  }

  /** The next of the choices that were made together, if it is their turn and they still fit; else they are dropped. */
  nextPlanned({ mine, legal, parts, scene }) {
    if (!mine || !this.planned.length) return null;
    const fits = this.planned.length === (scene?.together ?? 1);
    const next = fits && legal.find((choice) => choice.parts.length === 1 && parts[choice.parts[0]].key === this.planned[0]);
    if (!next) this.planned = [];
    return next || null;
  }

  sendPlanned(choice) {
    this.myTurn.value = false;
    this.planned = this.planned.slice(1);
    this.send(choice);
  }

  on_done({ id }) {
    if (id === this.busy.value) batch(() => ((this.busy.value = ""), (this.chosen.value = this.planned)));
    if (id === this.accepting) location.assign(this.rematch.value.path);
  }

  on_refused({ id, sentence }) {
    if (this.reasonRequests.delete(id)) return;
    if (id === this.busy.value) batch(() => ((this.busy.value = ""), (this.planned = [])));
    this.tell(sentence, "refused");
  }

  on_why_not({ id, sentence }) {
    const key = this.reasonRequests.get(id);
    if (sentence && key && key === this.explaining) this.tell(sentence, "why");
  }

  on_hint({ parts, reason }) {
    const keys = parts.map((index) => this.now.value.parts[index]?.key);
    if (keys.includes(undefined)) return; // the reader has chosen meanwhile
    this.hint.value = keys;
    this.tell(reason, "hint");
  }

  on_chat(message) {
    const isKnown = this.chats.value.some(({ seat, at }) => seat === message.seat && at === message.at); // after a lost connection
    if (!isKnown) this.chats.value = [...this.chats.value, message];
  }

  /** Note that the user has seen all messages of the chat. */
  readChats() {
    const { at } = this.chats.value.at(-1) ?? {};
    if (!at) return;
    this.chatsReadAt.value = at;
    store("chat", `${this.table} ${at}`);
  }

  on_rematch(message) {
    this.rematch.value = message;
  }

  tell(text, kind = "info") {
    const again = this.feedback.value.text === text;
    this.feedback.value = { text: again ? text + "\u00a0" : text, kind };
  }

  // ------------------------------------------------------------ actions of the user

  /** What can be done with a spot or zone, for the board; null if nothing. */
  controlOf = (key) => {
    const real = this.lookalikes.value.get(key) ?? key;
    const index = this.indices.value.get(real);
    if (index === undefined && !this.ownKeySet.value.has(key)) return null;
    const chosen = this.chosen.value;
    const offered = this.offered.value.has(real) && !this.busy.value;
    return {
      label: index === undefined ? "" : this.now.value.parts[index].label,
      offered,
      chosen: chosen.includes(real),
      target: offered && chosen.length > 0 && this.together === 1,
      can: offered && !this.ownKeySet.value.has(key),
      greyed: this.greysUnplayable.value && !offered && this.ownKeySet.value.has(key) && !this.mayReplace(index),
      hinted: this.hint.value.includes(real),
      take: () => this.take(key),
      look: () => this.explain(key),
    };
  };

  /** Choose the part with a key, or deselect it if it is chosen; play the choice if it is complete and needs no
   *  confirmation. */
  take(key) {
    const real = this.lookalikes.value.get(key) ?? key;
    if (this.busy.value) return;
    if (this.chosen.value.includes(real)) return this.drop(real);
    if (!this.offered.value.has(real)) return this.replaceChoice(real, key);
    this.feedback.value = NO_FEEDBACK;
    this.chosen.value = [...this.chosen.value, real];
    if (this.together > 1) return this.lesson.follow(real);
    const { complete } = this.picking.value;
    const atOnce = preferences.confirm.value === "no" && playsAtOnce(this.now.value.parts, this.chosenIndices.value, this.picking.value);
    if (complete && atOnce) this.act(complete, true);
  }

  /** Whether a card may be dragged: if it is offered, chosen or the user's own; dropping an own card that can't be played
   *  shows the reason. */
  mayDrag(key) {
    const control = this.controlOf(key);
    return !this.now.value.over && Boolean(control?.offered || control?.chosen || this.ownKeySet.value.has(key));
  }

  /** Whether the chosen parts still need a place. */
  get placing() {
    return [...this.picking.value.offered].some((index) => this.now.value.parts[index].kind === "place");
  }

  /** Choose a card to drag it, without playing it; returns whether it could be chosen. */
  lift(key) {
    const real = this.lookalikes.value.get(key) ?? key;
    if (!this.chosen.value.includes(real)) {
      if (this.offered.value.has(real)) this.chosen.value = [...this.chosen.value, real];
      else if (this.mayReplace(this.indices.value.get(real))) this.chosen.value = [...this.commonKeys.value, real];
      else return false;
    }
    this.feedback.value = NO_FEEDBACK;
    return true;
  }

  /** Drop a card on a zone, or between zones ("").  `isChosen` says whether `lift` could choose the card.  Returns whether
   *  the drop has played a choice, and whether the chosen parts stay chosen. */
  dropOn(key, zone, isChosen) {
    if (!isChosen) return this.explain(key, 0), { wasPlayed: false, staysChosen: false };
    if (this.placing) {
      if (this.offered.value.has(zone)) return this.take(zone), { wasPlayed: Boolean(this.busy.value), staysChosen: true };
      if (zone) this.explain(zone, 0);
      else this.tell("Drop it on a highlighted pile.", "why");
      return { wasPlayed: false, staysChosen: false };
    }
    if (this.together > 1) return this.lesson.follow(key), { wasPlayed: false, staysChosen: true };
    const { complete } = this.picking.value;
    if (complete && preferences.confirm.value === "no") this.act(complete, true);
    return { wasPlayed: Boolean(this.busy.value), staysChosen: true };
  }

  /** Choose a part instead of the chosen part, with which it can't be combined; if that isn't possible, say why. */
  replaceChoice(real, key) {
    if (this.together > 1 && this.indices.value.has(real)) return this.tell(`You have chosen ${this.together} cards. Click one of them to deselect it.`, "why");
    if (!this.mayReplace(this.indices.value.get(real))) return this.explain(key, 0);
    this.chosen.value = this.commonKeys.value;
    this.take(real);
  }

  /** Whether a part can replace the only chosen part: any card can, and a place can replace a place. */
  mayReplace(index) {
    const kind = (part) => this.now.value.parts[part]?.kind;
    return this.together === 1 && this.chosen.value.length === this.commonKeys.value.length + 1 && ["card", kind(this.chosenIndices.value.at(-1))].includes(kind(index));
  }

  /** Handle a click that hits no button: say why this card can't be chosen, or why the chosen card can't go there. */
  clickBeside = ({ target }) => {
    const { spot, backs, zone } = target.closest(this.placing && this.chosen.value.length ? "[data-zone]" : "[data-spot], [data-backs]")?.dataset ?? {};
    const key = spot ?? backs ?? zone;
    if (key && !target.closest("button")) this.take(key);
  };

  /** Deselect a part, unless all choices have it. */
  drop(key) {
    if (this.commonKeys.value.includes(key)) return;
    this.chosen.value = this.chosen.value.filter((chosen) => chosen !== key);
  }

  deselect() {
    batch(() => ((this.chosen.value = this.commonKeys.value), (this.feedback.value = NO_FEEDBACK), (this.hint.value = [])));
  }

  /** Play a legal choice, an amount, or choices that belong together.  If it is played `atOnce`, without a button, no
   *  button for it is shown until the server answers. */
  act(choice, atOnce = false) {
    if (this.busy.value) return;
    this.atOnce = atOnce;
    if (!choice.together) {
      if (this.lesson.shown) this.lesson.next();
      return this.send(choice);
    }
    const [first, ...rest] = this.chosen.value;
    this.planned = rest;
    this.send(this.legal.value.find(({ parts }) => parts.length === 1 && parts[0] === this.indices.value.get(first)));
  }

  send({ action }) {
    this.sentAt = this.state.value.turn;
    this.busy.value = this.live.request({ type: "act", action, turn: this.sentAt });
    this.newcomer.value = false;
    store(knownKey(this.hello.value), "yes");
  }

  /** Play an amount, listed or not. */
  bet(amount) {
    const { amounts, parts } = this.now.value;
    const index = parts.findIndex((part) => part.key === `amount:${amount}`);
    const listed = this.picking.value.open.find((choice) => choice.parts.includes(index));
    if (listed) this.act(listed);
    else if (amounts) this.act({ action: amounts.first + amount });
  }

  /** Ask for a hint. */
  askHint() {
    if (!this.now.value.mine) return this.tellToWait("You can ask for a hint on your turn.");
    if (this.account && !this.knowsUnrated && !this.lines.value.some(({ note }) => note === "hint")) {
      this.knowsUnrated = true;
      return this.tell("With a hint, this game doesn't count for your rating. Ask again to get one.");
    }
    this.ask("hint");
    this.tell("Looking for a hint ...");
  }

  /** Say that it isn't the user's turn; the prompt above says whom the table waits for. */
  tellToWait(text = "It is not your turn yet.") {
    this.tell(this.now.value.over ? "The game is over." : text, "why");
  }

  /** Ask for a rematch or accept it, and then go to its table. */
  askRematch() {
    this.accepting = this.ask("rematch");
  }

  ask(type, more = {}) {
    return this.live.request({ type, ...more });
  }

  /** If a spot or zone can't be chosen, ask the server why; `delay` is in milliseconds. */
  explain(key, delay = EXPLAIN_DELAY) {
    clearTimeout(this.timer);
    this.explaining = key;
    const { mine, over } = this.now.value;
    if (over || this.controlOf(key)?.offered || this.chosen.value.includes(key)) return;
    if (!mine) return delay === 0 && this.tellToWait();
    const request = () => this.reasonRequests.set(this.ask("why_not", { taken: this.chosen.value, key }), key);
    if (delay) this.timer = setTimeout(request, delay);
    else request();
  }

  /** A sentence that says whom the table waits for. */
  waitingFor() {
    const { names } = this.hello.value;
    const { waiting = [], over, held } = this.now.value;
    if (over) return "The game is over.";
    const others = waiting.filter((seat) => seat !== this.seat).map((seat) => names[seat]);
    const waited = others.length ? `Waiting for ${listed(others)}.` : "One moment ...";
    return held ? `${waited} You chose: ${held}.` : waited;
  }
}

/** The keys of the parts that all choices have in common, if there are several choices: they are chosen from the start. */
function commonKeys({ legal, parts }) {
  if (legal.length < 2) return [];
  return legal[0].parts.filter((part) => legal.every((choice) => choice.parts.includes(part))).map((part) => parts[part].key);
}

/** The moment of a choice, in words that no other choice has. */
const momentOf = (table, { epoch, turn }) => `${table} ${epoch} ${turn}`;

/** The keys that were chosen before a reload, if it is still the same choice. */
function storedChoice(table, state) {
  const [moment, ...keys] = JSON.parse(stored("chosen") ?? "[]");
  return moment === momentOf(table, state) ? keys : [];
}

/** Whether a trick, a row of cards in the middle of the table, has been removed. */
function trickGone(before, after) {
  const remaining = new Set(after?.zones.flatMap(({ spots }) => spots.map(({ card }) => card)));
  return before.zones.some(({ seat, form, spots }) => seat < 0 && form === "row" && spots.length > 1 && !spots.some(({ card }) => remaining.has(card)));
}

/** The scene with the card that ended a hand by completing a trick or count.  No state shows it, since the next state is
 *  that of the next hand.  Null if no such card was played, or if play is too fast for it to be seen. */
function withLastCard({ now, hello, seat: me }, events) {
  const { scene, pace } = now.value;
  const [played, ...more] = events.map(({ event }) => event).filter((event) => event?.type === "Played");
  const middle = scene.zones.find(({ key }) => key === "trick" || key === "count");
  if (!played || more.length || !middle || pace !== "usual") return null;
  const { seat, cards = [played.card] } = played;
  const note = middle.key === "count" ? "" : seat === me ? "You" : hello.value.names[seat];
  const spots = cards.map((card) => ({ key: `${middle.key}:${card}`, card, label: symbol(card), note }));
  const zones = scene.zones.map((zone) => {
    if (zone === middle) return { ...zone, note: "", spots: [...zone.spots, ...spots] };
    if (zone.seat !== seat || !["hand", "backs"].includes(zone.form)) return zone;
    return { ...zone, spots: zone.spots.filter(({ card }) => !cards.includes(card)), hidden: Math.max(0, zone.hidden - cards.length) };
  });
  return { ...scene, zones };
}

/** Spots that stand for another one when clicked: a card that is not in any choice, for an equal card in its zone that is;
 *  and the stock, for the button that draws from it. Maps key to key. */
function lookalikes(scene, indices) {
  const partKeys = new Map(indices.has("draw") && !indices.has("stock") ? [["stock", "draw"]] : []);
  for (const zone of scene.zones) {
    const keyOfCard = new Map(zone.spots.filter((spot) => indices.has(spot.key)).map((spot) => [spot.card, spot.key]).reverse());
    for (const spot of zone.spots) {
      if (!indices.has(spot.key) && keyOfCard.has(spot.card)) partKeys.set(spot.key, keyOfCard.get(spot.card));
    }
  }
  return partKeys;
}

// The captions of a guided first hand: each is shown once, when its moment comes (`kibitz.engine.lesson` says when).
import { named } from "./card.js";
import { computed, effect, html, signal } from "./html.js";

/** Whether a caption belongs to the user's turn: it is about the actions that they can choose. */
const isForTurn = ({ over, hear, do: action, may }) => Boolean(action || may) || !(hear || over);

/** Whether the moment of a caption has come. */
function isDue(caption, { mine, legal, over }, lines) {
  const { hear, do: action, may } = caption;
  if ((caption.over && !over) || (hear && !lines.some(({ text }) => text.includes(hear)))) return false;
  const isPossible = mine && legal.some(({ text }) => text.startsWith(may)) && (!action || legal.some(({ text }) => text === action));
  return isPossible || !isForTurn(caption);
}

/** The captions of a table: `shown` is the caption to read now, or undefined; `next` goes on to the next one. */
export class Lesson {
  constructor(session) {
    const waiting = signal(null); // captions whose moment has not come
    const due = signal([]);
    let last = null; // the moment of the latest caption for a turn: there is at most one for each choice
    Object.assign(this, { session, due, waiting });
    effect(() => {
      const { hello, now, lines, chosen, together } = session;
      if (!hello.value) return;
      const moment = `${now.value.turn} ${together > 1 ? Math.min(chosen.value.length, together - 1) : 0}`;
      const captions = waiting.peek() ?? hello.value.captions ?? [];
      const newlyDue = captions.filter((caption) => {
        if ((isForTurn(caption) && last === moment) || !isDue(caption, now.value, lines.value)) return false;
        if (isForTurn(caption)) last = moment;
        return true;
      });
      waiting.value = captions.filter((caption) => !newlyDue.includes(caption));
      if (newlyDue.length) due.value = [...due.peek(), ...newlyDue];
    });
    /** The choice that the shown caption points at; undefined if it points at none, or the choice is no longer legal. */
    this.choice = computed(() => session.now.value.legal.find(({ text }) => text === this.shown?.do));
    effect(() => {
      if (this.choice.value) session.hint.value = this.choice.value.parts.map((index) => session.now.value.parts[index].key);
      else if (this.shown?.do) this.next();
    });
  }

  get shown() {
    return this.due.value[0];
  }

  /** Go on to the next caption if the reader has chosen the card that this one points at. */
  follow(key) {
    if (this.choice.value?.parts.some((index) => this.session.now.value.parts[index].key === key)) this.next();
  }

  next() {
    this.due.value = this.due.peek().slice(1);
  }
}

/** The caption to read now; it is shown above the prompt.  On a large screen its place stays free until the next one. */
export function Caption({ session }) {
  const { shown, due, waiting } = session.lesson;
  if (!shown) return waiting.value?.length ? html`<div class="caption-space"></div>` : null;
  return html`<div class="caption" role="status"><p>${named(shown.says)}</p>
    <button type="button" aria-keyshortcuts="n" onClick=${() => session.lesson.next()}>${due.value.length > 1 ? "Next" : "Got it"}</button></div>`;
}

// The captions of a guided first hand: each is shown once, when its moment comes (`kibitz.engine.lesson` says when).
import { named } from "./card.js";
import { computed, effect, html, signal } from "./html.js";

/** Whether a caption is about what can be done. */
const isForTurn = ({ over, hear, do: action, may }) => Boolean(action || may) || !(hear || over);

/** Whether the moment of a caption has come. */
function isDue(caption, { mine, legal, over }, lines) {
  const { hear, do: action, may } = caption;
  if ((caption.over && !over) || (hear && !lines.some(({ text }) => text.includes(hear)))) return false;
  const can = mine && legal.some(({ text }) => text.startsWith(may)) && (!action || legal.some(({ text }) => text === action));
  return can || !isForTurn(caption);
}

/** The captions of a table: `shown` is the one to read now, or undefined; `next` puts it away. */
export class Lesson {
  constructor(session) {
    const waiting = signal(null); // captions whose moment has not come
    const due = signal([]);
    let last = null; // the moment of the last caption about what can be done: there is one for each choice
    this.due = due;
    effect(() => {
      const { hello, now, lines, chosen, together } = session;
      if (!hello.value) return;
      const moment = `${now.value.turn} ${together > 1 ? Math.min(chosen.value.length, together - 1) : 0}`;
      const before = waiting.peek() ?? hello.value.captions ?? [];
      const found = before.filter((caption) => {
        if ((isForTurn(caption) && last === moment) || !isDue(caption, now.value, lines.value)) return false;
        if (isForTurn(caption)) last = moment;
        return true;
      });
      waiting.value = before.filter((caption) => !found.includes(caption));
      if (found.length) due.value = [...due.peek(), ...found];
    });
    /** The choice that a caption points at; undefined where it points at none, or can no longer. */
    this.choice = computed(() => session.now.value.legal.find(({ text }) => text === this.shown?.do));
    effect(() => {
      if (this.choice.value) session.hint.value = this.choice.value.parts.map((index) => session.now.value.parts[index].key);
      else if (this.shown?.do) this.next();
    });
  }

  get shown() {
    return this.due.value[0];
  }

  next() {
    this.due.value = this.due.peek().slice(1);
  }
}

/** The caption to read now, above what is asked. */
export function Caption({ session }) {
  const { shown, due } = session.lesson;
  if (!shown) return null;
  return html`<div class="caption" role="status"><p>${named(shown.says)}</p>
    <button type="button" aria-keyshortcuts="n" onClick=${() => session.lesson.next()}>${due.value.length > 1 ? "Next" : "Got it"}</button></div>`;
}

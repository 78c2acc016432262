// Cards that are dragged, by mouse, pen or finger, beside clicks and keys.
//
// What follows the pointer is a copy; the card itself stays where it is until the table says otherwise.  A drop that is
// refused flies back, and the sentence is the one that a click gives (`Session.dropOn`).
import { effect } from "./html.js";
import { animationsOn } from "./preferences.js";

const THRESHOLD = 6; // pixels that a click may move
const BACK = 220;
const PATIENCE = 4000; // ... until a drop without an answer flies back
const STACKED = 18; // pixels between cards that are dragged together

/** Let cards of the table be dragged; the answer stops that. */
export function listenToDrags(session) {
  const pressed = (event) => {
    const card = event.target.closest?.("button.spot[data-spot]");
    if (!card || !event.isPrimary || event.button !== 0 || session.busy.value || !session.mayDrag(card.dataset.spot)) return;
    new Drag(session, card, event);
  };
  addEventListener("pointerdown", pressed);
  return () => removeEventListener("pointerdown", pressed);
}

/** One card from the press to the drop. */
class Drag {
  constructor(session, card, { clientX, clientY, pointerId }) {
    Object.assign(this, { session, card, pointerId, key: card.dataset.spot, from: [clientX, clientY], copy: null });
    this.handlers = {
      pointermove: (event) => this.move(event),
      pointerup: (event) => this.end(event),
      pointercancel: (event) => event.pointerId === this.pointerId && this.cancel(),
      keydown: (event) => event.key === "Escape" && this.cancel(),
    };
    for (const [name, handle] of Object.entries(this.handlers)) addEventListener(name, handle);
  }

  move({ clientX, clientY, pointerId }) {
    if (pointerId !== this.pointerId) return;
    const [x, y] = [clientX - this.from[0], clientY - this.from[1]];
    if (!this.copy && Math.hypot(x, y) < THRESHOLD) return;
    if (!this.copy) this.lift();
    this.copy.style.translate = `${x}px ${y}px`;
    this.aim(clientX, clientY);
  }

  /** The card leaves its place: where it can go lights up. */
  lift() {
    this.before = this.session.chosen.value;
    this.taken = this.session.lift(this.key);
    const keys = this.taken ? this.session.chosen.value.filter((key) => key !== this.key) : [];
    this.cards = [...keys.map((key) => document.querySelector(`button.spot[data-spot="${CSS.escape(key)}"]`)).filter(Boolean), this.card];
    this.copy = copyOf(this.cards);
    for (const card of this.cards) card.dataset.lifted = "";
    const places = this.session.placing ? "places" : "middle";
    document.querySelector(".playing").dataset.dragging = this.taken ? places : "";
  }

  /** Show where the card would fall. */
  aim(x, y) {
    const { zone } = this.under(x, y);
    const aimed = this.taken && zone && this.session.controlOf(zone.dataset.zone)?.target ? zone : null;
    if (this.aimed !== aimed) this.aimed?.removeAttribute("data-aimed");
    aimed?.setAttribute("data-aimed", "");
    this.aimed = aimed;
  }

  /** What lies at a point: whether the table, and which zone; beside all zones it is the lit one that the card covers most. */
  under(x, y) {
    const found = document.elementFromPoint(x, y);
    const felt = Boolean(found?.closest(".felt"));
    const zone = felt ? found.closest("[data-zone]") : null;
    return { felt, zone: zone ?? (felt ? covered(this.copy) : null) };
  }

  end({ clientX, clientY, pointerId }) {
    if (pointerId !== this.pointerId) return;
    const { copy, session } = this;
    if (!copy) return this.leave();
    swallowClick();
    const { felt, zone } = this.under(clientX, clientY);
    const { carried, kept } = felt ? session.dropOn(this.key, zone?.dataset.zone ?? "", this.taken) : { carried: false, kept: false };
    if (!kept) session.chosen.value = this.before;
    this.leave();
    if (carried) this.wait();
    else this.back();
  }

  /** Nothing has happened. */
  cancel() {
    if (this.copy) {
      this.session.chosen.value = this.before;
      this.back();
    }
    this.leave();
  }

  /** Listen no more. */
  leave() {
    for (const [name, handle] of Object.entries(this.handlers)) removeEventListener(name, handle);
    this.aimed?.removeAttribute("data-aimed");
    delete document.querySelector(".playing")?.dataset.dragging;
  }

  /** The copy lies where it was dropped until the table has changed, from where the card then travels on. */
  wait() {
    const { session, copy } = this;
    const { state } = session;
    const asked = state.value;
    const timer = setTimeout(() => (stop(), this.back()), PATIENCE);
    const stop = effect(() => {
      const refused = session.feedback.value.kind === "refused";
      if (state.value === asked && !refused) return;
      clearTimeout(timer);
      setTimeout(() => (stop(), refused ? this.back() : this.remove())); // once the table is drawn
    });
  }

  remove() {
    this.copy.remove();
    for (const card of this.cards) delete card.dataset.lifted;
  }

  /** The copy flies back to its card. */
  back() {
    const { copy, card } = this;
    const to = card.isConnected && card.getBoundingClientRect();
    if (!to || !animationsOn()) return this.remove();
    const from = copy.getBoundingClientRect();
    const [x, y] = copy.style.translate.split(" ").map(parseFloat);
    const home = `${x + to.x - from.x}px ${(y || 0) + to.y - from.y}px`;
    copy.animate([{ translate: copy.style.translate }, { translate: home }], { duration: BACK, easing: "ease-out" }).finished.catch(() => {}).then(() => this.remove());
  }
}

/** A copy of cards, the last of which is dragged, above everything and out of the way of the pointer. */
function copyOf(cards) {
  const copy = document.createElement("div");
  const { x, y, width } = cards.at(-1).getBoundingClientRect();
  copy.className = "dragged";
  copy.setAttribute("aria-hidden", "true");
  copy.style.cssText = `left: ${x}px; top: ${y}px; --w: ${width}px`;
  for (const [index, card] of cards.entries()) {
    const one = document.createElement("span");
    one.className = "spot";
    Object.assign(one.dataset, { spot: card.dataset.spot, code: card.dataset.code });
    one.style.left = `${(index - cards.length + 1) * STACKED}px`;
    one.append(card.querySelector(".face").cloneNode(true));
    copy.append(one);
  }
  document.body.append(copy);
  return copy;
}

/** The lit zone that a copy covers most, or null. */
function covered(copy) {
  const { left, top, right, bottom } = copy.lastChild.getBoundingClientRect();
  let [best, most] = [null, 0];
  for (const place of document.querySelectorAll(".place[data-target]")) {
    const box = place.getBoundingClientRect();
    const area = Math.max(0, Math.min(right, box.right) - Math.max(left, box.left)) * Math.max(0, Math.min(bottom, box.bottom) - Math.max(top, box.top));
    if (area > most) [best, most] = [place.closest("[data-zone]"), area];
  }
  return best;
}

/** Ignore the click that a browser sends after a drop on the card itself. */
function swallowClick() {
  const swallow = (event) => (event.preventDefault(), event.stopImmediatePropagation());
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }));
}

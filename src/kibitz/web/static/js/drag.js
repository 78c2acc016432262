// Dragging cards by mouse, pen or finger, as an alternative to clicks and keys.
//
// A copy of the card follows the pointer; the card itself stays in its place until the server sends the new state.  If a
// drop is refused, the copy flies back, and the reason is the same as for a click (`Session.dropOn`).
import { effect } from "./html.js";
import { animationsOn } from "./preferences.js";

const THRESHOLD = 6; // pixels that the pointer may move in a click
const FLY_BACK = 220; // milliseconds for the flight back
const TIMEOUT = 4000; // milliseconds until a drop that the server hasn't answered flies back
const OFFSET = 18; // pixels between cards that are dragged together

/** Let cards of the table be dragged; returns a function that stops this. */
export function listenToDrags(session) {
  const onPress = (event) => {
    const card = event.target.closest?.("button.spot[data-spot]");
    if (!card || !event.isPrimary || event.button !== 0 || session.busy.value || !session.mayDrag(card.dataset.spot)) return;
    new Drag(session, card, event);
  };
  addEventListener("pointerdown", onPress);
  return () => removeEventListener("pointerdown", onPress);
}

/** The drag of one card, from the press to the drop. */
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

  /** Begin to move the card: the places where it can go are highlighted. */
  lift() {
    this.chosenBefore = this.session.chosen.value;
    this.isChosen = this.session.lift(this.key);
    const keys = this.isChosen ? this.session.chosen.value.filter((key) => key !== this.key) : [];
    this.cards = [...keys.map((key) => document.querySelector(`button.spot[data-spot="${CSS.escape(key)}"]`)).filter(Boolean), this.card];
    this.copy = copyOf(this.cards);
    for (const card of this.cards) card.dataset.lifted = "";
    const places = this.session.placing ? "places" : "middle";
    document.querySelector(".playing").dataset.dragging = this.isChosen ? places : "";
  }

  /** Mark the zone on which the card would be dropped. */
  aim(x, y) {
    const { zone } = this.under(x, y);
    const aimed = this.isChosen && zone && this.session.controlOf(zone.dataset.zone)?.target ? zone : null;
    if (this.aimed !== aimed) this.aimed?.removeAttribute("data-aimed");
    aimed?.setAttribute("data-aimed", "");
    this.aimed = aimed;
  }

  /** What lies at a point: whether it is on the felt, and its zone.  Between zones, the highlighted zone that the card
   *  covers most counts. */
  under(x, y) {
    const element = document.elementFromPoint(x, y);
    const onFelt = Boolean(element?.closest(".felt"));
    const zone = onFelt ? element.closest("[data-zone]") : null;
    return { onFelt, zone: zone ?? (onFelt ? mostCovered(this.copy) : null) };
  }

  end({ clientX, clientY, pointerId }) {
    if (pointerId !== this.pointerId) return;
    const { copy, session } = this;
    if (!copy) return this.stopListening();
    ignoreNextClick();
    const { onFelt, zone } = this.under(clientX, clientY);
    const { wasPlayed, staysChosen } = onFelt ? session.dropOn(this.key, zone?.dataset.zone ?? "", this.isChosen) : { wasPlayed: false, staysChosen: false };
    if (!staysChosen) session.chosen.value = this.chosenBefore;
    this.stopListening();
    if (wasPlayed) this.waitForState();
    else this.flyBack();
  }

  /** End the drag without a drop. */
  cancel() {
    if (this.copy) {
      this.session.chosen.value = this.chosenBefore;
      this.flyBack();
    }
    this.stopListening();
  }

  stopListening() {
    for (const [name, handle] of Object.entries(this.handlers)) removeEventListener(name, handle);
    this.aimed?.removeAttribute("data-aimed");
    delete document.querySelector(".playing")?.dataset.dragging;
  }

  /** Leave the copy where it was dropped until the next state, from where the card then travels on. */
  waitForState() {
    const { session } = this;
    const { state } = session;
    const stateBefore = state.value;
    const timer = setTimeout(() => (stop(), this.flyBack()), TIMEOUT);
    const stop = effect(() => {
      const refused = session.feedback.value.kind === "refused";
      if (state.value === stateBefore && !refused) return;
      clearTimeout(timer);
      setTimeout(() => (stop(), refused ? this.flyBack() : this.remove())); // once the table is drawn
    });
  }

  remove() {
    this.copy.remove();
    for (const card of this.cards) delete card.dataset.lifted;
  }

  /** Let the copy fly back to its card. */
  flyBack() {
    const { copy, card } = this;
    const to = card.isConnected && card.getBoundingClientRect();
    if (!to || !animationsOn()) return this.remove();
    const from = copy.getBoundingClientRect();
    const [x, y] = copy.style.translate.split(" ").map(parseFloat);
    const home = `${x + to.x - from.x}px ${(y || 0) + to.y - from.y}px`;
    copy.animate([{ translate: copy.style.translate }, { translate: home }], { duration: FLY_BACK, easing: "ease-out" }).finished.catch(() => {}).then(() => this.remove());
  }
}

/** A copy of cards, the last of which is the dragged one; it lies above everything, and pointer events pass through it. */
function copyOf(cards) {
  const copy = document.createElement("div");
  const { x, y, width } = cards.at(-1).getBoundingClientRect();
  copy.className = "dragged";
  copy.setAttribute("aria-hidden", "true");
  copy.style.cssText = `left: ${x}px; top: ${y}px; --w: ${width}px`;
  for (const [index, card] of cards.entries()) {
    const spot = document.createElement("span");
    spot.className = "spot";
    Object.assign(spot.dataset, { spot: card.dataset.spot, code: card.dataset.code });
    spot.style.left = `${(index - cards.length + 1) * OFFSET}px`;
    spot.append(card.querySelector(".face").cloneNode(true));
    copy.append(spot);
  }
  document.body.append(copy);
  return copy;
}

/** The highlighted zone that a copy covers most, or null. */
function mostCovered(copy) {
  const { left, top, right, bottom } = copy.lastChild.getBoundingClientRect();
  let [best, largestArea] = [null, 0];
  for (const place of document.querySelectorAll(".place[data-target]")) {
    const box = place.getBoundingClientRect();
    const area = Math.max(0, Math.min(right, box.right) - Math.max(left, box.left)) * Math.max(0, Math.min(bottom, box.bottom) - Math.max(top, box.top));
    if (area > largestArea) [best, largestArea] = [place.closest("[data-zone]"), area];
  }
  return best;
}

/** Ignore the click that a browser sends after a drop on the card itself. */
function ignoreNextClick() {
  const ignore = (event) => (event.preventDefault(), event.stopImmediatePropagation());
  addEventListener("click", ignore, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", ignore, { capture: true }));
}

// A table's live channel: one WebSocket that comes back by itself after a reload, sleep or a lost network.
//
//   epoch, since   how far the events are known; the server fills the gap from there
//   request        has an id of its own: it is repeated after a lost connection, and carried out only once
import { liveAddress } from "./server.js";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const ALIVE = 20000;
const FINAL = new Set([4001, 4003, 4004]); // closings after which coming back would end the same way

export class Live {
  /** `hear(message)` gets every message; `status(state, sentence)` one of "open", "lost", "closed". */
  constructor(table, hear, status) {
    Object.assign(this, { table, hear, status, epoch: null, since: 0, asked: new Map(), wait: FIRST_WAIT });
    this.socket = null;
    this.timer = null;
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    setInterval(() => this.request({ type: "ping" }), ALIVE);
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    const socket = (this.socket = new WebSocket(liveAddress(this.table, this.epoch, this.since)));
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.status("open", "");
      for (const message of this.asked.values()) socket.send(JSON.stringify(message));
    };
    socket.onmessage = ({ data }) => this.heard(JSON.parse(data));
    socket.onclose = ({ code, reason }) => this.lost(socket, code, reason);
  }

  heard(message) {
    if (message.type === "events") {
      this.epoch = message.epoch;
      this.since = message.since + message.events.length;
    }
    if (message.id) this.asked.delete(message.id);
    this.hear(message);
  }

  lost(socket, code, reason) {
    if (socket !== this.socket) return;
    if (FINAL.has(code)) return this.status("closed", reason || "You can't join this table.");
    this.status("lost", reason || "Connection lost. Trying again ...");
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  /** Try at once where a connection is being waited for. */
  hurry() {
    if (this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  /** Ask for something; the id under which it will be answered. */
  request(message) {
    const id = identity();
    const whole = { ...message, id };
    if (message.type !== "ping") this.asked.set(id, whole);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(whole));
    return id;
  }
}

/** A text that no other request has. */
function identity() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return "p" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// A table's live channel: a WebSocket that reconnects by itself after a reload, sleep or a loss of the network.
//
//   epoch, since   the epoch and the number of the events received so far; the server sends those that are missing
//   request        has an id of its own: it is repeated after a lost connection, and carried out only once
import { liveAddress } from "./server.js";

const FIRST_WAIT = 300; // milliseconds until the first attempt to reconnect; each further wait is twice as long
const LONGEST_WAIT = 8000;
const PING_EVERY = 20000;
const FINAL = new Set([4001, 4003, 4004]); // close codes after which another attempt would fail in the same way

export class Live {
  /** `onMessage(message)` is called with every message, and `onStatus(status, sentence)` when the connection changes: the
   *  status is "open", "lost" or "closed". */
  constructor(table, onMessage, onStatus) {
    Object.assign(this, { table, onMessage, onStatus, epoch: null, since: 0, unanswered: new Map(), wait: FIRST_WAIT });
    this.socket = null;
    this.timer = null;
    addEventListener("online", () => this.reconnectNow());
    document.addEventListener("visibilitychange", () => document.hidden || this.reconnectNow());
    setInterval(() => this.request({ type: "ping" }), PING_EVERY);
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    const socket = (this.socket = new WebSocket(liveAddress(this.table, this.epoch, this.since)));
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.onStatus("open", "");
      for (const message of this.unanswered.values()) socket.send(JSON.stringify(message));
    };
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    socket.onclose = ({ code, reason }) => this.handleClose(socket, code, reason);
  }

  receive(message) {
    if (message.type === "events") {
      this.epoch = message.epoch;
      this.since = message.since + message.events.length;
    }
    if (message.id) this.unanswered.delete(message.id);
    this.onMessage(message);
  }

  handleClose(socket, code, reason) {
    if (socket !== this.socket) return;
    if (FINAL.has(code)) return this.onStatus("closed", reason || "You can't join this table.");
    this.onStatus("lost", reason || "Connection lost. Trying again ...");
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  /** If the connection is lost, try again at once. */
  reconnectNow() {
    if (this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  /** Send a request; returns its id, which the answer will have too. */
  request(message) {
    const id = uniqueId();
    const request = { ...message, id };
    if (message.type !== "ping") this.unanswered.set(id, request);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
    return id;
  }
}

/** An id that no other request has. */
function uniqueId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return "p" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

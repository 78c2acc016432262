// Times of deadlines: as people read them, and in form fields of type datetime-local, which are in the browser's time zone.

const DATE = { weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** The time left or passed, such as "in 3 days" or "5 hours ago". */
function timeLeft(at) {
  const minutes = (at - Date.now()) / 60_000;
  const [size, unit] = [[1440, "day"], [60, "hour"], [1, "minute"]].find(([size]) => Math.abs(minutes) >= 2 * size) ?? [1, "minute"];
  return relative.format(Math.trunc(minutes / size), unit);
}

/** A deadline as people read it, with the time left: "Friday, 16 October 2026 at 17:00 GMT+11, in 3 days". */
export const deadlineText = (at) => `${at.toLocaleString([], DATE)}, ${timeLeft(at)}`;

/** The time in a field with its UTC offset: "2026-10-16T17:00:00+11:00" in Melbourne for "2026-10-16T17:00". */
export function withOffset(value) {
  const offset = -new Date(value).getTimezoneOffset();
  const two = (number) => String(Math.floor(Math.abs(number))).padStart(2, "0");
  return `${value}:00${offset < 0 ? "-" : "+"}${two(offset / 60)}:${two(offset % 60)}`;
}

/** A time as the value of a field. */
export const fieldValue = (at) => new Date(at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

// A short text, such as a link, as a QR code (ISO/IEC 18004): byte mode, error correction level L, versions 1 to 6, and
// always mask 0, which every scanner can read.
const DATA = [0, 19, 34, 55, 80, 108, 136]; // codewords of data by version
const CHECKS = [0, 7, 10, 15, 20, 26, 18]; // codewords of error correction for each block; version 6 has two blocks
const FORMAT = 0b111011111000100; // error correction L and mask 0, with its own check bits
const QUIET = 4; // modules of margin that scanners need

// The field GF(256) modulo x^8 + x^4 + x^3 + x^2 + 1, by powers of 2.
const POWER = [];
const LOG = [];
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
  POWER[exponent] = value;
  LOG[value] = exponent;
  value = (value << 1) ^ (value & 128 ? 0x11d : 0);
}
const times = (a, b) => (a && b ? POWER[(LOG[a] + LOG[b]) % 255] : 0);

/** The Reed-Solomon codewords of a block: the remainder of its division by (x - 1)(x - 2)(x - 4) ... */
function checksOf(data, count) {
  let divisor = [1];
  for (let root = 0; root < count; root++) {
    const shifted = [...divisor, 0];
    divisor.forEach((factor, index) => (shifted[index + 1] ^= times(factor, POWER[root])));
    divisor = shifted;
  }
  const remainder = [...data, ...Array(count).fill(0)];
  for (let index = 0; index < data.length; index++) {
    const lead = remainder[index];
    divisor.forEach((factor, offset) => (remainder[index + offset] ^= times(factor, lead)));
  }
  return remainder.slice(data.length);
}

/** All codewords of a text's bytes, in the order in which they are drawn. */
function codewords(bytes, version) {
  // In steps of four bits: 4 for byte mode, the length in eight bits, the bytes, and 0 for the end.
  const halfBytes = [4, bytes.length >> 4, bytes.length & 15, ...[...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0];
  const data = Array.from({ length: halfBytes.length / 2 }, (_, index) => (halfBytes[2 * index] << 4) | halfBytes[2 * index + 1]);
  for (let pad = 0xec; data.length < DATA[version]; pad ^= 0xec ^ 0x11) data.push(pad); // 0xec and 0x11 in turn
  const blocks = version < 6 ? [data] : [data.slice(0, 68), data.slice(68)];
  const interleaved = (lists) => lists[0].flatMap((_, index) => lists.map((list) => list[index]));
  return [...interleaved(blocks), ...interleaved(blocks.map((block) => checksOf(block, CHECKS[version])))];
}

/** The QR code of a text as rows of modules, true for dark and false for light; null if the text is too long. */
export function qr(text) {
  const bytes = new TextEncoder().encode(text);
  const version = DATA.findIndex((capacity) => capacity >= bytes.length + 2); // two bytes for the mode, length and end
  if (version < 0) return null;
  const size = 17 + 4 * version;
  const rows = Array.from({ length: size }, () => Array(size).fill(null));
  const square = (top, left, reach, dark) => {
    for (let y = -reach; y <= reach; y++) for (let x = -reach; x <= reach; x++) if (rows[top + y]?.[left + x] !== undefined) rows[top + y][left + x] = dark(Math.max(Math.abs(x), Math.abs(y)));
  };
  // The finder patterns in three corners, the alignment pattern in the fourth, and the timing patterns.
  for (const [top, left] of [[3, 3], [3, size - 4], [size - 4, 3]]) square(top, left, 4, (ring) => ring !== 2 && ring !== 4);
  if (version > 1) square(size - 7, size - 7, 2, (ring) => ring !== 1);
  for (let index = 8; index < size - 8; index++) rows[6][index] = rows[index][6] = index % 2 === 0;
  // The format, twice: around the upper left corner, and divided between the other two.
  for (let bit = 0; bit < 15; bit++) {
    const dark = Boolean((FORMAT >> (14 - bit)) & 1);
    if (bit < 8) rows[8][bit < 6 ? bit : bit + 1] = dark; // both lines skip the timing pattern
    else rows[bit === 8 ? 7 : 14 - bit][8] = dark;
    if (bit < 7) rows[size - 1 - bit][8] = dark;
    else rows[8][size - 15 + bit] = dark;
  }
  rows[size - 8][8] = true;
  // The codewords fill the other modules in zigzag, in pairs of columns from right to left; column 6 is skipped.
  const bits = codewords(bytes, version).flatMap((word) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (word >> bit) & 1));
  let next = 0;
  for (let right = size - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (rows[y][x] === null) rows[y][x] = Boolean((bits[next++] ?? 0) ^ ((x + y) % 2 === 0));
    }
  }
  return rows;
}

/** The path of the dark modules in an SVG picture, and the picture's width with its margin; null if the text is too long. */
export function qrPath(text) {
  const rows = qr(text);
  if (!rows) return null;
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ""))).join("");
  return { path, width: rows.length + 2 * QUIET };
}

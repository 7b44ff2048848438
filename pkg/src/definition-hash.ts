/** The hash and the gist of a tool's definition, as the core computes them, without the core: packs and `enrich` do without it. */

/** The golden ratio as a fraction of 64 bits, in halves. */
const STIR_HIGH = 0x9e3779b9;
const STIR_LOW = 0x7f4a7c15;

const encoder = new TextEncoder();

/** The text that is hashed behind a tool's name: its description, with runs of white space as one blank. */
export function hashedText(description: string): string {
  return description
    .split(/\p{White_Space}+/u)
    .filter((word) => word !== "")
    .join(" ");
}

/**
 * The hash of a tool's name and of the text of its description, as 16 hexadecimal digits.
 *
 * @param text what `hashedText` returns
 */
export function hashOf(name: string, text: string): string {
  // No name contains U+0000.
  const bytes = encoder.encode(`${name}\0${text}`);
  // The rest counts as a whole word, filled up with zeros.
  const padded = new Uint8Array(bytes.length - (bytes.length % 8) + 8);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  let high = 0;
  let low = bytes.length;
  for (let at = 0; at < padded.length; at += 8) {
    const left = high ^ view.getUint32(at + 4, true);
    const right = low ^ view.getUint32(at, true);
    high = highOfProduct(right, STIR_LOW) + Math.imul(right, STIR_HIGH) + Math.imul(left, STIR_LOW);
    low = Math.imul(right, STIR_LOW) ^ high;
  }
  return hex(high) + hex(low);
}

/** Places of a gist. */
const GIST = 32;

/**
 * What a description is about, in 32 characters by which two are compared without either: of its words that fall on a place
 * by their hash, the least leaves its last digit there.
 */
export function gistOf(description: string): string {
  const least = new Array<string>(GIST).fill("");
  for (const word of description.match(/[\p{Alphabetic}\p{N}]+/gu) ?? []) {
    const hash = hashOf(word.toLowerCase(), "");
    const place = Number.parseInt(hash.slice(0, 2), 16) % GIST;
    if (least[place] === "" || hash < least[place]!) least[place] = hash;
  }
  return least.map((hash) => hash.at(-1) ?? "-").join("");
}

/** How much of two gists is the same, from 0 to 1: about the share of words that both descriptions have. */
export function likeness(one: string, other: string): number {
  const places = [...one].map((char, at) => [char, other[at]]).filter(([a, b]) => a !== "-" || b !== "-");
  return places.length === 0 ? 0 : places.filter(([a, b]) => a === b).length / places.length;
}

/** The upper 32 bits of the product of two unsigned numbers of 32 bits. */
function highOfProduct(one: number, other: number): number {
  const [a, b] = [one >>> 16, one & 0xffff];
  const [c, d] = [other >>> 16, other & 0xffff];
  const middle = b * c + ((b * d) >>> 16);
  return a * c + Math.floor(middle / 0x10000) + ((((middle & 0xffff) + a * d) / 0x10000) >>> 0);
}

function hex(half: number): string {
  return (half >>> 0).toString(16).padStart(8, "0");
}

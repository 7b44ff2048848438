/** Finds characters that a reader does not see but a model reads, and writes them as visible escapes. */

import { ToolSiftError } from "../base/errors.js";
import { kind } from "../base/values.js";

/** What a reader does not see: default-ignorable code points, control characters, unpaired surrogates, noncharacters. */
const SUSPECT = /(?:[\p{Default_Ignorable_Code_Point}\p{Cs}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]|(?![\t\n\r])\p{Cc})/u;
const SUSPECTS = new RegExp(`${SUSPECT.source}+`, "gu");
/** Most texts have no character but these, and are told by one cheap look. */
const UNUSUAL = /[^\t\n\r\x20-\x7e]/;

/** Scripts whose spelling needs the joiners U+200C and U+200D, with the marks that they share. */
const JOINED = scripts(
  "Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Tibetan " +
    "Khmer Myanmar Javanese Balinese Adlam Mandaic Phags_Pa",
);
/**
 * What honest texts hold in any script, one at a time: a soft hyphen, the marks of direction U+061C, U+200E and U+200F, and a byte
 * order mark.
 */
const ALONE: readonly number[] = [0xad, 0x61c, 0x200e, 0x200f, 0xfeff];
/** Scripts without spaces, where U+200B marks the end of a word. */
const UNSPACED = scripts("Thai Lao Khmer Myanmar");
const PICTURE = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
const EMOJI = /^(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|(?![\0-\x7f])\p{Emoji})$/u;
/** The flags of England, Scotland and Wales are a black flag and a word of tag characters. */
const FLAG = 0x1f3f4;
const FLAGS = ["gbeng", "gbsct", "gbwls"].map((word) => `${tags(word)}\u{E007F}`);

/** What a character is, as bits. */
const IS_SUSPECT = 1;
const IS_PICTURE = 2;
const IS_EMOJI = 4;
const IS_JOINED = 8;
const IS_UNSPACED = 16;
const IS_KNOWN = 32;
/** No character beyond these is more than suspect. */
const TOLD = 0x20000;
/** Filled as characters come, so that hostile texts of a million of them cost no expression for each. */
let bits: Uint8Array | undefined;

/** At most so many hidden characters in a row are written out, so that a text does not grow without bound. */
const SHOWN_IN_A_ROW = 32;

/** One kind of hidden character in a text, with how often it occurs. */
export interface Hidden {
  family: "bidi" | "zero-width" | "tag" | "variation" | "control" | "other";
  /** Its code points in the order in which they occur, at most 32. */
  sample: number[];
  count: number;
}

/**
 * The text with hidden characters as visible escapes such as `\u{202E}`. Emoji sequences, the joiners in scripts that need
 * them, tabs and line breaks stay as they are. Of a run of hidden characters, the first 32 are shown, and how many follow.
 */
export function neutralised(text: string): string {
  if (typeof text !== "string") throw new ToolSiftError("option_invalid", `the text is ${kind(text)}; it must be a string`);
  return neutralisedUpTo(text, Infinity);
}

/** `neutralised`, until the answer has `most` characters; what is hidden behind them is left out, or with `cuts` all that is behind. */
export function neutralisedUpTo(text: string, most: number, cuts = false): string {
  return replaced(text, most, cuts, written, (points) => {
    const hidden = points.filter((point) => point < 0);
    if (hidden.length <= SHOWN_IN_A_ROW) return points.map(written).join("");
    return `${hidden.slice(0, SHOWN_IN_A_ROW).map(written).join("")}[${hidden.length - SHOWN_IN_A_ROW} more hidden characters]`;
  });
}

/** `neutralised` for values that JSON escapes itself: control characters stay as they are. */
export function neutralisedValue(text: string, most: number): string {
  const one = (point: number): string =>
    point < 0 && familyOf(~point) === "control" ? String.fromCodePoint(~point) : written(point);
  return replaced(text, most, false, one, (points) => points.map(one).join(""));
}

/**
 * `neutralised` for one line of a terminal or a log: tabs and line breaks are escapes, too. For names and messages that hold what
 * a server wrote.
 */
export function readable(text: string): string {
  return neutralised(text).replace(/[\t\n\r\u2028\u2029]/g, (char) => escaped(char.charCodeAt(0)));
}

/** The hidden characters of a text by their kind; none for an ordinary text. In a name, everything that is not shown counts. */
export function hiddenIn(text: string, isName = false): Hidden[] {
  if (!UNUSUAL.test(text)) return [];
  const families = new Map<string, Hidden>();
  const count = (given: number): void => {
    const point = isName && ALONE.includes(given) ? ~given : given;
    if (point >= 0) return;
    const family = familyOf(~point);
    let known = families.get(family);
    if (known === undefined) families.set(family, (known = { family, sample: [], count: 0 }));
    known.count += 1;
    if (known.sample.length < SHOWN_IN_A_ROW) known.sample.push(~point);
  };
  eachRun(text, (start, end, before) => {
    const points = pointsOf(text, start, end, before);
    if (typeof points === "number") count(points);
    else points.forEach(count);
    return true;
  });
  return [...families.values()];
}

/** The text without its hidden characters and those that belong where they stand, so that they cannot divide a word. */
export const withoutHidden = (text: string): string => (UNUSUAL.test(text) ? text.replace(SUSPECTS, "") : text);

/** Whether JSON that `JSON.stringify` wrote has something that could be hidden, told without reading it. */
export function mayHide(json: string): boolean {
  // It writes control characters and half surrogate pairs as escapes.
  let may = /\\[bfu]/.test(json);
  if (!may) eachRun(json, () => !(may = true));
  return may;
}

/** The text with the runs of suspects written anew in which something is hidden: a single one, or several. */
function replaced(
  text: string,
  most: number,
  cuts: boolean,
  one: (point: number) => string,
  several: (points: number[]) => string,
): string {
  let shown = "";
  let copied = 0;
  eachRun(text, (start, end, before) => {
    const points = pointsOf(text, start, end, before);
    if (typeof points === "number") {
      if (points >= 0) return true;
      shown += text.slice(copied, start) + one(points);
    } else {
      if (points.every((point) => point >= 0)) return true;
      shown += text.slice(copied, start) + several(points);
    }
    copied = end;
    return shown.length <= most;
  });
  if (copied === 0) return text;
  const rest = text.slice(copied);
  if (shown.length <= most) return shown + rest;
  return cuts ? shown : shown + withoutHidden(rest);
}

/** Finds the runs of suspects of a text in one pass, and the character before each, until one is answered with false. */
function eachRun(text: string, visit: (start: number, end: number, before: number) => boolean): void {
  if (!UNUSUAL.test(text)) return;
  const { length } = text;
  let before = -1;
  for (let at = 0; at < length; ) {
    let point = pointAt(text, at);
    const start = at;
    while ((bitsOf(point) & IS_SUSPECT) !== 0) {
      at += widthOf(point);
      point = pointAt(text, at);
    }
    if (at > start && !visit(start, at, before)) return;
    before = point;
    at += widthOf(point);
  }
}

/** The suspects of a run. Those that are hidden, which their neighbours decide, are negative: their complement. */
function pointsOf(text: string, start: number, end: number, before: number): number | number[] {
  const first = pointAt(text, start);
  const alone = start + widthOf(first);
  // Nearly all runs are of one character.
  if (alone === end) return belongs(first, before, pointAt(text, end), before) ? first : ~first;
  const points: number[] = [];
  const isFlag = before === FLAG && FLAGS.includes(text.slice(start, end));
  let previous = before;
  for (let at = start; at < end; ) {
    const point = pointAt(text, at);
    at += widthOf(point);
    const base = points.length < 2 ? before : -1;
    points.push(isFlag || belongs(point, previous, pointAt(text, at), base) ? point : ~point);
    previous = point;
  }
  return points;
}

/** The code point at a place; -1 at the end. */
function pointAt(text: string, at: number): number {
  if (at >= text.length) return -1;
  const unit = text.charCodeAt(at);
  return unit < 0xd800 || unit > 0xdbff ? unit : text.codePointAt(at)!;
}

const widthOf = (point: number): number => (point > 0xffff ? 2 : 1);

/** A suspect as it is, or as its escape where it is hidden. */
const written = (point: number): string => (point < 0 ? escaped(~point) : String.fromCodePoint(point));

/** Whether a suspect is needed where it stands. `base` is what stands before the run. */
function belongs(point: number, before: number, after: number, base: number): boolean {
  const [was, next] = [bitsOf(before), bitsOf(after)];
  switch (point) {
    case 0xfe0e:
    case 0xfe0f:
      return (was & IS_EMOJI) !== 0 || (after === 0x20e3 && isKey(before));
    case 0x200d:
      if ((next & IS_PICTURE) !== 0 && ((was & IS_PICTURE) !== 0 || (before === 0xfe0f && (bitsOf(base) & IS_EMOJI) !== 0)))
        return true;
      return (was & IS_JOINED) !== 0;
    case 0x200c:
    case 0x180b:
    case 0x180c:
    case 0x180d:
    case 0x180f:
      return (was & IS_JOINED) !== 0;
    case 0x200b:
      return (was & next & IS_UNSPACED) !== 0;
    case 0x34f:
      return isHebrew(before);
    default:
      if (ALONE.includes(point)) return !ALONE.includes(before) && !ALONE.includes(after);
      return familyOf(point) === "variation" && isHan(before);
  }
}

const isHebrew = (point: number): boolean => point >= 0x591 && point <= 0x5f4;
/** An ideograph, behind which a selector chooses one of its forms. */
const isHan = (point: number): boolean =>
  (point >= 0x3400 && point <= 0x9fff) || (point >= 0xf900 && point <= 0xfaff) || (point >= 0x20000 && point <= 0x3ffff);

/** A digit, `#` or `*`, of which a keycap is made. */
const isKey = (point: number): boolean => (point >= 0x30 && point <= 0x39) || point === 0x23 || point === 0x2a;

function bitsOf(point: number): number {
  if (point < 0) return 0;
  // Tag characters and variation selectors, and the two noncharacters at the end of each plane.
  if (point >= TOLD) return (point >= 0xe0000 && point <= 0xe0fff) || (point & 0xfffe) === 0xfffe ? IS_SUSPECT : 0;
  bits ??= new Uint8Array(TOLD);
  const known = bits[point]!;
  return known === 0 ? (bits[point] = bitsFrom(String.fromCodePoint(point))) : known;
}

/** In the order of the bits, the lowest first. */
const TESTS = [SUSPECT, PICTURE, EMOJI, JOINED, UNSPACED];
const bitsFrom = (char: string): number =>
  TESTS.reduce((found, test, at) => found | (Number(test.test(char)) << at), IS_KNOWN);

const escapes = new Map<number, string>();

/** A code point as a visible escape. */
export function escaped(point: number): string {
  let text = escapes.get(point);
  // Few code points are ever escaped: those that are suspects.
  if (text === undefined) escapes.set(point, (text = `\\u{${point.toString(16).toUpperCase().padStart(4, "0")}}`));
  return text;
}

function familyOf(point: number): Hidden["family"] {
  if (point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0xd800 && point < 0xe000)) return "control";
  if (point === 0x61c || (point >= 0x202a && point <= 0x202e)) return "bidi";
  if ((point >= 0x2066 && point <= 0x2069) || point === 0x200e || point === 0x200f) return "bidi";
  if ((point >= 0x200b && point <= 0x200d) || point === 0x2060 || point === 0xfeff) return "zero-width";
  if (point >= 0xe0000 && point <= 0xe007f) return "tag";
  if ((point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef)) return "variation";
  return "other";
}

/** A test for one letter or mark of some scripts. */
function scripts(names: string): RegExp {
  const classes = names.split(" ").map((name) => `\\p{Script_Extensions=${name}}`);
  return new RegExp(`^[${classes.join("")}]$`, "u");
}

/** A word in tag characters. */
function tags(word: string): string {
  return String.fromCodePoint(...[...word].map((char) => 0xe0000 + char.charCodeAt(0)));
}

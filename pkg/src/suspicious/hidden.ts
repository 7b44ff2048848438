/** Finds characters that a reader does not see but a model reads, and writes them as visible escapes. */

import { ToolSiftError } from "../errors.js";
import { kind } from "../values.js";

/** What a reader does not see: default-ignorable code points, control characters, unpaired surrogates, noncharacters. */
const SUSPECT = /(?:[\p{Default_Ignorable_Code_Point}\p{Cs}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]|(?![\t\n\r])\p{Cc})+/gu;

/** Scripts whose spelling needs the joiners U+200C and U+200D. */
const JOINED = scripts(
  "Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Tibetan",
);
/** Scripts without spaces, where U+200B marks the end of a word. */
const UNSPACED = scripts("Thai Lao Khmer Myanmar");
const PICTURE = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
const EMOJI = /^(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|(?![\0-\x7f])\p{Emoji})$/u;
/** The flags of England, Scotland and Wales are a black flag and a word of tag characters. */
const FLAG = "\u{1F3F4}";
const FLAGS = ["gbeng", "gbsct", "gbwls"].map((word) => `${tags(word)}\u{E007F}`);

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
  return text.replace(SUSPECT, (run: string, at: number) => {
    const { hidden, parts } = divided(text, run, at);
    return hidden > SHOWN_IN_A_ROW ? shortened(parts, hidden) : parts.map(written).join("");
  });
}

/** The same, but control characters stay: for values that JSON escapes itself. */
export function neutralisedValue(text: string): string {
  return text.replace(SUSPECT, (run: string, at: number) =>
    divided(text, run, at)
      .parts.map((part) => (part.hidden && familyOf(part.point) !== "control" ? written(part) : part.char))
      .join(""),
  );
}

/** The hidden characters of a text by their kind; none for an ordinary text. */
export function hiddenIn(text: string): Hidden[] {
  const families = new Map<string, Hidden>();
  for (const { 0: run, index } of text.matchAll(SUSPECT)) {
    for (const part of divided(text, run, index).parts) {
      if (!part.hidden) continue;
      const family = familyOf(part.point);
      const known = families.get(family) ?? { family, sample: [], count: 0 };
      families.set(family, known);
      known.count += 1;
      if (known.sample.length < SHOWN_IN_A_ROW) known.sample.push(part.point);
    }
  }
  return [...families.values()];
}

/** The text without its hidden characters, so that they cannot divide a word. */
export const withoutHidden = (text: string): string => text.replace(SUSPECT, "");

interface Part {
  char: string;
  point: number;
  hidden: boolean;
}

/** A run of suspects as its characters, and whether each is hidden, which its neighbours decide. */
function divided(text: string, run: string, at: number): { parts: Part[]; hidden: number } {
  const chars = [...run];
  const before = charBefore(text, at);
  const after = text.codePointAt(at + run.length);
  const next = after === undefined ? "" : String.fromCodePoint(after);
  if (before === FLAG && FLAGS.includes(run)) return { parts: chars.map((char) => part(char, false)), hidden: 0 };
  let hidden = 0;
  const parts = chars.map((char, place) => {
    const stays = belongs(char, place === 0 ? before : chars[place - 1]!, chars[place + 1] ?? next, place < 2 ? before : "");
    if (!stays) hidden += 1;
    return part(char, !stays);
  });
  return { parts, hidden };
}

/** Whether a suspect is needed where it stands. `base` is what stands before the run. */
function belongs(char: string, before: string, after: string, base: string): boolean {
  switch (char) {
    case "\uFE0E":
    case "\uFE0F":
      return EMOJI.test(before) || (/^[0-9#*]$/.test(before) && after === "\u20E3");
    case "\u200D":
      if (PICTURE.test(after) && (PICTURE.test(before) || (before === "\uFE0F" && EMOJI.test(base)))) return true;
      return JOINED.test(before);
    case "\u200C":
      return JOINED.test(before);
    case "\u200B":
      return UNSPACED.test(before) && UNSPACED.test(after);
    default:
      return /^[\u180B-\u180D\u180F]$/.test(char) && JOINED.test(before);
  }
}

const part = (char: string, hidden: boolean): Part => ({ char, point: char.codePointAt(0)!, hidden });

/** A hidden character as its escape, any other as it is. */
const written = ({ char, point, hidden }: Part): string => (hidden ? escaped(point) : char);

/** A code point as a visible escape. */
export const escaped = (point: number): string => `\\u{${point.toString(16).toUpperCase().padStart(4, "0")}}`;

function shortened(parts: readonly Part[], hidden: number): string {
  const first = parts.filter((one) => one.hidden).slice(0, SHOWN_IN_A_ROW);
  return `${first.map(written).join("")}[${hidden - SHOWN_IN_A_ROW} more hidden characters]`;
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

/** The code point that ends before a place. */
function charBefore(text: string, at: number): string {
  if (at === 0) return "";
  const pair = at > 1 ? text.codePointAt(at - 2)! : 0;
  return pair > 0xffff ? String.fromCodePoint(pair) : text[at - 1]!;
}

/** A test for one letter or mark of some scripts. */
function scripts(names: string): RegExp {
  const classes = names.split(" ").map((name) => `\\p{Script=${name}}`);
  return new RegExp(`^[${classes.join("")}]$`, "u");
}

/** A word in tag characters. */
function tags(word: string): string {
  return String.fromCodePoint(...[...word].map((char) => 0xe0000 + char.charCodeAt(0)));
}

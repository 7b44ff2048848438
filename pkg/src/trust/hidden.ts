/** Finds characters that a reader does not see but a model reads, and writes them as visible escapes. */

import { ToolSiftError } from "../base/errors.js";
import { kind } from "../base/values.js";

/** Matches invisible characters: default-ignorable code points, control characters, unpaired surrogates, noncharacters. */
const SUSPECT =
  "(?:[\\p{Default_Ignorable_Code_Point}\\p{Cs}\\p{Noncharacter_Code_Point}\\uFFF9-\\uFFFB]|(?![\\t\\n\\r])\\p{Cc})";
const SUSPECTS = new RegExp(`${SUSPECT}+`, "gu");
/** Most texts have no other characters than ASCII, so this quick test is enough for them. */
const UNUSUAL = /[^\t\n\r\x20-\x7e]/;

/** The scripts whose spelling needs the joiners U+200C and U+200D, with the marks that they share. */
const JOINED = scripts(
  "Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Tibetan " +
    "Khmer Myanmar Javanese Balinese Adlam Mandaic Phags_Pa",
);
/** The scripts without spaces, in which U+200B marks the end of a word. */
const UNSPACED = scripts("Thai Lao Khmer Myanmar");
/** Invisible characters that occur singly in ordinary texts of any script: soft hyphen, direction and byte order marks. */
const ALONE = "[\\u00AD\\u061C\\u200E\\u200F\\uFEFF]";
const PICTURE = "[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]";
const EMOJI = "[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{Regional_Indicator}]";
const HAN = "[\\u3400-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}]";
/** Matches invisible characters that the neighbouring characters need. */
const NEEDED_ALWAYS = [
  `${EMOJI}[\\uFE0E\\uFE0F]`,
  "[0-9#*][\\uFE0E\\uFE0F](?=\\u20E3)",
  `(?:${PICTURE}|${EMOJI}\\uFE0F)\\u200D(?=${PICTURE})`,
  `${JOINED}[\\u200C\\u200D\\u180B-\\u180D\\u180F]`,
  `${UNSPACED}\\u200B(?=${UNSPACED})`,
  "[\\u0591-\\u05F4]\\u034F",
  `${HAN}[\\uFE00-\\uFE0D\\u{E0100}-\\u{E01EF}]`,
];
const NEEDED = [`(?<!${ALONE})${ALONE}(?!${ALONE})`, ...NEEDED_ALWAYS];
/** Matches the flags of England, Scotland and Wales: a black flag and a word of tag characters. */
const FLAGS = ["gbeng", "gbsct", "gbwls"].map((word) => `\u{1F3F4}${tags(word)}\u{E007F}`).join("|");
/** Matches a run of hidden characters, limited for the stack; or a flag, whose tag characters are not hidden. */
const hidden = (needed: string[]) => new RegExp(`${FLAGS}|(?:${SUSPECT}(?<!${needed.join("|")})){1,4096}`, "gu");
const HIDDEN = hidden(NEEDED);
const HIDDEN_IN_NAMES = hidden(NEEDED_ALWAYS);

/** The maximum number of hidden characters in a run that are written out, so that the text's growth is limited. */
const SHOWN_IN_A_ROW = 32;

/** One kind of hidden characters in a text. */
export interface Hidden {
  family: "bidi" | "zero-width" | "tag" | "variation" | "control" | "other";
  /** Its first code points in the order of occurrence, at most 32. */
  sample: number[];
  count: number;
}

/**
 * Returns the text with hidden characters as visible escapes such as `\u{202E}`. Emoji sequences, the joiners in scripts
 * that need them, tabs and line breaks stay unchanged. Of a run of hidden characters, the first 32 are shown, and the number
 * of the others.
 */
export function neutralised(text: string): string {
  if (typeof text !== "string") throw new ToolSiftError("option_invalid", `the text is ${kind(text)}; it must be a string`);
  return neutralisedUpTo(text, Infinity);
}

/**
 * Does the same as `neutralised` until the result has `most` characters; later hidden characters are left out.
 *
 * @param keepsControls true for values in which JSON escapes control characters itself
 */
export function neutralisedUpTo(text: string, most: number, keepsControls = false): string {
  let shown = "";
  let copied = 0;
  let row = 0;
  const endRow = () => {
    if (row > SHOWN_IN_A_ROW) shown += `[${row - SHOWN_IN_A_ROW} more hidden characters]`;
    row = 0;
  };
  let isFull = false;
  eachRun(text, HIDDEN, (run, at) => {
    if (at > copied) endRow();
    isFull ||= shown.length > most;
    if (isFull) return;
    shown += text.slice(copied, at);
    for (const char of run) {
      const point = char.codePointAt(0)!;
      if (keepsControls && familyOf(point) === "control") shown += char;
      else if (row++ < SHOWN_IN_A_ROW) shown += escaped(point);
    }
    copied = at + run.length;
  });
  endRow();
  const rest = copied === 0 ? text : text.slice(copied);
  return shown + (isFull ? withoutHidden(rest) : rest);
}

/**
 * Does the same as `neutralised` for one line of a terminal or a log: tabs and line breaks become escapes too. Use it for
 * names and messages with text of a server.
 */
export function readable(text: string): string {
  return neutralised(text).replace(/[\t\n\r\u2028\u2029]/g, (char) => escaped(char.charCodeAt(0)));
}

/** Returns the hidden characters of a text by kind; none if the text is ordinary. In a name, all invisible ones count. */
export function hiddenIn(text: string, isName = false): Hidden[] {
  const families = new Map<string, Hidden>();
  eachRun(text, isName ? HIDDEN_IN_NAMES : HIDDEN, (run) => {
    for (const char of run) {
      const point = char.codePointAt(0)!;
      const family = familyOf(point);
      const known = families.get(family) ?? { family, sample: [], count: 0 };
      families.set(family, known);
      known.count += 1;
      if (known.sample.length < SHOWN_IN_A_ROW) known.sample.push(point);
    }
  });
  return [...families.values()];
}

/** Returns the text without all invisible characters, even those that are needed, so that they cannot divide a word. */
export const withoutHidden = (text: string): string => (UNUSUAL.test(text) ? text.replace(SUSPECTS, "") : text);

/** Checks if JSON of `JSON.stringify` may contain hidden characters. There, control characters are escapes. */
export const mayHide = (json: string): boolean => /\\[bfu]/.test(json) || json.search(HIDDEN) >= 0;

/** Returns a code point as a visible escape. */
export const escaped = (point: number): string => `\\u{${point.toString(16).toUpperCase().padStart(4, "0")}}`;

/** Calls `visit` with each run of hidden characters in a text. */
function eachRun(text: string, pattern: RegExp, visit: (run: string, at: number) => void): void {
  if (!UNUSUAL.test(text)) return;
  text.replace(pattern, (run: string, at: number) => {
    if (!run.startsWith("\u{1F3F4}")) visit(run, at);
    return "";
  });
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

/** Returns a character class of the letters and marks of some scripts. */
function scripts(names: string): string {
  return `[${names
    .split(" ")
    .map((name) => `\\p{Script_Extensions=${name}}`)
    .join("")}]`;
}

/** Returns a word in tag characters. */
function tags(word: string): string {
  return String.fromCodePoint(...[...word].map((char) => 0xe0000 + char.charCodeAt(0)));
}

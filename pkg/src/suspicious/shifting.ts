/** Values that change by themselves: times, dates, random ids and versions, which some servers write into definitions. */

/** What stands for such a value. No text has it. */
const MARK = "\uffff";
const MONTH =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
const DAY = "(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?,? )?";
const CLOCK = "\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?";
/** Digits and fixed words alone: nothing that is written here can speak to a model. */
const SHIFTING = new RegExp(
  [
    // 2026-11-24T13:11:47.123Z, 2026-11-24, 11/24/2026
    `\\b\\d{4}[-/]\\d{2}[-/]\\d{2}(?:[T ]${CLOCK}(?: ?Z|(?: ?[+-]\\d{2}:?\\d{2}))?)?(?![\\w/-])`,
    "\\b\\d{1,2}[/.]\\d{1,2}[/.]\\d{4}(?![\\w/.]\\d)",
    // Tue Nov 24 2026, November 24th, 2026, 24 Nov 2026
    `\\b${DAY}${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}\\b`,
    `\\b${DAY}\\d{1,2} ${MONTH} \\d{4}\\b`,
    `\\b${CLOCK}(?: ?[AP]M)?(?: (?:UTC|GMT)(?:[+-]\\d{1,4})?)?\\b`,
    // Seconds or milliseconds since 1970, from 2001 to 2065
    "(?<![\\w.-])[12]\\d{9}(?:\\d{3})?(?![\\w.-])",
    // UUID, ULID, hash
    "\\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\\b",
    "\\b[0-7][0-9A-HJKMNP-TV-Z]{25}\\b",
    "\\b(?=[0-9a-f]*\\d)[0-9a-f]{12,64}\\b",
    // 1.2.3, v1.2.3-beta.1, but no address
    "(?<![\\w.])v?\\d{1,5}\\.\\d{1,5}\\.\\d{1,5}(?:-(?:alpha|beta|rc|next|dev|canary)(?:\\.?\\d{1,8})?)?(?![\\w.]*\\d)",
  ].join("|"),
  "gi",
);

/** The text with a mark for each value that changes by itself. */
export function settled(text: string): string {
  return /\d/.test(text) ? text.replace(SHIFTING, MARK) : text;
}

/** A number as text, or the mark where it is a time. */
export function settledNumber(value: number): string {
  return Number.isInteger(value) && ((value >= 1e9 && value < 3e9) || (value >= 1e12 && value < 3e12))
    ? MARK
    : JSON.stringify(value);
}

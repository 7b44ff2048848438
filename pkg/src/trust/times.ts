/** Times that a server writes by its clock, which are others at each reading. */

/** What stands for such a time. No text has it. */
export const MARK = "\uffff";
/** How far from a reading such a time may be: its zone may be any, and it may be the day of the server's start. */
const NEAR_MS = 60 * 3_600_000;
/** As far, for a time without its day. */
const NEAR_MINUTES = 90;

const MONTHS = "January February March April May June July August September October November December".split(" ");
const MONTH = `(?:${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join("|")})`;
const DAY = "(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?,? )?";
const CLOCK =
  "\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AP]M\\b)?(?: ?Z\\b| ?(?:UTC|GMT)(?:[+-]\\d{1,4})?\\b| ?[+-]\\d{2}:?\\d{2}\\b)?";
const TIME = `(?:,?(?: at)? ${CLOCK})?`;
/** Digits and fixed words alone: nothing that is written here can speak to a model. */
const TIMES = new RegExp(
  [
    // 2026-11-24T13:11:47.123Z, 2026-11-24, 2026/11/24
    `\\b(?<y1>\\d{4})[-/](?<m>\\d{2})[-/](?<d1>\\d{2})(?:[T ]${CLOCK})?(?![\\w/-])`,
    // 11/24/2026, 24.11.2026
    `\\b(?<a>\\d{1,2})[/.](?<b>\\d{1,2})[/.](?<y2>\\d{4})${TIME}(?![\\w/.]\\d)`,
    // November 24th, 2026; Tue, 24 Nov 2026 13:11:47 GMT; Tue Nov 24 13:11:47 UTC 2026
    `\\b${DAY}(?:(?<n3>${MONTH}) {1,2}(?<d3>\\d{1,2})(?:st|nd|rd|th)?|(?<d4>\\d{1,2}) (?<n4>${MONTH})),?${TIME} (?<y3>\\d{4})${TIME}(?!\\w)`,
    // 13:11 UTC
    "\\b(?<h>\\d{1,2}):(?<i>\\d{2})(?::\\d{2}(?:[.,]\\d{1,9})?)? ?(?:UTC|GMT|Z)\\b(?![+-])",
    // Seconds or milliseconds since 1970
    "(?<![\\w.-])(?<epoch>[12]\\d{9}(?:\\d{3})?)(?![\\w.-])",
  ].join("|"),
  "gi",
);

/** The text with a mark for each time near one of the readings, in milliseconds since 1970. */
export function settled(text: string, readings: readonly number[]): string {
  if (!/\d/.test(text)) return text;
  return text.replace(TIMES, (token: string, ...more: unknown[]) => {
    const groups = more.at(-1) as Record<string, string | undefined>;
    return readings.some((reading) => isNear(groups, reading)) ? MARK : token;
  });
}

function isNear({ y1, m, d1, a, b, y2, n3, d3, n4, d4, y3, h, i, epoch }: Record<string, string | undefined>, at: number) {
  if (epoch !== undefined) return isTimeNear(Number(epoch), at);
  if (h !== undefined) {
    const minutes = Math.abs(Number(h) * 60 + Number(i) - (Math.floor(at / 60_000) % 1_440));
    return Math.min(minutes, 1_440 - minutes) <= NEAR_MINUTES;
  }
  const isDayNear = (year: unknown, month: number, day: unknown): boolean =>
    month >= 1 && month <= 12 && Math.abs(Date.UTC(Number(year), month - 1, Number(day), 12) - at) <= NEAR_MS;
  if (y1 !== undefined) return isDayNear(y1, Number(m), d1);
  // Some write the month first, others the day.
  if (y2 !== undefined) return isDayNear(y2, Number(a), b) || isDayNear(y2, Number(b), a);
  const month = (n3 ?? n4 ?? "").slice(0, 3).toLowerCase();
  return isDayNear(y3, MONTHS.findIndex((name) => name.toLowerCase().startsWith(month)) + 1, d3 ?? d4);
}

/** Whether a number is a time near another one, in seconds or milliseconds since 1970. */
export function isTimeNear(value: number, at: number): boolean {
  return Math.abs(value - at) <= NEAR_MS || Math.abs(value * 1_000 - at) <= NEAR_MS;
}

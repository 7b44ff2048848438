/** Values that shift by themselves: times near now, and numbers of prose that were seen to shift. */

/** What stands for such a value. No text has it. */
const MARK = "\uffff";
/** How far from now a time may be that a server writes by its clock: its zone may be any, and it may write the day of its start. */
const NEAR_MS = 60 * 3_600_000;
/** As far, for a time without its day. */
const NEAR_MINUTES = 90;

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
const DAY = "(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?,? )?";
const CLOCK = "\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AP]M\\b)?";
const ZONE = "(?: ?Z\\b| ?(?:UTC|GMT)(?:[+-]\\d{1,4})?\\b| ?[+-]\\d{2}:?\\d{2}\\b)?";
const TIME = `(?:,?(?: at)? ${CLOCK}${ZONE})?`;
/** Digits and fixed words alone: nothing that is written here can speak to a model. */
const TIMES = new RegExp(
  [
    // 2026-11-24T13:11:47.123Z, 2026-11-24, 2026/11/24
    `\\b(?<y1>\\d{4})[-/](?<m1>\\d{2})[-/](?<d1>\\d{2})(?:[T ]${CLOCK}${ZONE})?(?![\\w/-])`,
    // 11/24/2026, 24.11.2026
    `\\b(?<a>\\d{1,2})[/.](?<b>\\d{1,2})[/.](?<y2>\\d{4})${TIME}(?![\\w/.]\\d)`,
    // Tue Nov 24 2026 13:11:47 GMT+0100, November 24th, 2026
    `\\b${DAY}(?<n3>${MONTH}) (?<d3>\\d{1,2})(?:st|nd|rd|th)?,? (?<y3>\\d{4})${TIME}(?!\\w)`,
    // Tue, 24 Nov 2026 13:11:47 GMT
    `\\b${DAY}(?<d4>\\d{1,2}) (?<n4>${MONTH}) (?<y4>\\d{4})${TIME}(?!\\w)`,
    // Tue Nov 24 13:11:47 UTC 2026
    `\\b${DAY}(?<n5>${MONTH}) {1,2}(?<d5>\\d{1,2}) ${CLOCK}${ZONE} (?<y5>\\d{4})\\b`,
    // 13:11 UTC
    "\\b(?<h>\\d{1,2}):(?<i>\\d{2})(?::\\d{2}(?:[.,]\\d{1,9})?)? ?(?:UTC|GMT|Z)\\b(?![+-])",
    // Seconds or milliseconds since 1970
    "(?<![\\w.-])(?<epoch>[12]\\d{9}(?:\\d{3})?)(?![\\w.-])",
  ].join("|"),
  "gi",
);

/** The text with a mark for each time near `at`, in milliseconds since 1970. */
export function settled(text: string, at: number): string {
  if (!/\d/.test(text)) return text;
  return text.replace(TIMES, (token: string, ...more: unknown[]) =>
    isNear(more.at(-1) as Record<string, string | undefined>, at) ? MARK : token,
  );
}

function isNear(groups: Record<string, string | undefined>, at: number): boolean {
  const { y1, m1, d1, a, b, y2, h, i, epoch } = groups;
  if (epoch !== undefined) return isTimeNear(Number(epoch), at);
  if (h !== undefined) {
    const minutes = Math.abs(Number(h) * 60 + Number(i) - (Math.floor(at / 60_000) % 1_440));
    return Math.min(minutes, 1_440 - minutes) <= NEAR_MINUTES;
  }
  if (y1 !== undefined) return isDayNear(y1, Number(m1), d1, at);
  // Some write the month first, others the day.
  if (y2 !== undefined) return isDayNear(y2, Number(a), b, at) || isDayNear(y2, Number(b), a, at);
  const [, year, name = "", day] = [3, 4, 5]
    .map((n) => [n, groups[`y${n}`], groups[`n${n}`], groups[`d${n}`]] as const)
    .find(([, year]) => year !== undefined)!;
  return isDayNear(year!, MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1, day, at);
}

function isDayNear(year: string, month: number, day: string | undefined, at: number): boolean {
  return month >= 1 && month <= 12 && Math.abs(Date.UTC(Number(year), month - 1, Number(day), 12) - at) <= NEAR_MS;
}

/** Whether a number is a time near another one, in seconds or milliseconds since 1970. */
export function isTimeNear(value: number, at: number): boolean {
  return Math.abs(value - at) <= NEAR_MS || Math.abs(value * 1_000 - at) <= NEAR_MS;
}

/** What numbers an account, a version, a port or the like: what stands behind is no count. */
const NAMED =
  "account|acct|konto|compte|cuenta|conto|iban|bic|id|no|nr|number|pin|code|port|version|release|card|routing|sort|phone|ref|" +
  "reference|to|customer|client|user|payee|wallet|member|order|invoice|channel|room|mode|[-/]{1,2}[a-z][\\w-]*";
/** A number that stands alone in prose, as counts do: `1,007` and `512`, but no part of an address, a version or an account. */
const COUNT = new RegExp(
  `(?<![\\p{L}\\p{N}_.,:/@#=<>~^+-]|\\p{N} |(?<![\\p{L}\\p{N}])(?:${NAMED})[.:]? )` +
    "(\\d{1,3}(?:[,.\\u00a0\\u202f]\\d{3})+|\\d{1,6}|\\d{1,2}:\\d{2}(?::\\d{2})?)" +
    "(?![\\p{L}_/@]| ?\\p{N}|[.,:+=-][\\p{L}\\p{N}])",
  "giu",
);

/** Prose has words: a text that is a number alone counts nothing. */
const WORD = /\p{L}{3}/u;

/**
 * Which of the counts of a text are others in another one, by their order; undefined where anything else is. Times near the
 * reading of each text do not count.
 */
export function shiftedCounts(before: string, now: string): number[] | undefined {
  const [old, own] = [before.split(COUNT), now.split(COUNT)];
  if (old.length !== own.length || !WORD.test(now)) return undefined;
  const differ = old.flatMap((part, at) => (part === own[at] ? [] : [at]));
  return differ.every((at) => at % 2 === 1) ? differ : undefined;
}

/** Formats the numbers on the page. */

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A no-break space, so that a number and its unit stay on one line. */
export const NBSP = "\u00a0";

export function count(value: number): string {
  return whole.format(value);
}

/** Formats a number with its noun: `1 tool`, `2 tools`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)}${NBSP}${value === 1 ? one : many}`;
}

/** Formats a share in per cent. Near 0 and 100 it has one decimal, so that rounding never shows 0 % or 100 % wrongly. */
export function percent(share: number): string {
  const value = share * 100;
  const rounded = Math.round(value);
  const edge = (rounded === 100 && value < 100) || (value < 1 && value > 0);
  return `${edge ? Math.min(value, 99.9).toFixed(1) : rounded}${NBSP}%`;
}

export function bytes(value: number): string {
  if (value < 1024) return `${count(value)}${NBSP}B`;
  if (value < 1024 * 1024) return `${(value / 1024).toFixed(1)}${NBSP}KB`;
  return `${(value / 1024 / 1024).toFixed(1)}${NBSP}MB`;
}

const upToHundredths = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** Formats a score on any ranker's scale. Scores below 1 have two decimals, so that they align. */
export function score(value: number): string {
  return value > 0 && value < 1 ? value.toFixed(2) : upToHundredths.format(value);
}

const NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** Formats a small number in words. */
export function inWords(value: number): string {
  return NUMBERS[value] ?? count(value);
}

/** Formats an estimate with three significant digits. */
export function about(value: number): string {
  return count(value < 1000 ? value : Number(value.toPrecision(3)));
}

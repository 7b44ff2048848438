/** Formats the difference of two texts for `--dry-run`, with secrets hidden. */

import { readable } from "toolsift/guard";
import type { Found } from "./section.js";
import { commonEnds } from "../base/values.js";

const CONTEXT = 3;

/** Returns the changed lines with `-` and `+`, and some lines around them. Texts in `secrets` are replaced by dots. */
export function difference(before: string, after: string, secrets: readonly string[]): string {
  const [old, now] = [lines(before), lines(after)];
  const [start, end] = commonEnds(old, now);
  const shown = [
    ...old.slice(Math.max(0, start - CONTEXT), start).map((line) => `  ${line}`),
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...now.slice(start, now.length - end).map((line) => `+ ${line}`),
    ...now.slice(now.length - end, now.length - end + CONTEXT).map((line) => `  ${line}`),
  ];
  return shown.map((line) => readable(hidden(line.replaceAll("\t", "  "), secrets)).trimEnd()).join("\n");
}

/** Returns the texts of entries that may be secret: the values of environment variables and headers, the longest first. */
export function secretsOf(found: readonly Pick<Found, "entry">[]): string[] {
  const values = found.flatMap(({ entry }) => Object.values(("url" in entry ? entry.headers : entry.env) ?? {}));
  return [...new Set(values)].filter((value) => value !== "").sort((a, b) => b.length - a.length);
}

function hidden(line: string, secrets: readonly string[]): string {
  return secrets.reduce((text, secret) => {
    const inside = JSON.stringify(secret).slice(1, -1);
    // A short value, such as 1, is hidden only if it stands in quotes on its own.
    const quotes = [`"${inside}"`, `'${secret}'`].reduce((left, one) => left.replaceAll(one, '"•••"'), text);
    return inside.length < 6 ? quotes : quotes.replaceAll(inside, "•••");
  }, line);
}

const lines = (text: string) => text.split(/\r?\n/);

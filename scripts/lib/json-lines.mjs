/** Reads and writes JSON files that the user named, most of them with one value on each line. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Problem } from "./run.mjs";

/** The text of a file. */
export function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Problem(`${path} cannot be read: ${error.message}`);
  }
}

/** The values of a JSON Lines file, each with the place that a message about it names. */
export function linesOf(path) {
  const lines = textOf(path)
    .replace(/^\uFEFF/, "")
    .split("\n");
  return lines.flatMap((line, at) => {
    if (line.trim() === "") return [];
    const where = `${path}, line ${at + 1}`;
    try {
      return [{ value: JSON.parse(line), where }];
    } catch (error) {
      throw new Problem(`${where} is no JSON: ${error.message}`);
    }
  });
}

/** These values alone. */
export const valuesOf = (path) => linesOf(path).map(({ value }) => value);

/** The text of such a file. */
export const asLines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

/** Refuses a file that cannot be written in the end, before anything takes time. */
export function checkWritable(path) {
  if (!existsSync(dirname(resolve(path)))) throw new Problem(`${path}: there is no such folder`);
}

export function writeText(path, text) {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new Problem(`${path} cannot be written: ${error.message}`);
  }
}

/** JSON in a line, in which null stands for what has no bound. */
export const withoutInfinity = (value) => `${JSON.stringify(value, (_, one) => (one === Infinity ? null : one))}\n`;

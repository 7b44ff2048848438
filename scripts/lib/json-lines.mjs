/** Reads and writes JSON files that the user named, most of them with one value on each line. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Problem } from "./run.mjs";

/** Returns the text of a file. */
export function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Problem(`${path} cannot be read: ${error.message}`);
  }
}

/** Returns the values of a JSON Lines file, each with its place (file and line) for messages. */
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

/** Returns only the values of a JSON Lines file. */
export const valuesOf = (path) => linesOf(path).map(({ value }) => value);

/** Returns values as the text of a JSON Lines file. */
export const asLines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

/** Checks that a file can be written, before the work starts. */
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

/** Returns a value as one line of JSON, with null in the place of Infinity. */
export const withoutInfinity = (value) => `${JSON.stringify(value, (_, one) => (one === Infinity ? null : one))}\n`;

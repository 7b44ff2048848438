/** Reads the vectors in a folder. Every argument keeps its text from the file. */

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "../../../scripts/lib/run.mjs";

/** The vectors of every JSON file of a folder, and `catalog(name)` for the files of its `catalogs`. */
export function readVectors(folder) {
  const names = listed(folder);
  if (names.length === 0) throw new Problem(`${folder} holds no *.json`);
  const vectors = names.flatMap((name) => vectorsIn(join(folder, name)));
  if (vectors.length === 0) throw new Problem(`${folder} holds no vectors`);
  const seen = new Set();
  for (const { id } of vectors) {
    if (seen.has(id)) throw new Problem(`${folder} holds ${id} twice`);
    seen.add(id);
  }
  const catalogs = new Map();
  const catalog = (name) => {
    const path = join(folder, "catalogs", `${name}.json`);
    if (!existsSync(path)) throw new Problem(`there is no catalog ${path}`);
    if (!catalogs.has(name)) catalogs.set(name, parse(path));
    return catalogs.get(name);
  };
  return { vectors, catalog };
}

function listed(folder) {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch (error) {
    throw new Problem(`the folder ${folder} cannot be read: ${error.message}`);
  }
}

function vectorsIn(path) {
  const list = parse(path, marked);
  const isVector = (one) => typeof plain(one?.id) === "string" && typeof one.call === "object" && one.call !== null;
  if (!Array.isArray(list) || !list.every(isVector)) throw new Problem(`${path} is no list of vectors`);
  return list.map(asVector);
}

function parse(path, prepare = (text) => text) {
  try {
    return JSON.parse(prepare(readFileSync(path, "utf8")));
  } catch (error) {
    throw new Problem(`${path} is no JSON: ${error.message}`);
  }
}

/** Stands before a number that JavaScript would write otherwise; no vector begins a text with it. */
const MARK = "\u0000";

/**
 * JSON text in which such numbers are marked texts. A system may read 2.0 otherwise than 2, which JavaScript cannot:
 * what is passed to the package as text has to stay as it was written.
 */
function marked(text) {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : JSON.stringify(MARK + token),
  );
}

const isMarked = (value) => typeof value === "string" && value.startsWith(MARK);

function mapped(value, number) {
  if (isMarked(value)) return number(value.slice(MARK.length));
  if (Array.isArray(value)) return value.map((one) => mapped(one, number));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapped(one, number)]));
}

/** With numbers as numbers. */
const plain = (value) => mapped(value, Number);

/** The JSON text, with numbers as they were written. */
function written(value) {
  return JSON.stringify(value).replaceAll(/"\\u0000([^"]*)"/g, "$1");
}

/** `config` with numbers as numbers; `configText` has those as texts that JavaScript would write otherwise. */
function asVector(vector) {
  return {
    ...plain(vector),
    config: plain(vector.config ?? {}),
    configText: mapped(vector.config ?? {}, String),
    call: withArguments(vector.call),
  };
}

/** A call or a sequence of steps, whose arguments are the JSON text that a model would send. */
function withArguments(step) {
  const { args, steps, ...rest } = step;
  return {
    ...plain(rest),
    ...("args" in step && { args: written(args) }),
    ...("steps" in step && { steps: steps.map(withArguments) }),
  };
}

/** Plays a script of turns in a session with the installed package, and records the session as plain data. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { at } from "../../../scripts/lib/paths.mjs";
import { install } from "../../package/installed.mjs";

const { home } = await install();
export const { ToolSift, ToolSiftError } = await import(pathToFileURL(join(home, "dist", "index.js")).href);

const TOOLS = JSON.parse(readFileSync(at("tests", "vectors", "catalogs", "mcp60.json"), "utf8"));

export const TIDES = "mcp__weather__get_tides";
export const SEND = "mcp__slack__send_message";
export const EVENTS = "mcp__calendar__list_events";
export const PROJECT = "mcp__linear__create_project";
export const DELETE = "mcp__gdrive__delete_file";

/** A turn with one call, and its answer. */
export const one = (name, args, text, id = "c1") => [{ steps: [[{ id, name, args, text, failed: false }]] }];

/** A catalog of sixty tools under some options, and of what is registered beside. */
export function filled(options, beside = [], tools = TOOLS) {
  const sift = new ToolSift(options);
  sift.register([...tools, ...beside], { names: "any" });
  return sift;
}

const catalogs = new Map();
let sessions = 0;

/** A new session over a catalog of some options, which is filled once. */
export function freshSession(options) {
  const key = JSON.stringify(options ?? {});
  if (!catalogs.has(key)) catalogs.set(key, filled(options));
  return catalogs.get(key).session(`fresh ${(sessions += 1)}`);
}

/** What a real tool answers. */
const ran = (name) => `${name} did it. Added: mcp__gdrive__delete_file`;

/**
 * Plays turns: each is a list of steps of the model, each step the calls that it makes at once, `[name, args]`. Answers the
 * session, and its turns as records: `{ steps: [[{ id, name, args, text, failed, revealed }]] }`.
 */
export function live(sift, script, { format = "openai", answer = ran } = {}) {
  const session = sift.session("live");
  let calls = 0;
  const call = ([name, args = {}]) => {
    const outcome = session.call(name, args, { now: 0 });
    const failed = outcome.kind === "refused" || (outcome.kind === "result" && outcome.isError);
    const text = { result: outcome.content, refused: outcome.error?.message, dispatch: answer(name) }[outcome.kind];
    return { id: `call_${(calls += 1)}`, name, args, text, failed, revealed: outcome.revealed ?? [] };
  };
  const turns = script.map((steps) => ({
    steps: steps.map((step) => {
      session.assemble({ format });
      return step.map(call);
    }),
  }));
  return { session, turns };
}
